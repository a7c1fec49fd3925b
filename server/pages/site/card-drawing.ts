import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FairQueue } from '#server/limits/fair-queue.ts';
import type { Card } from '#page/card/card.ts';

/** Time to wait for a turn and to have it, in milliseconds. */
const PATIENCE_MS = 30_000;
/** The thread ends when nothing was drawn for so long: it holds some 80 MB. */
const IDLE_MS = 60_000;

/** One is drawn at a time, for sites in turn; what waits for too long is refused. */
const turns = new FairQueue({
  gate: 'pictures',
  slots: 1,
  waiting: 100,
  patienceMs: PATIENCE_MS,
});

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/** Has a thread draw a card as a PNG: what draws takes long to load, and works on strangers' texts. */
export function drawCard(card: Card): Promise<Buffer> {
  return turns.run(card.name, async () => {
    clearTimeout(idle);
    thread ??= startThread();
    const drawing = thread;
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      drawing.postMessage(card);
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const [picture] = (await once(drawing, 'message', { signal })) as [Uint8Array];
      idle = setTimeout(endThread, IDLE_MS).unref();
      return Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
    } catch (error) {
      endThread();
      throw error;
    }
  });
}

function startThread(): Worker {
  const worker = new Worker(new URL('../../../page/card/card-worker.ts', import.meta.url));
  worker.unref();
  // Also while nobody waits for it: an error without a listener ends the process.
  worker.on('error', endThread);
  return worker;
}

function endThread(): void {
  void thread?.terminate();
  thread = undefined;
}
