import { PoolExhaustedError } from '../../db/postgres.ts';

/** What is found, by what it was asked for with. */
type Found<Value> = ReadonlyMap<string, Value>;

/** How many may wait at once; more are refused as overload. */
const WAITING = 1_000;

/**
 * Asks for all that is wanted in one turn of the event loop together, for so many keys at most. What
 * is found is told to those alone who wanted it before it was asked for: nothing is remembered.
 */
export function together<Value>(
  find: (keys: string[]) => Promise<Found<Value>>,
  most: number,
  mostWaiting = WAITING,
): (key: string) => Promise<Value | undefined> {
  let next: { keys: Set<string>; found: Promise<Found<Value>> } | undefined;
  let waiting = 0;
  const begin = () => {
    const keys = new Set<string>();
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const found = turn.then(() => {
      if (next?.keys === keys) next = undefined;
      return find([...keys]);
    });
    return { keys, found };
  };
  return async (key) => {
    if (waiting >= mostWaiting) throw new PoolExhaustedError('too many look-ups');
    waiting += 1;
    try {
      if (!next || next.keys.size >= most) next = begin();
      next.keys.add(key);
      return (await next.found).get(key);
    } finally {
      waiting -= 1;
    }
  };
}
