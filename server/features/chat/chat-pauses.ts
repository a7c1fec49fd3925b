import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { HOUR_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { FairShare } from '#server/platform/limits/fair-share.ts';
import { type CallResult, type Pause, pauseRefusal, type RateLimitBudget } from './call-result.ts';
import { DEFAULT_WEBHOOK_HOSTS, type Webhook } from './chat-client.ts';

/** Discord bans an IP address after 10,000 invalid requests within this window. */
const INVALID_REQUEST_WINDOW_MS = 10 * MINUTE_MS;
export const MAX_INVALID_REQUESTS = 2_000;
const DELETED_WEBHOOK_PAUSE_MS = HOUR_MS;
const MAX_PAUSES = 10_000;

/** Pauses of webhooks and of all calls to Discord, in the memory of this process. */
export class ChatPauses {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>;
  readonly #pauses = new LRUCache<string, Pause['code']>({ max: MAX_PAUSES });
  /** Includes calls in flight, because each may turn out to be invalid. */
  readonly #invalidRequests: FairShare;
  /** Invalid requests of the window, the oldest first. */
  readonly #counted: { accountId: string; expiresAt: number }[] = [];

  constructor(log: Pick<FastifyBaseLogger, 'warn'>, maxInvalidRequests: number) {
    this.#log = log;
    this.#invalidRequests = new FairShare(maxInvalidRequests);
  }

  find(webhook: Webhook): Pause | undefined {
    for (const key of [platformOf(webhook), keyOf(webhook)]) {
      const code = this.#pauses.get(key);
      if (code) return { code, seconds: this.#pauses.getRemainingTTL(key) / 1_000 };
    }
    return undefined;
  }

  /** Throws if Discord rejected too many requests of the account, or of all accounts. */
  async countInvalid(accountId: string, call: () => Promise<CallResult>): Promise<CallResult> {
    this.#releaseExpired();
    if (!this.#invalidRequests.tryAcquire(accountId))
      throw pauseRefusal({
        code: this.#invalidRequests.isFull ? 'relayPaused' : 'relayPausedForAccount',
        seconds: (this.#findRoomAt(accountId) - Date.now()) / 1_000,
      });
    let isInvalid = false;
    try {
      const result = await call();
      isInvalid = 'countsTowardsBan' in result && result.countsTowardsBan;
      return result;
    } finally {
      if (isInvalid)
        this.#counted.push({ accountId, expiresAt: Date.now() + INVALID_REQUEST_WINDOW_MS });
      else this.#invalidRequests.release(accountId);
    }
  }

  /** `otherCallCount` is the number of other calls to the webhook that are in flight. */
  pauseAfter(
    webhook: Webhook,
    result: CallResult,
    { budget, otherCallCount }: { budget: RateLimitBudget | undefined; otherCallCount: number },
  ): void {
    if (result.kind === 'blocked' || (result.kind === 'limited' && result.scope === 'platform')) {
      const { kind: reason, seconds } = result;
      this.#log.warn({ reason, seconds }, 'calls to Discord are paused');
      this.#pause(platformOf(webhook), 'relayBlocked', seconds * 1_000);
    } else if (result.kind === 'limited')
      this.#pause(keyOf(webhook), 'chatPlatformRateLimited', result.seconds * 1_000);
    else if (result.kind === 'refused' && result.isWebhookDeleted)
      this.#pause(keyOf(webhook), 'webhookNotFound', DELETED_WEBHOOK_PAUSE_MS);
    else if (budget && budget.remaining <= otherCallCount)
      this.#pause(keyOf(webhook), 'chatPlatformRateLimited', budget.resetSeconds * 1_000);
  }

  #pause(key: string, code: Pause['code'], ttl: number): void {
    if (this.#pauses.getRemainingTTL(key) < ttl) this.#pauses.set(key, code, { ttl });
  }

  /** When enough counted requests will have expired. Those in flight may end at any time. */
  #findRoomAt(accountId: string): number {
    const after = this.#invalidRequests.clone();
    for (const request of this.#counted) {
      after.release(request.accountId);
      if (after.hasRoom(accountId)) return request.expiresAt;
    }
    return Date.now();
  }

  #releaseExpired(): void {
    while (this.#counted[0] && this.#counted[0].expiresAt <= Date.now())
      this.#invalidRequests.release(this.#counted.shift()!.accountId);
  }
}

/** The same for all Discord hosts, because Discord's bans cover all of them. */
function platformOf({ host }: Webhook): string {
  return DEFAULT_WEBHOOK_HOSTS.includes(host) ? 'discord.com' : host;
}

function keyOf({ id, token }: Webhook): string {
  return `${id}/${token}`;
}
