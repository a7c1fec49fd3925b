import { vi } from 'vitest';

/**
 * Runs fake timers until a promise settles, and no further: a server from another test file may
 * reset timers until it stops.
 */
export async function runTimersUntil<T>(promise: Promise<T>): Promise<T> {
  let isPending = true;
  const settle = (): void => void (isPending = false);
  promise.then(settle, settle);
  while (isPending) await vi.advanceTimersToNextTimerAsync();
  return promise;
}
