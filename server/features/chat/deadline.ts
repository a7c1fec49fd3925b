import { setTimeout as sleep } from 'node:timers/promises';
import { overloadedRefusal } from './call-result.ts';

/** A call that starts after this fraction of the timeout might not finish in time. */
export const LATEST_START_FRACTION = 0.6;
/** Limits of the account end according to the database's clock, which may be behind ours. */
const CLOCK_SKEW_MARGIN_MS = 50;

export interface Deadline {
  startSignal: AbortSignal;
  endSignal: AbortSignal;
  /**
   * Resolves to false at once if the wait would leave no time for a call. Throws if the server
   * stops.
   */
  wait: (seconds: number) => Promise<boolean>;
}

/**
 * When the server stops, `closing` prevents new calls. Later, `abortCalls` aborts in-flight calls.
 */
export function startDeadline(
  timeoutMs: number,
  { closing, abortCalls }: { closing: AbortSignal; abortCalls: AbortSignal },
): Deadline {
  const startTimeoutMs = timeoutMs * LATEST_START_FRACTION;
  const latestStartTime = performance.now() + startTimeoutMs;
  const startSignal = AbortSignal.any([closing, AbortSignal.timeout(startTimeoutMs)]);
  return {
    startSignal,
    endSignal: AbortSignal.any([abortCalls, AbortSignal.timeout(timeoutMs)]),
    wait: async (seconds) => {
      const waitMs = seconds * 1_000 + CLOCK_SKEW_MARGIN_MS;
      if (performance.now() + waitMs >= latestStartTime) return false;
      await sleep(waitMs, undefined, { signal: startSignal }).catch(() => {
        throw overloadedRefusal();
      });
      return true;
    },
  };
}
