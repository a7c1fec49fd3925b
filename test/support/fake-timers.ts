import { onTestFinished, vi } from 'vitest';

type Faked = NonNullable<NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake']>[number];

/**
 * Fakes timers and clocks until the end of the test. `performance.now()` goes on from where it is:
 * what was cached before does not come from the future.
 */
export function fakeTimers(toFake: Faked[], now?: number | Date): void {
  // Whole, so that steps of a minute are not a fraction short.
  const startedMs = Math.ceil(performance.now());
  vi.useFakeTimers({ toFake, ...(now !== undefined && { now }) });
  onTestFinished(() => void vi.useRealTimers());
  if (toFake.includes('performance')) vi.advanceTimersByTime(startedMs);
}
