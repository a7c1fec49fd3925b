import type { APIPromise } from './api-promise.ts';

/** A promise of a batch of a list; `for await` goes over all entries, and fetches batches as it needs them. */
export interface ListPromise<T, Item> extends APIPromise<T>, AsyncIterable<Item> {}

/**
 * Makes a batch iterable, together with those after it.
 *
 * @param field - The field with the entries.
 * @param fetchBatch - Fetches the batch after a cursor; the first one is fetched at once.
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
  });
}
