import type { APIPromise } from './api-promise.ts';

/** A promise of the first batch of a list. `for await` iterates over all entries and fetches batches as needed. */
export interface ListPromise<T, Item> extends APIPromise<T>, AsyncIterable<Item> {
  /** Returns the entries of all batches, or the first `limit` entries. */
  toArray(options?: { limit?: number }): Promise<Item[]>;
}

/**
 * Makes a list iterable over all its batches.
 *
 * @param field - The response field with the entries.
 * @param fetchBatch - Fetches the batch after a cursor. The first batch is fetched at once.
 */
export function listPromise<Field extends string, Item, T extends Record<Field, Item[]>>(
  field: Field,
  fetchBatch: (after?: string) => APIPromise<T & { next?: string | null }>,
): ListPromise<T, Item> {
  const first = fetchBatch();
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let batch = await first; ; batch = await fetchBatch(batch.next)) {
        yield* batch[field];
        if (!batch.next) return;
      }
    },
    async toArray({ limit = Infinity } = {}) {
      const items: Item[] = [];
      await first; // Throws its error even if `limit` is 0.
      if (limit > 0) for await (const item of this) if (items.push(item) >= limit) break;
      return items;
    },
  });
}
