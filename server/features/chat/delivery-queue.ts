import { FairQueue } from '#server/platform/limits/fair-queue.ts';
import { FairShare } from '#server/platform/limits/fair-share.ts';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { overloadedRefusal } from './call-result.ts';
import type { Webhook } from './chat-client.ts';
import type { ChatPauses } from './chat-pauses.ts';
import { type Deadline, LATEST_START_FRACTION } from './deadline.ts';

const MAX_DELIVERIES = {
  maxRunning: 64,
  maxRunningPerKey: 4,
  maxWaiting: 64,
  maxWaitingPerKey: 16,
};
/** Half of the calls that run, so that one account cannot block the others. Includes waiting ones. */
const MAX_DELIVERIES_PER_ACCOUNT = 32;

/** Limits parallel deliveries. A delivery that waits for a rate limit holds no slot. */
export class DeliveryQueue {
  readonly #pauses: ChatPauses;
  /** The keys are webhooks. */
  readonly #slots: FairQueue;
  readonly #accounts = new FairShare(Infinity, MAX_DELIVERIES_PER_ACCOUNT);

  constructor(pauses: ChatPauses, timeoutMs: number) {
    this.#pauses = pauses;
    const waitTimeoutMs = timeoutMs * LATEST_START_FRACTION;
    this.#slots = new FairQueue({ gate: 'chat', ...MAX_DELIVERIES, waitTimeoutMs });
  }

  async runForAccount<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#accounts.tryAcquire(accountId)) throw overloadedRefusal();
    try {
      return await work();
    } finally {
      this.#accounts.release(accountId);
    }
  }

  async runInSlot<T>(
    webhook: Webhook,
    deadline: Deadline,
    work: (countOtherCalls: () => number) => Promise<T>,
  ): Promise<T> {
    const key = `${webhook.id}/${webhook.token}`;
    const release = await this.#acquireUnpaused(key, webhook, deadline);
    try {
      if (deadline.tooLateToStart.aborted) throw overloadedRefusal();
      return await work(() => this.#slots.runningCount(key) - 1);
    } finally {
      release();
    }
  }

  async #acquireUnpaused(key: string, webhook: Webhook, deadline: Deadline): Promise<() => void> {
    for (;;) {
      const release = await this.#acquire(key);
      const pause = this.#pauses.find(webhook);
      if (pause?.code !== 'chatPlatformRateLimited') return release;
      release();
      if (!(await deadline.wait(pause.seconds))) return this.#acquire(key);
    }
  }

  async #acquire(key: string): Promise<() => void> {
    try {
      return await this.#slots.acquire(key);
    } catch (error) {
      throw error instanceof OverloadedError ? overloadedRefusal() : error;
    }
  }
}
