import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { Artist } from './artist.ts';
import type { Card } from './card.ts';

const artist = new Artist();

// An error ends the thread; the next card gets another.
for await (const [card] of on(parentPort!, 'message') as AsyncIterable<[Card]>)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort!.postMessage(await artist.draw(card));
