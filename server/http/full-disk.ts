import { isDiskFull } from '#db/sql-state.ts';

/** Time for which a server is not ready after the database had no room for a write, in milliseconds. */
const MEMORY_MS = 5_000;

/**
 * Remembers requests that failed because the disk of the database is full. Statements that write
 * nothing do not notice that.
 */
export class FullDisk {
  #seenAt = -Infinity;

  /** Notes why a request failed. */
  note(cause: unknown): void {
    if (isDiskFull(cause)) this.#seenAt = performance.now();
  }

  /** Whether the disk was full within the last seconds. */
  get isRecent(): boolean {
    return performance.now() - this.#seenAt < MEMORY_MS;
  }
}
