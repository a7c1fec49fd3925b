/** Limits an `LRUCache`. Its option `max` would reserve the memory for all entries at once. */
export function upToEntries(count: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}
