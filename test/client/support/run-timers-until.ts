import { vi } from 'vitest';

/**
 * Runs fake timers until a promise settles. Running them until none are left might never end,
 * because a server of another test file may keep starting new ones.
 */
export async function runTimersUntil<T>(promise: Promise<T>): Promise<T> {
  let isPending = true;
  const settle = (): void => void (isPending = false);
  promise.then(settle, settle);
  while (isPending) await vi.advanceTimersToNextTimerAsync();
  return promise;
}
