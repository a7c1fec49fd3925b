import { PoolExhaustedError } from '../../db/connections/postgres.ts';
import { BatchSlots } from './batch-slots.ts';

/** What is found, by what it was asked for with. */
type Found<Value> = ReadonlyMap<string, Value>;

/** How many may wait at once, in all and for one key; more are refused as overload. */
interface Bounds {
  waiting?: number;
  waitingForOne?: number;
}

const WAITING = 1_000;
/** Of keys that are accounts: one that asks for all that can wait leaves room for others. */
export const OF_ONE_ACCOUNT: Bounds = { waitingForOne: 750 };

/**
 * Asks for all together that is wanted in one turn of the event loop, or while others are being asked
 * for, for so many keys at most. What is found is told to those alone who wanted it before it was
 * asked for: nothing is remembered.
 */
export function batchLookup<Value>(
  find: (keys: string[]) => Promise<Found<Value>>,
  most: number,
  { waiting: mostWaiting = WAITING, waitingForOne = mostWaiting }: Bounds = {},
): (key: string) => Promise<Value | undefined> {
  let next: { keys: Set<string>; found: Promise<Found<Value>> } | undefined;
  const underWay = new BatchSlots();
  let waiting = 0;
  const waitingFor = new Map<string, number>();
  const begin = () => {
    const keys = new Set<string>();
    const turn = new Promise<() => void>((resolve) => setImmediate(() => underWay.enter(resolve)));
    const found = turn.then((end) => {
      if (next?.keys === keys) next = undefined;
      return find([...keys]).finally(end);
    });
    return { keys, found };
  };
  return async (key) => {
    const forKey = waitingFor.get(key) ?? 0;
    if (waiting >= mostWaiting || forKey >= waitingForOne)
      throw new PoolExhaustedError('too many look-ups');
    waiting += 1;
    waitingFor.set(key, forKey + 1);
    try {
      if (!next || next.keys.size >= most) next = begin();
      next.keys.add(key);
      return (await next.found).get(key);
    } finally {
      waiting -= 1;
      const left = waitingFor.get(key)! - 1;
      if (left > 0) waitingFor.set(key, left);
      else waitingFor.delete(key);
    }
  };
}
