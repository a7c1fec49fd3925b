import { vi } from 'vitest';

/**
 * Runs fake timers until a promise settles. It runs no further, because a server that another file
 * left in this process may set timers for as long as it stops.
 */
export async function runTimersUntil<T>(promise: Promise<T>): Promise<T> {
  let isPending = true;
  const settle = (): void => void (isPending = false);
  promise.then(settle, settle);
  while (isPending) await vi.advanceTimersToNextTimerAsync();
  return promise;
}
