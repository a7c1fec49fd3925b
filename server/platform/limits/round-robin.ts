/** Queues by key, such as accounts. The order of the map is the order of turns. */
export class RoundRobin<Item> {
  readonly #queues = new Map<string, Item[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  add(key: string, item: Item): void {
    const items = this.#queues.get(key);
    if (items) items.push(item);
    else this.#queues.set(key, [item]);
  }

  /**
   * Removes the first item whose turn it is, or with `rankOf`, the first one with the lowest rank. Keys
   * that are not ready keep their turn.
   */
  take(
    isReady: (item: Item) => boolean = () => true,
    rankOf?: (item: Item) => number,
  ): Item | undefined {
    let next: { key: string; items: Item[]; rank: number } | undefined;
    for (const [key, items] of this.#queues) {
      if (!isReady(items[0]!)) continue;
      const rank = rankOf?.(items[0]!) ?? 0;
      if (!next || rank < next.rank) next = { key, items, rank };
      if (!rankOf) break;
    }
    if (!next) return undefined;
    const { key, items } = next;
    this.#queues.delete(key);
    if (items.length > 1) this.#queues.set(key, items);
    return items.shift();
  }

  /** Removes the first item that matches and is the next of its key, which keeps its turn. */
  remove(matches: (item: Item) => boolean): Item | undefined {
    for (const [key, items] of this.#queues)
      if (matches(items[0]!)) {
        if (items.length === 1) this.#queues.delete(key);
        return items.shift();
      }
    return undefined;
  }
}
