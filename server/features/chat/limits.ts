import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { overloaded } from './call-result.ts';

/** Calls in flight, and how many more may wait. */
const ALL = { atATime: 64, waiting: 64 };
const PER_WEBHOOK = { atATime: 4, waiting: 16 };
/** Half of all calls, so that the other half is left for other accounts. */
const PER_ACCOUNT = 32;

interface WebhookQueue {
  limit: LimitFunction;
  calls: number;
}

/** Limits concurrent calls; refuses with 503 when the queues are full. */
export interface CallQueues {
  /** Runs `work` in the webhook's queue; `others` returns the number of other calls in flight there. */
  run: <T>(
    call: { accountId: string; webhook: string; startBy: AbortSignal },
    work: (others: () => number) => Promise<T>,
  ) => Promise<T>;
  /** Runs the HTTP call in the queue of all webhooks. */
  call: <T>(startBy: AbortSignal, work: () => Promise<T>) => Promise<T>;
}

export function createCallQueues(): CallQueues {
  const all = pLimit(ALL.atATime);
  let calls = 0;
  const webhooks = new Map<string, WebhookQueue>();
  const accounts = new Map<string, number>();
  return {
    run: async ({ accountId, webhook, startBy }, work) => {
      const queue = webhooks.get(webhook) ?? { limit: pLimit(PER_WEBHOOK.atATime), calls: 0 };
      const accountCount = accounts.get(accountId) ?? 0;
      if (
        calls >= ALL.atATime + ALL.waiting ||
        queue.calls >= PER_WEBHOOK.atATime + PER_WEBHOOK.waiting ||
        accountCount >= PER_ACCOUNT
      )
        throw overloaded();
      calls += 1;
      queue.calls += 1;
      webhooks.set(webhook, queue);
      accounts.set(accountId, accountCount + 1);
      try {
        return await inTurn(queue.limit, startBy, () => work(() => queue.limit.activeCount - 1));
      } finally {
        calls -= 1;
        queue.calls -= 1;
        if (queue.calls === 0) webhooks.delete(webhook);
        const left = (accounts.get(accountId) ?? 1) - 1;
        if (left === 0) accounts.delete(accountId);
        else accounts.set(accountId, left);
      }
    },
    call: (startBy, work) => inTurn(all, startBy, work),
  };
}

/** Runs `work` when its turn comes; refuses if that is after `startBy`. */
function inTurn<T>(limit: LimitFunction, startBy: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(overloaded());
    if (startBy.aborted) return giveUp();
    startBy.addEventListener('abort', giveUp);
    void limit(async () => {
      startBy.removeEventListener('abort', giveUp);
      if (!startBy.aborted) await work().then(resolve, reject);
    });
  });
}

/** No call begins after this part of the time limit, because it could not end in time. */
const LAST_START = 0.6;
/** Margin after a webhook's pause ends, because the database's clock decides. */
const SLACK_MS = 50;

/** Time limit of one message, with all waiting and retrying. */
export interface TimeLimit {
  startBy: AbortSignal;
  endBy: AbortSignal;
  /** Waits and returns true; returns false at once if a call could not begin after the wait. */
  wait: (seconds: number) => Promise<boolean>;
}

/** A stopping server begins no more calls (`closing`), and later aborts those in flight (`cut`). */
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
