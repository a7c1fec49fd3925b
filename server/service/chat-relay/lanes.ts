import pLimit, { type LimitFunction } from 'p-limit';
import { overloaded } from './refusals.ts';

/** Calls at a time, and how many more may wait for their turn. */
const ALL = { atATime: 64, waiting: 64 };
const PER_WEBHOOK = { atATime: 4, waiting: 16 };
/** Limit of calls of one account, whatever their webhooks: half of all, so that the others have the other half. */
const PER_ACCOUNT = 32;

interface Lane {
  limit: LimitFunction;
  calls: number;
}

/** Bounds how much goes on at once; what there is no room for is refused with 503. */
export interface Lanes {
  /** Runs `work` in a lane of its webhook; `others` is how many run beside it. */
  enter: <T>(
    call: { accountId: string; webhook: string; startBy: AbortSignal },
    work: (others: () => number) => Promise<T>,
  ) => Promise<T>;
  /** Runs the call itself in one of the slots of all. */
  call: <T>(startBy: AbortSignal, work: () => Promise<T>) => Promise<T>;
}

export function createLanes(): Lanes {
  const all = pLimit(ALL.atATime);
  let calls = 0;
  const webhooks = new Map<string, Lane>();
  const accounts = new Map<string, number>();
  return {
    enter: async ({ accountId, webhook, startBy }, work) => {
      const lane = webhooks.get(webhook) ?? { limit: pLimit(PER_WEBHOOK.atATime), calls: 0 };
      const ofAccount = accounts.get(accountId) ?? 0;
      if (
        calls >= ALL.atATime + ALL.waiting ||
        lane.calls >= PER_WEBHOOK.atATime + PER_WEBHOOK.waiting ||
        ofAccount >= PER_ACCOUNT
      )
        throw overloaded();
      calls += 1;
      lane.calls += 1;
      webhooks.set(webhook, lane);
      accounts.set(accountId, ofAccount + 1);
      try {
        return await inTurn(lane.limit, startBy, () => work(() => lane.limit.activeCount - 1));
      } finally {
        calls -= 1;
        lane.calls -= 1;
        if (lane.calls === 0) webhooks.delete(webhook);
        const left = (accounts.get(accountId) ?? 1) - 1;
        if (left === 0) accounts.delete(accountId);
        else accounts.set(accountId, left);
      }
    },
    call: (startBy, work) => inTurn(all, startBy, work),
  };
}

/** Runs `work` when its turn comes, or not at all if that is not before `startBy`. */
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
