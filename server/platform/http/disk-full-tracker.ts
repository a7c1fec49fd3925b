import { isDiskFull } from '#db/sql-state.ts';

const RECENT_MS = 5_000;

/**
 * Remembers when a write failed because the database's disk was full. The readiness check writes
 * nothing, so it would not notice.
 */
export class DiskFullTracker {
  #seenAt = -Infinity;

  recordError(cause: unknown): void {
    if (isDiskFull(cause)) this.#seenAt = performance.now();
  }

  get wasFullRecently(): boolean {
    return performance.now() - this.#seenAt < RECENT_MS;
  }
}
