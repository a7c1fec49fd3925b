/** Queues by key, such as accounts. The order of the array is the order of turns. */
export class RoundRobin<Item> {
  readonly #queues: { key: string; items: Item[] }[] = [];

  get isEmpty(): boolean {
    return this.#queues.length === 0;
  }

  add(key: string, item: Item): void {
    const queue = this.#queues.find((candidate) => candidate.key === key);
    if (queue) queue.items.push(item);
    else this.#queues.push({ key, items: [item] });
  }

  /** Removes the first item whose turn it is. Keys that are not ready keep their turn. */
  take(isReady: (item: Item) => boolean = () => true): Item | undefined {
    const index = this.#queues.findIndex(({ items }) => isReady(items[0]!));
    if (index === -1) return undefined;
    const [queue] = this.#queues.splice(index, 1);
    const item = queue!.items.shift();
    if (queue!.items.length > 0) this.#queues.push(queue!);
    return item;
  }

  /** Removes the first item that matches and is the next of its key, which keeps its turn. */
  remove(matches: (item: Item) => boolean): Item | undefined {
    const index = this.#queues.findIndex(({ items }) => matches(items[0]!));
    if (index === -1) return undefined;
    const { items } = this.#queues[index]!;
    if (items.length === 1) this.#queues.splice(index, 1);
    return items.shift();
  }
}
