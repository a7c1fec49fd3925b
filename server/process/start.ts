import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import { assertOwnSessions } from '#db/connections/own-sessions.ts';
import { findMissingLimits } from '#db/connections/postgres.ts';
import { MigrationBlockedError } from '#db/migrating/migration-lock.ts';
import { resetFutureTimes } from '#db/queries/clock.ts';
import { withRetries } from '#db/retry.ts';
import { isTimeout, isServerUnavailable, isReadOnly } from '#db/sql-state.ts';
import type { Core } from '#server/core.ts';
import type { Services } from '#server/features/services.ts';
import type { OpenDatabase } from '../database.ts';
import { listFeatures } from '../features/call-features.ts';
import { storeEncryptionKey, verifyEncryptionKey } from '../features/setup/encryption-key.ts';
import { type Config, ConfigError, loadConfig } from '../platform/settings/config.ts';
import { describeListeningAddress } from '../platform/settings/listening-address.ts';
import {
  explainDatabaseFailure,
  explainedBy,
  explainListenFailure,
  explainMissingLimits,
} from '../platform/settings/start-failure.ts';
import { explainUnknownSettings } from '../platform/settings/unknown-settings.ts';
import type { Monitoring } from './monitoring/monitoring.ts';
import { printMessage } from './print-message.ts';

const CLOCK_CHECK_MS = 5 * MINUTE_MS;

export function readConfig(): Config {
  for (const problem of explainUnknownSettings(process.env, '.env')) printMessage(problem);
  try {
    const config = loadConfig(process.env);
    listFeatures(config);
    return config;
  } catch (error) {
    if (error instanceof ConfigError) printMessage(error.message);
    else console.error(error);
    process.exit(1);
  }
}

/** Resolves to undefined if Prometheus is not configured. */
export async function startMonitoring(
  app: Pick<Core, 'config' | 'log' | 'lifecycle'> & { database: OpenDatabase },
): Promise<Monitoring | undefined> {
  const { PROMETHEUS_HOST: host, PROMETHEUS_PORT: port } = app.config;
  if (port === undefined) return undefined;
  // Loaded only if needed, to save time and memory.
  const { createMonitoring } = await import('./monitoring/monitoring.ts');
  const monitoring = createMonitoring(app);
  const listening = await monitoring
    .listen({ host, port })
    .catch(
      explainedBy((error) => explainListenFailure(error, { host, port, prefix: 'PROMETHEUS_' })),
    );
  printMessage(
    `Prometheus finds metrics at ${describeListeningAddress(listening).address}/metrics.`,
  );
  return monitoring;
}

/** Before the database is created, so that a first start in vain leaves nothing behind. */
export async function assertPortIsFree({ PORT: port, HOST: host }: Config): Promise<void> {
  const server = createServer().listen({ port, host });
  await once(server, 'listening').catch(
    explainedBy((error) => explainListenFailure(error, { host, port })),
  );
  server.close();
}

export async function listen({ config, server }: Services): Promise<AddressInfo> {
  const { PORT: port, HOST: host } = config;
  await server
    .listen({ port, host, listenTextResolver: () => 'listening' })
    .catch(explainedBy((error) => explainListenFailure(error, { host, port })));
  return server.server.address() as AddressInfo;
}

/** Migrates and opens the job queue. Waits while the database is unreachable, read-only or busy. */
export async function prepareDatabase(
  app: Services,
  { isEmbedded, migrate, readDb }: OpenDatabase,
): Promise<void> {
  const { config, db, jobs, log, mailServers } = app;
  const attempt = async () => {
    if (!isEmbedded) await assertOwnSessions(db, readDb);
    // First, so that a refused start leaves the database as it was.
    await verifyEncryptionKey(app);
    await migrate();
    await storeEncryptionKey(app);
    await mailServers.refresh();
    await jobs.open();
    await repairTimes({ db, log });
    for (const { onStart } of app.features.list) await onStart?.(app);
  };
  await retryUntilDatabaseReady(attempt, { config, logger: log, onWait: printMessage }).catch(
    explainedBy((error) => explainDatabaseFailure(error, config)),
  );
  if (config.REPLACE_ENCRYPTION_KEY === 'true' && app.secretBox)
    printMessage(
      'The database belongs to this key now. Remove REPLACE_ENCRYPTION_KEY: it lets any other key in.',
    );
  if (isEmbedded) return;
  // Without time limits, a statement may finish long after its request has failed. If they cannot
  // be read, the server starts anyway.
  const missing = await findMissingLimits(db).catch(() => []);
  if (missing.length === 0) return;
  log.warn({ missing }, 'statements have no time limits');
  printMessage(explainMissingLimits(missing));
}

/** Jobs cannot do it: they do not run while their times are in the future. */
export function watchClock(app: Pick<Core, 'db' | 'log'>): Disposable {
  return setInterval(() => {
    repairTimes(app).catch((err: unknown) => app.log.error({ err }, 'times were not reset'));
  }, CLOCK_CHECK_MS);
}

async function repairTimes({ db, log }: Pick<Core, 'db' | 'log'>): Promise<void> {
  if (await resetFutureTimes(db))
    log.warn('the clock was ahead: stored times in the future are reset');
}

/** Keeps responding until load balancers have noticed that `/readyz` fails. */
export async function drain(config: Config, lifecycle: Core['lifecycle']): Promise<void> {
  if (!lifecycle.isReady) return;
  lifecycle.isReady = false;
  await sleep(config.SHUTDOWN_DELAY_SECONDS * 1_000);
}

const MAX_RETRY_MS = 30_000;

/**
 * Retries `attempt` while the database is unreachable, read-only or busy. Throws any other error.
 * `onWait` gets a message for the operator before each pause.
 */
export function retryUntilDatabaseReady(
  attempt: () => Promise<void>,
  {
    config,
    logger,
    onWait,
  }: { config: Config; logger: Pick<Logger, 'warn'>; onWait: (message: string) => void },
): Promise<void> {
  return withRetries(attempt, {
    maxAttempts: Infinity,
    delayMs: (failed) => Math.min(1_000 * 2 ** (failed - 1), MAX_RETRY_MS),
    isRetryable: (error) =>
      [isServerUnavailable, isReadOnly, isTimeout].some((matches) => matches(error)) ||
      error instanceof MigrationBlockedError,
    onRetry: ({ error, delayMs }) => {
      const problem = explainDatabaseFailure(error, config) ?? 'The database is busy.';
      logger.warn({ problem }, 'the database cannot be used yet');
      onWait(`${problem} Retrying in ${delayMs / 1_000} s.`);
    },
  });
}
