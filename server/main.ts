import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../package.json' with { type: 'json' };
import { findMissingColumns } from '#db/migrating/missing-columns.ts';
import { assertOwnSessions } from '#db/connections/own-sessions.ts';
import { findMissingLimits } from '#db/connections/time-limits.ts';
import { type Config, ConfigError, loadConfig } from './settings/config.ts';
import { openDatabase } from './database.ts';
import {
  explainDatabaseFailure,
  explainExposedSettings,
  explainListenFailure,
  explainMissingColumns,
  explainMissingLimits,
} from './settings/start-failure.ts';
import { describeLogin, introduce } from './process/first-start.ts';
import { JobQueue } from './jobs/job-queue.ts';
import { createForwarding } from './features/forwarding/forwarding.ts';
import { linkAddress, listeningAddress } from './settings/listening-address.ts';
import { createLogger } from './process/logger.ts';
import type { Monitoring } from './process/monitoring/monitoring.ts';
import { retryUntilDatabase } from './process/retry-until-database.ts';
import { explain, say } from './process/say.ts';
import type { Serving } from './process/serving.ts';
import { findEncryptionKey } from './secret-box.ts';
import { closeOnSignal } from './process/shutdown.ts';
import { serveByWorkers } from './process/workers.ts';

const config = readConfig();
const { logger, flush } = await createLogger(config.LOG_LEVEL);
/** Resources that are open, closed in the opposite order. */
const open = new AsyncDisposableStack();
let ready = false;
logger.info({ version: packageJson.version, node: process.version }, 'starting');
const stop = closeOnSignal(logger, { drain, close: () => open.disposeAsync(), flush });

const database = await openDatabase(config, { logger, say, user: { kind: 'server' } }).catch(
  (error: unknown) => fail(explainDatabaseFailure(error, config), error),
);
open.defer(database.close);
const { db, folder, url } = database;
const jobs = new JobQueue({ url, logger });
open.defer(() => jobs.close());
const forwarding = await createForwarding({ config, db, jobs, logger });
const monitoring = await startMonitoring();
const serving: Serving =
  config.WORKERS === 1
    ? await (
        await import('./process/serving.ts')
      ).serveHere({
        config,
        database,
        jobs,
        forwarding,
        logger,
        instruments: monitoring?.instruments,
      })
    : serveByWorkers({
        count: config.WORKERS,
        env: await environmentOfWorkers(),
        logger,
        onFailure: (sentence) => void fail(sentence, undefined),
      });
open.defer(serving.close);
// A PostgreSQL server may be out of reach for a while; meanwhile the port answers.
if (folder !== undefined) await prepare();
const { address, others } = listeningAddress(
  await serving
    .listen()
    .catch((error: unknown) =>
      fail(explainListenFailure(error, { host: config.HOST, port: config.PORT }), error),
    ),
);
const found = config.PUBLIC_URL ?? linkAddress(address);
database.announce(found);
if (folder === undefined) await prepare();
say(
  `Nameplate listens on ${address}${others} and keeps its data in ${database.place}.`,
  `The API reference is at ${linkAddress(address)}/docs.`,
);
if (folder === undefined) await tellMissingLimits();
await serving.begin();
ready = true;
logger.info('ready');
const first = folder !== undefined && (await introduce(db, { folder, url: address, links: found }));
// A start does not fail for the sake of a hint.
const hints = first || (await describeLogin(db).catch(() => undefined));
if (hints) say(...hints);
const exposed = explainExposedSettings('.env');
if (exposed) say(exposed);
say('Ready. Ctrl-C stops it.');

/** Settings that workers cannot find themselves, since they know nothing of the data folder. */
async function environmentOfWorkers(): Promise<Record<string, string>> {
  if (folder === undefined) return {};
  const key = await findEncryptionKey(config, folder);
  return { DATABASE_URL: url, ...(key !== undefined && { ENCRYPTION_KEY: key }) };
}

/** Measures and serves metrics, if the settings name a port for them. */
async function startMonitoring(): Promise<Monitoring | undefined> {
  const { PROMETHEUS_HOST: host, PROMETHEUS_PORT: port } = config;
  if (port === undefined) return undefined;
  // Nobody else waits for it and has its memory.
  const { createMonitoring } = await import('./process/monitoring/monitoring.ts');
  const created = createMonitoring({
    database,
    logger,
    isReady: () => ready,
    byWorkers: config.WORKERS > 1,
  });
  const listening = await created
    .listen({ host, port })
    .catch((error: unknown) =>
      fail(explainListenFailure(error, { host, port, prefix: 'PROMETHEUS_' }), error),
    );
  open.defer(created.close);
  say(`Prometheus finds metrics at ${listeningAddress(listening).address}/metrics.`);
  return created;
}

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    explain(error instanceof ConfigError ? error.message : undefined, error);
    process.exit(1);
  }
}

/** Goes on answering while those who send requests here notice that the server is not ready any more. */
async function drain(): Promise<void> {
  if (!ready) return;
  ready = false;
  serving.drain();
  await sleep(config.SHUTDOWN_DELAY_SECONDS * 1_000);
}

/** Migrates the database and opens the job queue. Retries while PostgreSQL is not ready. */
function prepare(): Promise<void> {
  const attempt = async () => {
    if (folder === undefined) await assertOwnSessions(db, database.reads);
    await database.migrate();
    await warnOfMissingColumns();
    await jobs.open();
    // With several workers, they run the jobs, and this process does not.
    if (config.WORKERS === 1) await forwarding.requeue();
  };
  return retryUntilDatabase(attempt, { config, logger, onWait: say }).catch((error: unknown) =>
    fail(explainDatabaseFailure(error, config), error),
  );
}

async function warnOfMissingColumns(): Promise<void> {
  const missing = await findMissingColumns(db);
  if (missing.length === 0) return;
  logger.warn({ missing }, 'the database lacks columns');
  const { problem, fix } = explainMissingColumns(missing);
  say(`${problem} ${fix}`);
}

/** Without time limits a request fails after a while, and what it asked for may be done later. */
async function tellMissingLimits(): Promise<void> {
  // A start does not fail for the sake of a hint.
  const missing = await findMissingLimits(db).catch(() => []);
  if (missing.length === 0) return;
  logger.warn({ missing }, 'statements have no time limits');
  const { problem, fix } = explainMissingLimits(missing);
  say(`${problem} ${fix}`);
}

/** Ends the process and says why. */
function fail(sentence: string | undefined, error: unknown): Promise<never> {
  explain(sentence, error);
  logger.debug({ err: error }, 'the start failed');
  stop(1);
  return new Promise(() => {});
}
