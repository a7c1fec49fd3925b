import { loadConfig } from '../settings/config.ts';
import { openDatabase } from '../database.ts';
import { JobQueue } from '../jobs/job-queue.ts';
import { createForwarding } from '../features/forwarding/forwarding.ts';
import { createLogger } from './logger.ts';
import { retryUntilDatabase } from './retry-until-database.ts';
import { say } from './say.ts';
import { serveHere } from './serving.ts';
import { closeOnce } from './shutdown.ts';
import type { IpcMessage, Report } from './ipc.ts';

// A terminal and a service manager send their signals to all processes: the supervisor alone hears them.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

const all = loadConfig(process.env);
const config = {
  ...all,
  DATABASE_POOL_SIZE: Math.max(1, Math.floor(all.DATABASE_POOL_SIZE / all.WORKERS)),
};
const { logger, flush } = await createLogger(config.LOG_LEVEL, process.pid);
const open = new AsyncDisposableStack();
const stop = closeOnce(logger, { close: () => open.disposeAsync(), flush });

const database = await openDatabase(config, { logger, say, user: { kind: 'server' } });
open.defer(database.close);
const jobs = new JobQueue({ url: database.url, logger });
open.defer(() => jobs.close());
const forwarding = await createForwarding({ config, db: database.db, jobs, logger });
// Nobody else waits for it and has its memory.
const measured =
  config.PROMETHEUS_PORT === undefined
    ? undefined
    : (await import('./monitoring/worker-metrics.ts')).measureWorker(database);
const serving = await serveHere({
  config,
  database,
  jobs,
  forwarding,
  logger,
  instruments: measured?.instruments,
});
open.defer(serving.close);

let listening: Promise<void> | undefined;
let closing = false;
process.on('message', (message: IpcMessage) => {
  // One that cannot listen is told to end twice: alone, and with all.
  if (closing) return;
  closing = message === 'close';
  switch (message) {
    case 'listen':
      return void listen();
    case 'begin':
      return void begin().catch((error: unknown) => {
        // Stopping closes connections that `begin` may still use.
        if (!closing) throw error;
      });
    case 'drain':
      return serving.drain();
    case 'close':
      return stop(0);
    case 'measure':
      return void measured?.read().then((metrics) => report({ kind: 'measured', metrics }));
  }
});
report({ kind: 'started' });

function listen(): Promise<void> {
  return (listening ??= serving.listen().then(
    (address) => report({ kind: 'listening', address }),
    ({ code, message }: NodeJS.ErrnoException) => report({ kind: 'failed', code, message }),
  ));
}

/** Jobs can be written before the first request comes that needs one. */
async function begin(): Promise<void> {
  // While the database is away, a replacement worker already responds, like a server that is starting.
  const onWait = () => void listen();
  const attempt = async () => {
    await jobs.open();
    await forwarding.requeue();
  };
  await retryUntilDatabase(attempt, { config, logger, onWait });
  await listen();
  await serving.begin();
  report({ kind: 'ready' });
}

function report(what: Report): void {
  // If the supervisor is gone, sending fails, and Node ends this process when the channel closes.
  process.send?.(what, undefined, undefined, () => {});
}
