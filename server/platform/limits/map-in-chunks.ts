import { setImmediate as nextTurn } from 'node:timers/promises';

const CHUNK_SIZE = 200;

/** For long lists: other requests run after each chunk. */
export async function mapInChunks<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % CHUNK_SIZE === CHUNK_SIZE - 1) await nextTurn();
    results.push(map(item, index));
  }
  return results;
}
