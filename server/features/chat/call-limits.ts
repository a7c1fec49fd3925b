import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { overloadedRefusal } from './call-result.ts';

const MAX_CALLS = { running: 64, waiting: 64 };
const MAX_CALLS_PER_WEBHOOK = { running: 4, waiting: 16 };
/**
 * Half of MAX_CALLS.running, so that one account cannot block the others. The limit includes
 * waiting calls.
 */
const MAX_CALLS_PER_ACCOUNT = 32;

interface WebhookQueue {
  limit: LimitFunction;
  callCount: number;
}

/**
 * Limits concurrent calls. Throws a 503 error if there are too many calls, or if a call has not
 * started when `startSignal` aborts.
 */
export interface CallQueues {
  runForWebhook: <T>(
    call: { accountId: string; webhook: string; startSignal: AbortSignal },
    work: (countOtherCalls: () => number) => Promise<T>,
  ) => Promise<T>;
  runShared: <T>(startSignal: AbortSignal, work: () => Promise<T>) => Promise<T>;
}

export function createCallQueues(): CallQueues {
  const sharedLimit = pLimit(MAX_CALLS.running);
  let totalCallCount = 0;
  const webhookQueues = new Map<string, WebhookQueue>();
  const callCountByAccount = new Map<string, number>();
  return {
    runForWebhook: async ({ accountId, webhook, startSignal }, work) => {
      const queue = webhookQueues.get(webhook) ?? {
        limit: pLimit(MAX_CALLS_PER_WEBHOOK.running),
        callCount: 0,
      };
      const accountCallCount = callCountByAccount.get(accountId) ?? 0;
      if (
        totalCallCount >= MAX_CALLS.running + MAX_CALLS.waiting ||
        queue.callCount >= MAX_CALLS_PER_WEBHOOK.running + MAX_CALLS_PER_WEBHOOK.waiting ||
        accountCallCount >= MAX_CALLS_PER_ACCOUNT
      )
        throw overloadedRefusal();
      totalCallCount += 1;
      queue.callCount += 1;
      webhookQueues.set(webhook, queue);
      callCountByAccount.set(accountId, accountCallCount + 1);
      try {
        return await runQueued(queue.limit, startSignal, () =>
          work(() => queue.limit.activeCount - 1),
        );
      } finally {
        totalCallCount -= 1;
        queue.callCount -= 1;
        if (queue.callCount === 0) webhookQueues.delete(webhook);
        const remaining = (callCountByAccount.get(accountId) ?? 1) - 1;
        if (remaining === 0) callCountByAccount.delete(accountId);
        else callCountByAccount.set(accountId, remaining);
      }
    },
    runShared: (startSignal, work) => runQueued(sharedLimit, startSignal, work),
  };
}

/** Throws a refusal if `work` did not start before `startSignal` aborts. */
function runQueued<T>(
  limit: LimitFunction,
  startSignal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectOverloaded = () => reject(overloadedRefusal());
    if (startSignal.aborted) return rejectOverloaded();
    startSignal.addEventListener('abort', rejectOverloaded);
    void limit(async () => {
      startSignal.removeEventListener('abort', rejectOverloaded);
      if (!startSignal.aborted) await work().then(resolve, reject);
    });
  });
}

/** A call that starts after this fraction of the timeout might not finish in time. */
const LATEST_START_FRACTION = 0.6;
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
