import { loadConfig } from '../settings/config.ts';
import { openDatabase } from '../database.ts';
import { JobQueue } from '../jobs/job-queue.ts';
import { createForwarding } from '../features/forwarding/forwarding.ts';
import { createLogger } from './logger.ts';
import { retryUntilDatabaseReady } from './retry-until-database-ready.ts';
import { printMessage } from './print-message.ts';
import { serveInProcess } from './serve-in-process.ts';
import { createStopper } from './shutdown.ts';
import type { SupervisorMessage, WorkerMessage } from './worker-messages.ts';

// Terminals and service managers signal all processes. Only the supervisor handles signals.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

const settings = loadConfig(process.env);
const config = {
  ...settings,
  DATABASE_POOL_SIZE: Math.max(1, Math.floor(settings.DATABASE_POOL_SIZE / settings.WORKERS)),
};
const { logger, flush } = await createLogger(config.LOG_LEVEL, process.pid);
const resources = new AsyncDisposableStack();
const stop = createStopper(logger, { close: () => resources.disposeAsync(), flush });

const database = await openDatabase(config, {
  logger,
  onMessage: printMessage,
  user: { kind: 'server' },
});
resources.defer(database.close);
const jobs = new JobQueue({ url: database.url, logger });
resources.defer(() => jobs.close());
const forwarding = await createForwarding({ config, db: database.db, jobs, logger });
// Loaded only if needed, to save time and memory.
const metrics =
  config.PROMETHEUS_PORT === undefined
    ? undefined
    : (await import('./monitoring/worker-metrics.ts')).registerWorkerMetrics(database);
const serving = await serveInProcess({
  config,
  database,
  jobs,
  forwarding,
  logger,
  instruments: metrics?.instruments,
});
resources.defer(serving.close);

let listening: Promise<void> | undefined;
let isClosing = false;
process.on('message', (message: SupervisorMessage) => {
  // A worker that fails to listen gets `close` twice: on its own, and again with all workers.
  if (isClosing) return;
  isClosing = message === 'close';
  switch (message) {
    case 'listen':
      return void listen();
    case 'begin':
      return void begin().catch((error: unknown) => {
        // `close` ends connections that `begin` may still use.
        if (!isClosing) throw error;
      });
    case 'drain':
      return serving.drain();
    case 'close':
      return stop(0);
    case 'measure':
      return void metrics
        ?.read()
        .then((snapshot) => report({ kind: 'measured', metrics: snapshot }));
  }
});
report({ kind: 'started' });

function listen(): Promise<void> {
  return (listening ??= serving.listen().then(
    (address) => report({ kind: 'listening', address }),
    ({ code, message }: NodeJS.ErrnoException) => report({ kind: 'failed', code, message }),
  ));
}

/** Opens the job queue before the worker becomes ready. */
async function begin(): Promise<void> {
  // If the database is unavailable, a replacement worker listens anyway, as a starting server does.
  const onWait = () => void listen();
  const attempt = async () => {
    await jobs.open();
    await forwarding.addMissingJobs();
  };
  await retryUntilDatabaseReady(attempt, { config, logger, onWait });
  await listen();
  await serving.begin();
  report({ kind: 'ready' });
}

function report(message: WorkerMessage): void {
  // Ignores send errors: the supervisor is gone then, and `cluster` ends this process.
  process.send?.(message, undefined, undefined, () => {});
}
