import { setTimeout as sleep } from 'node:timers/promises';
import { overloadedRefusal } from './call-result.ts';

/** A call that starts after this fraction of the timeout might not finish in time. */
export const LATEST_START_FRACTION = 0.6;
/** Waits for limits that the database counts, because its clock may be behind ours. */
const CLOCK_SKEW_MARGIN_MS = 50;

export interface Deadline {
  /** No call may start after this. */
  tooLateToStart: AbortSignal;
  /** Aborts a call that has not finished in time. */
  callSignal: AbortSignal;
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
  const tooLateToStart = AbortSignal.any([closing, AbortSignal.timeout(startTimeoutMs)]);
  return {
    tooLateToStart,
    callSignal: AbortSignal.any([abortCalls, AbortSignal.timeout(timeoutMs)]),
    wait: async (seconds) => {
      const waitMs = seconds * 1_000 + CLOCK_SKEW_MARGIN_MS;
      if (performance.now() + waitMs >= latestStartTime) return false;
      await sleep(waitMs, undefined, { signal: tooLateToStart }).catch(() => {
        throw overloadedRefusal();
      });
      return true;
    },
  };
}
