import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Card } from '#page/card/card.ts';
import { FairQueue } from '#server/platform/limits/fair-queue.ts';

/** Applies separately to waiting in the queue and to drawing. */
const TIMEOUT_MS = 30_000;
/** An idle worker uses about 80 MB, so it stops after this time. */
const IDLE_MS = 60_000;

/** Draws one card at a time. Sites take turns. */
const drawQueue = new FairQueue({
  gate: 'pictures',
  maxRunning: 1,
  maxWaiting: 100,
  waitTimeoutMs: TIMEOUT_MS,
});

let worker: Worker | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/** Uses a worker thread: the renderer is slow to load and processes untrusted text. */
export function drawCard(card: Card): Promise<Buffer> {
  return drawQueue.run(card.name, async () => {
    clearTimeout(idleTimer);
    worker ??= startWorker();
    const current = worker;
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      current.postMessage(card);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const [picture] = (await once(current, 'message', { signal })) as [Uint8Array];
      idleTimer = setTimeout(() => stopWorker(current), IDLE_MS).unref();
      return Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
    } catch (error) {
      stopWorker(current);
      throw error;
    }
  });
}

function startWorker(): Worker {
  const newWorker = new Worker(new URL('../../../../page/card/card-worker.ts', import.meta.url));
  newWorker.unref();
  // Needed even when no card is pending: an unhandled error event ends the process.
  newWorker.on('error', () => stopWorker(newWorker));
  return newWorker;
}

function stopWorker(stopped: Worker): void {
  void stopped.terminate();
  // Another one may have replaced it.
  if (worker === stopped) worker = undefined;
}
