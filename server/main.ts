import { setFlagsFromString } from 'node:v8';
import type { Core } from '#server/core.ts';
import packageJson from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { openServerDatabase } from './database.ts';
import {
  explainDatabaseFailure,
  explainedBy,
  StartError,
} from './platform/settings/start-failure.ts';
import { registerJobs } from './process/jobs.ts';
import { createLogger } from './process/logger.ts';
import { printError, printMessage } from './process/print-message.ts';
import { returnMemory } from './process/return-memory.ts';
import { closeOnSignal } from './process/shutdown.ts';
import {
  assertPortIsFree,
  drain,
  listen,
  prepareDatabase,
  readConfig,
  startMonitoring,
  watchClock,
} from './process/start.ts';
import { printWelcome } from './process/welcome.ts';

// Collects garbage before the heap grows by more than half: up to 100 MB less memory under load. Set
// here because Node refuses unknown options on its command line.
setFlagsFromString('--heap-growing-percent=50');
const config = readConfig();
const { logger: log, flush } = await createLogger(config.LOG_LEVEL);
const lifecycle: Core['lifecycle'] = { isReady: false };
const resources = new AsyncDisposableStack();
log.info({ version: packageJson.version, node: process.version }, 'starting');
const stop = closeOnSignal(log, {
  drain: () => drain(config, lifecycle),
  close: () => resources.disposeAsync(),
  flush,
});
try {
  await assertPortIsFree(config);
  const database = await openServerDatabase(config, {
    logger: log,
    onMessage: printMessage,
    findAddress: () => lifecycle.address,
  }).catch(explainedBy((error) => explainDatabaseFailure(error, config)));
  resources.defer(database.close);
  const monitoring = await startMonitoring({ config, log, database, lifecycle });
  if (monitoring) resources.defer(monitoring.close);
  const { instruments } = monitoring ?? {};
  const app = await createApp({ config, log, database }, { instruments, lifecycle });
  resources.defer(app.close);
  registerJobs(app);
  if (database.isEmbedded) await prepareDatabase(app, database);
  lifecycle.isFirstKeyPending = database.isEmbedded;
  const address = await listen(app);
  lifecycle.address = app.origin();
  // `/healthz` already answers while this waits for the database.
  if (!database.isEmbedded) await prepareDatabase(app, database);
  resources.use(watchClock(app));
  await printWelcome(app, database, address);
  lifecycle.isFirstKeyPending = false;
  resources.defer(returnMemory());
  lifecycle.isReady = true;
  log.info('ready');
} catch (error) {
  log.debug({ err: error instanceof StartError ? error.cause : error }, 'the start failed');
  // A signal during the start closes what the next steps need.
  if (!resources.disposed) {
    printError(error);
    stop(1);
  }
}
