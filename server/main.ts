import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../package.json' with { type: 'json' };
import { findMissingColumns } from '#db/migrating/missing-columns.ts';
import { assertOwnSessions } from '#db/connections/own-sessions.ts';
import { findMissingLimits } from '#db/connections/time-limits.ts';
import { type Config, ConfigError, loadConfig } from './settings/config.ts';
import { openDatabase } from './database.ts';
import {
  explainDatabaseFailure,
  exposedSettingsWarning,
  explainListenFailure,
  explainMissingColumns,
  explainMissingLimits,
} from './settings/start-failure.ts';
import { getLoginHints, createFirstLogin } from './process/first-start.ts';
import { JobQueue } from './jobs/job-queue.ts';
import { createForwarding } from './features/forwarding/forwarding.ts';
import { toBrowsableOrigin, describeListeningAddress } from './settings/listening-address.ts';
import { createLogger } from './process/logger.ts';
import type { Monitoring } from './process/monitoring/monitoring.ts';
import { retryUntilDatabaseReady } from './process/retry-until-database-ready.ts';
import { printError, printMessage } from './process/print-message.ts';
import { createNameplateServer } from './process/create-server.ts';
import { closeOnSignal } from './process/shutdown.ts';

const config = readConfig();
const { logger, flush } = await createLogger(config.LOG_LEVEL);
const resources = new AsyncDisposableStack();
let isReady = false;
logger.info({ version: packageJson.version, node: process.version }, 'starting');
const stop = closeOnSignal(logger, { drain, close: () => resources.disposeAsync(), flush });

const database = await openDatabase(config, {
  logger,
  onMessage: printMessage,
  user: { kind: 'server' },
}).catch((error: unknown) => fail(explainDatabaseFailure(error, config), error));
resources.defer(database.close);
const { db, dataDir, url } = database;
const jobs = new JobQueue({ url, logger });
resources.defer(() => jobs.close());
const forwarding = await createForwarding({ config, db, jobs, logger });
const monitoring = await startMonitoring();
const server = await createNameplateServer({
  config,
  database,
  jobs,
  forwarding,
  logger,
  isReady: () => isReady,
  instruments: monitoring?.instruments,
});
resources.defer(async () => {
  isReady = false;
  await server.close();
});
// With the embedded database, migrate before listening. With `DATABASE_URL`, listen first, so that
// `/healthz` works even while the database is unreachable.
if (dataDir !== undefined) await prepare();
const { address, otherAddressesNote } = describeListeningAddress(
  await server
    .listen()
    .catch((error: unknown) =>
      fail(explainListenFailure(error, { host: config.HOST, port: config.PORT }), error),
    ),
);
const baseUrl = config.PUBLIC_URL ?? toBrowsableOrigin(address);
database.announceAddress(baseUrl);
if (dataDir === undefined) await prepare();
printMessage(
  `Nameplate listens on ${address}${otherAddressesNote} and keeps its data in ${database.description}.`,
  `The API reference is at ${toBrowsableOrigin(address)}/docs.`,
);
if (dataDir === undefined) await warnOfMissingTimeLimits();
isReady = true;
logger.info('ready');
const firstLoginLines =
  dataDir !== undefined &&
  (await createFirstLogin(db, {
    ...{ folder: dataDir, url: address, linkBaseUrl: baseUrl, settings: config },
  }));
// A failed hint must not fail the start.
const hints = firstLoginLines || (await getLoginHints(db, config).catch(() => undefined));
if (hints) printMessage(...hints);
const exposedWarning = exposedSettingsWarning('.env');
if (exposedWarning) printMessage(exposedWarning);
printMessage('Ready. Ctrl-C stops it.');

async function startMonitoring(): Promise<Monitoring | undefined> {
  const { PROMETHEUS_HOST: host, PROMETHEUS_PORT: port } = config;
  if (port === undefined) return undefined;
  // Loaded only if needed, to save time and memory.
  const { createMonitoring } = await import('./process/monitoring/monitoring.ts');
  const created = createMonitoring({ database, logger, isReady: () => isReady });
  const listening = await created
    .listen({ host, port })
    .catch((error: unknown) =>
      fail(explainListenFailure(error, { host, port, prefix: 'PROMETHEUS_' }), error),
    );
  resources.defer(created.close);
  printMessage(
    `Prometheus finds metrics at ${describeListeningAddress(listening).address}/metrics.`,
  );
  return created;
}

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    printError(error instanceof ConfigError ? error.message : undefined, error);
    process.exit(1);
  }
}

/** Keeps responding until load balancers have noticed that `/readyz` fails. */
async function drain(): Promise<void> {
  if (!isReady) return;
  isReady = false;
  await sleep(config.SHUTDOWN_DELAY_SECONDS * 1_000);
}

function prepare(): Promise<void> {
  const attempt = async () => {
    if (dataDir === undefined) await assertOwnSessions(db, database.readDb);
    await database.migrate();
    await warnOfMissingColumns();
    await jobs.open();
    await forwarding.addMissingJobs();
  };
  return retryUntilDatabaseReady(attempt, { config, logger, onWait: printMessage }).catch(
    (error: unknown) => fail(explainDatabaseFailure(error, config), error),
  );
}

async function warnOfMissingColumns(): Promise<void> {
  const missing = await findMissingColumns(db);
  if (missing.length === 0) return;
  logger.warn({ missing }, 'database columns are missing');
  const { problem, fix } = explainMissingColumns(missing);
  printMessage(`${problem} ${fix}`);
}

/** Without time limits, a statement may finish long after its request has failed. */
async function warnOfMissingTimeLimits(): Promise<void> {
  // A failed hint must not fail the start.
  const missing = await findMissingLimits(db).catch(() => []);
  if (missing.length === 0) return;
  logger.warn({ missing }, 'statements have no time limits');
  const { problem, fix } = explainMissingLimits(missing);
  printMessage(`${problem} ${fix}`);
}

function fail(message: string | undefined, error: unknown): Promise<never> {
  printError(message, error);
  logger.debug({ err: error }, 'the start failed');
  stop(1);
  return new Promise(() => {});
}
