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
  calls: number;
}

/**
 * Limits concurrent calls. Throws a 503 error if there are too many calls, or if a call has not
 * started when `startBy` aborts.
 */
export interface CallQueues {
  runForWebhook: <T>(
    call: { accountId: string; webhook: string; startBy: AbortSignal },
    work: (countOtherCalls: () => number) => Promise<T>,
  ) => Promise<T>;
  runShared: <T>(startBy: AbortSignal, work: () => Promise<T>) => Promise<T>;
}

export function createCallQueues(): CallQueues {
  const sharedLimit = pLimit(MAX_CALLS.running);
  let callCount = 0;
  const webhookQueues = new Map<string, WebhookQueue>();
  const callsByAccount = new Map<string, number>();
  return {
    runForWebhook: async ({ accountId, webhook, startBy }, work) => {
      const queue = webhookQueues.get(webhook) ?? {
        limit: pLimit(MAX_CALLS_PER_WEBHOOK.running),
        calls: 0,
      };
      const accountCalls = callsByAccount.get(accountId) ?? 0;
      if (
        callCount >= MAX_CALLS.running + MAX_CALLS.waiting ||
        queue.calls >= MAX_CALLS_PER_WEBHOOK.running + MAX_CALLS_PER_WEBHOOK.waiting ||
        accountCalls >= MAX_CALLS_PER_ACCOUNT
      )
        throw overloadedRefusal();
      callCount += 1;
      queue.calls += 1;
      webhookQueues.set(webhook, queue);
      callsByAccount.set(accountId, accountCalls + 1);
      try {
        return await runQueued(queue.limit, startBy, () => work(() => queue.limit.activeCount - 1));
      } finally {
        callCount -= 1;
        queue.calls -= 1;
        if (queue.calls === 0) webhookQueues.delete(webhook);
        const remaining = (callsByAccount.get(accountId) ?? 1) - 1;
        if (remaining === 0) callsByAccount.delete(accountId);
        else callsByAccount.set(accountId, remaining);
      }
    },
    runShared: (startBy, work) => runQueued(sharedLimit, startBy, work),
  };
}

/** Throws a refusal if `work` did not start before `startBy` aborts. */
function runQueued<T>(
  limit: LimitFunction,
  startBy: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(overloadedRefusal());
    if (startBy.aborted) return giveUp();
    startBy.addEventListener('abort', giveUp);
    void limit(async () => {
      startBy.removeEventListener('abort', giveUp);
      if (!startBy.aborted) await work().then(resolve, reject);
    });
  });
}

/** A call that starts after this fraction of the timeout might not finish in time. */
const LATEST_START_FRACTION = 0.6;
/** Stops end according to the database's clock, which may be behind ours. */
const CLOCK_SKEW_MARGIN_MS = 50;

export interface Deadline {
  startBy: AbortSignal;
  endBy: AbortSignal;
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
  const latestStart = performance.now() + startTimeoutMs;
  const startBy = AbortSignal.any([closing, AbortSignal.timeout(startTimeoutMs)]);
  return {
    startBy,
    endBy: AbortSignal.any([abortCalls, AbortSignal.timeout(timeoutMs)]),
    wait: async (seconds) => {
      const waitMs = seconds * 1_000 + CLOCK_SKEW_MARGIN_MS;
      if (performance.now() + waitMs >= latestStart) return false;
      await sleep(waitMs, undefined, { signal: startBy }).catch(() => {
        throw overloadedRefusal();
      });
      return true;
    },
  };
}
