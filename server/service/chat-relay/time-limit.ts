import { setTimeout as sleep } from 'node:timers/promises';
import { overloaded } from './refusals.ts';

/** Part of the time limit after which no call is begun, because it could not end in time. */
const LAST_START = 0.6;
/** Margin after a webhook's pause ends, because the database's clock decides. */
const SLACK_MS = 50;

/** Time that one message has, with all its waiting and retrying. */
export interface TimeLimit {
  startBy: AbortSignal;
  endBy: AbortSignal;
  /** Waits if a call can still be begun after it; false at once if not. */
  wait: (seconds: number) => Promise<boolean>;
}

/** Starts the clock of a message. A server that stops begins no calls any more, and later cuts off those that run. */
export function startTimeLimit(
  milliseconds: number,
  { closing, cut }: { closing: AbortSignal; cut: AbortSignal },
): TimeLimit {
  const lastStart = performance.now() + milliseconds * LAST_START;
  const startBy = AbortSignal.any([closing, AbortSignal.timeout(milliseconds * LAST_START)]);
  return {
    startBy,
    endBy: AbortSignal.any([cut, AbortSignal.timeout(milliseconds)]),
    wait: async (seconds) => {
      const waitMs = seconds * 1_000 + SLACK_MS;
      if (performance.now() + waitMs >= lastStart) return false;
      await sleep(waitMs, undefined, { signal: startBy }).catch(() => {
        throw overloaded();
      });
      return true;
    },
  };
}
