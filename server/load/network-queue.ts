import { FairQueue } from './fair-queue.ts';

const PATIENCE_MS = 2_000;

/**
 * A queue for work that strangers can cause, shared by their networks. Eight run at a time, two of
 * one network while others wait; 200 wait, for two seconds by default, and networks are served in
 * turn. Work for which there is no room is refused as overload.
 */
export function networkQueue(patienceMs = PATIENCE_MS): FairQueue {
  return new FairQueue({
    places: 8,
    share: 2,
    besideOthers: 4,
    alone: 8,
    maxWaiting: 200,
    patienceMs,
  });
}
