import pLimit from 'p-limit';
import { PoolExhaustedError } from '../../db/postgres.ts';

const AT_A_TIME = 8;
const WAITING = 200;
const PATIENCE_MS = 2_000;

/**
 * A queue for what anybody can make the database be asked: a few at a time, and so many that wait, for
 * two seconds at most by default. What there is no room for is refused as overload.
 */
export function fewAtATime(
  what: string,
  patienceMs = PATIENCE_MS,
): <T>(ask: () => Promise<T>) => Promise<T> {
  const oneOfFew = pLimit(AT_A_TIME);
  return async (ask) => {
    if (oneOfFew.pendingCount >= WAITING) throw new PoolExhaustedError(`too many ${what}`);
    const since = performance.now();
    return oneOfFew(() => {
      if (performance.now() - since > patienceMs)
        throw new PoolExhaustedError(`${what} take too long`);
      return ask();
    });
  };
}
