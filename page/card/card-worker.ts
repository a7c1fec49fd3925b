import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { CardRenderer } from './card-renderer.ts';
import type { Card } from './card.ts';

const renderer = new CardRenderer();

// An error ends the worker. The next card starts a new one.
for await (const [card] of on(parentPort!, 'message') as AsyncIterable<[Card]>)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort!.postMessage(await renderer.render(card));
