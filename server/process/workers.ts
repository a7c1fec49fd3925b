import cluster, { type Worker } from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { IpcMessage, Report } from './ipc.ts';
import type { Serving } from './serving.ts';

/** A worker that ends earlier counts as one that cannot run. */
const STEADY_MS = 60_000;
/** Before the second replacement of such a worker; twice as long before each one more. */
const DELAY_MS = 500;
/** Number of such ends of one worker after which all of them are ended. */
const MAX_ENDS = 5;

interface Exit {
  code: number | null;
  signal: string | null;
}

/**
 * Lets `count` worker processes answer requests on one port, and replaces one that ends: at once, then
 * later and later; `onFailure` is told when that does not help. `env` is what their environment has
 * beside this one's.
 */
export function serveByWorkers({
  count,
  env,
  logger,
  onFailure,
}: {
  count: number;
  env: Record<string, string>;
  logger: Logger;
  onFailure: (sentence: string) => void;
}): Serving {
  const listeners = new Set<Worker>();
  const ready = new Set<Worker>();
  const listening = Promise.withResolvers<AddressInfo>();
  const allReady = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let message: IpcMessage = 'listen';
  let kept: Promise<boolean>[] = [];

  function tellAll(next: IpcMessage): void {
    message = next;
    for (const worker of listeners) tell(worker, next);
  }

  function hear(worker: Worker, report: Report): void {
    switch (report.kind) {
      case 'started':
        listeners.add(worker);
        return tell(worker, message);
      case 'listening':
        return listening.resolve(report.address);
      case 'ready':
        ready.add(worker);
        if (ready.size === count) allReady.resolve();
        return;
      case 'failed':
        logger.error({ problem: report.message }, 'a worker cannot listen');
        tell(worker, 'close');
        listening.reject(Object.assign(new Error(report.message), { code: report.code }));
    }
  }

  /** Starts a worker, and waits until it has ended. */
  async function live() {
    const worker = cluster.fork(env);
    worker.on('message', (report: Report) => hear(worker, report));
    // Node's own message to a worker that ends just now fails; its exit follows.
    worker.on('error', (error) => logger.debug({ err: error }, 'a worker cannot be reached'));
    const exit = await new Promise<Exit>((resolve) =>
      worker.once('exit', (code, signal) => resolve({ code, signal })),
    );
    const hadStarted = listeners.delete(worker);
    ready.delete(worker);
    return { hadStarted, ended: { pid: worker.process.pid, ...exit } };
  }

  /** Keeps one worker there until all stop; whether the last of them did so as it should. */
  async function keep(): Promise<boolean> {
    for (let ends = 0; ;) {
      const began = performance.now();
      const { hadStarted, ended } = await live();
      if (stopping.signal.aborted) {
        // A worker that is still starting is ended by `close`, or by a signal to all processes.
        if (ended.code === 0 || !hadStarted) return true;
        logger.error(ended, 'a worker did not end as it should');
        return false;
      }
      ends = performance.now() - began < STEADY_MS ? ends + 1 : 0;
      if (ends === MAX_ENDS) {
        logger.fatal(ended, 'workers end as soon as they are started');
        onFailure(
          `A worker was started ${MAX_ENDS} times, and ended each time; the log may say why. So the server ends.`,
        );
        return true;
      }
      logger.error(ended, 'a worker ended and is replaced');
      if (ends > 1)
        await sleep(DELAY_MS * 2 ** (ends - 2), undefined, stopping).catch(() => undefined);
      if (stopping.signal.aborted) return true;
    }
  }

  return {
    listen: () => {
      cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.ts', import.meta.url)) });
      kept = Array.from({ length: count }, keep);
      return listening.promise;
    },
    begin: () => {
      tellAll('begin');
      return allReady.promise;
    },
    drain: () => {
      stopping.abort();
      tellAll('drain');
    },
    close: async () => {
      stopping.abort();
      tellAll('close');
      // On a busy machine a worker can take longer to start than a stop may take.
      for (const worker of Object.values(cluster.workers ?? {}))
        if (worker && !listeners.has(worker)) worker.process.kill('SIGKILL');
      if ((await Promise.all(kept)).includes(false)) throw new Error('a worker did not end well');
    },
  };
}

function tell(worker: Worker, message: IpcMessage): void {
  // One that ends just now needs to hear nothing.
  worker.send(message, () => {});
}
