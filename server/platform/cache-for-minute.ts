import { MINUTE_MS } from '#contract/shared/durations.ts';

/** Reads at most once a minute. A failed read is not cached. */
export function cacheForMinute<Args extends unknown[], Value>(
  read: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  let cached: { value: Promise<Value>; readAt: number } | undefined;
  return (...args) => {
    if (cached && performance.now() - cached.readAt < MINUTE_MS) return cached.value;
    const value = read(...args).catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    cached = { value, readAt: performance.now() };
    return value;
  };
}
