import cluster, { type Worker } from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { SupervisorMessage, WorkerMessage } from './worker-messages.ts';
import type { ServerProcess } from './serve-in-process.ts';

/** A worker that exits sooner counts as failed. */
const MIN_UPTIME_MS = 60_000;
/** Delay before the second restart of a failing worker. Doubles with each later restart. */
const RESTART_DELAY_MS = 500;
/** If one worker fails this many times in a row, all workers stop. */
const MAX_FAILURES = 5;

interface Exit {
  code: number | null;
  signal: string | null;
}

/**
 * Runs `count` worker processes on one port and restarts a worker that exits: at once, then with
 * growing delays. Calls `onFailure` when restarting does not help.
 */
export function serveWithWorkers({
  count,
  env,
  logger,
  onFailure,
}: {
  count: number;
  env: Record<string, string>;
  logger: Logger;
  onFailure: (message: string) => void;
}): ServerProcess {
  const listeners = new Set<Worker>();
  const ready = new Set<Worker>();
  const listening = Promise.withResolvers<AddressInfo>();
  const allReady = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let message: SupervisorMessage = 'listen';
  let runningWorkers: Promise<boolean>[] = [];

  function sendToAll(next: SupervisorMessage): void {
    message = next;
    for (const worker of listeners) send(worker, next);
  }

  function onReport(worker: Worker, report: WorkerMessage): void {
    switch (report.kind) {
      case 'started':
        listeners.add(worker);
        return send(worker, message);
      case 'listening':
        return listening.resolve(report.address);
      case 'ready':
        ready.add(worker);
        if (ready.size === count) allReady.resolve();
        return;
      case 'failed':
        logger.error({ problem: report.message }, 'a worker cannot listen');
        send(worker, 'close');
        listening.reject(Object.assign(new Error(report.message), { code: report.code }));
    }
  }

  async function runWorker() {
    const worker = cluster.fork(env);
    worker.on('message', (report: WorkerMessage) => onReport(worker, report));
    // Node's own messages to an exiting worker can fail. The worker's `exit` event follows.
    worker.on('error', (error) => logger.debug({ err: error }, 'a worker cannot be reached'));
    const status = await new Promise<Exit>((resolve) =>
      worker.once('exit', (code, signal) => resolve({ code, signal })),
    );
    const hadStarted = listeners.delete(worker);
    ready.delete(worker);
    return { hadStarted, exit: { pid: worker.process.pid, ...status } };
  }

  /**
   * Restarts one worker until all stop. Resolves to false if it did not stop cleanly on shutdown.
   */
  async function keepRunning(): Promise<boolean> {
    for (let failures = 0; ;) {
      const startedAt = performance.now();
      const { hadStarted, exit } = await runWorker();
      if (stopping.signal.aborted) {
        // `close` or a signal killed a worker that was still starting.
        if (exit.code === 0 || !hadStarted) return true;
        logger.error(exit, 'a worker did not stop cleanly');
        return false;
      }
      failures = performance.now() - startedAt < MIN_UPTIME_MS ? failures + 1 : 0;
      if (failures === MAX_FAILURES) {
        logger.fatal(exit, 'a worker keeps failing');
        onFailure(
          `A worker failed ${MAX_FAILURES} times in a row, so the server stops. See the log for the reason.`,
        );
        return true;
      }
      logger.error(exit, 'a worker exited and is restarted');
      if (failures > 1)
        await sleep(RESTART_DELAY_MS * 2 ** (failures - 2), undefined, stopping).catch(
          () => undefined,
        );
      if (stopping.signal.aborted) return true;
    }
  }

  return {
    listen: () => {
      cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.ts', import.meta.url)) });
      runningWorkers = Array.from({ length: count }, keepRunning);
      return listening.promise;
    },
    begin: () => {
      sendToAll('begin');
      return allReady.promise;
    },
    drain: () => {
      stopping.abort();
      sendToAll('drain');
    },
    close: async () => {
      stopping.abort();
      sendToAll('close');
      // On a busy machine, starting a worker can take longer than a shutdown may take.
      for (const worker of Object.values(cluster.workers ?? {}))
        if (worker && !listeners.has(worker)) worker.process.kill('SIGKILL');
      if ((await Promise.all(runningWorkers)).includes(false))
        throw new Error('a worker did not stop cleanly');
    },
  };
}

function send(worker: Worker, message: SupervisorMessage): void {
  worker.send(message, () => {});
}
