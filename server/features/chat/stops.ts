import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { recordChatRejection } from '#db/queries/chat/chat-rejections.ts';
import {
  type ChatStop,
  deleteChatStop,
  findChatStop,
  extendChatStop,
  type StopReason,
  upsertChatStop,
} from '#db/queries/chat/chat-stops.ts';
import type { Database } from '#db/schema.ts';
import { DEFAULT_WEBHOOK_HOSTS, type Webhook } from './chat-client.ts';
import type { RateLimitBudget, CallResult } from './call-result.ts';

/** Discord bans an IP address after 10,000 refusals within this window. */
const REFUSAL_WINDOW_MINUTES = 10;
const REFUSAL_WINDOW_SECONDS = REFUSAL_WINDOW_MINUTES * 60;
const MAX_REFUSALS = 2_000;
/** Keeps one account from causing a stop for all accounts. */
const MAX_REFUSALS_PER_ACCOUNT = 100;
const DEAD_WEBHOOK_SECONDS = 3_600;
/** Other calls are refused for up to this long while a probe call is in flight. */
const PROBE_SECONDS = 10;

/** A stop is a pause of calls. It can apply to an account, to a webhook, or to all of Discord. */
export interface StopSubjects {
  accountId: string;
  /** The same for all Discord hosts, because Discord's bans cover all of them. */
  platform: string;
  webhook: string;
}

export function stopSubjectsFor(accountId: string, { host, id, token }: Webhook): StopSubjects {
  return {
    accountId,
    platform: DEFAULT_WEBHOOK_HOSTS.includes(host) ? 'discord.com' : host,
    webhook: hash('sha256', `${id}/${token}`),
  };
}

/**
 * When a stop of all calls to Discord has expired, one caller gets `probe`. Other callers still get
 * the stop while the probe is in flight.
 */
export async function findStop(
  db: Kysely<Database>,
  { accountId, platform, webhook }: StopSubjects,
): Promise<ChatStop | 'probe' | undefined> {
  const stop = await findChatStop(db, [
    `account:${accountId}`,
    `platform:${platform}`,
    `webhook:${webhook}`,
  ]);
  if (!stop || stop.seconds > 0) return stop;
  const stopDuringProbe = { ...stop, seconds: PROBE_SECONDS };
  return (await extendChatStop(db, stopDuringProbe)) ? 'probe' : stopDuringProbe;
}

/** Stores the stops that result from a call. They apply to all servers that share the database. */
export async function storeStops(
  { db, logger }: { db: Kysely<Database>; logger: FastifyBaseLogger },
  { accountId, platform, webhook }: StopSubjects,
  {
    result,
    budget,
    otherCallCount,
    isProbe,
  }: {
    result: CallResult;
    budget: RateLimitBudget | undefined;
    /** Number of other in-flight calls to the webhook. */
    otherCallCount: number;
    isProbe: boolean;
  },
): Promise<void> {
  const storeStop = async (subject: string, reason: StopReason, seconds: number) => {
    await upsertChatStop(db, { subject, reason, seconds });
    if (!subject.startsWith('webhook:'))
      logger.warn({ subject, reason, seconds }, 'calls to Discord are paused');
  };
  const stopsPlatform =
    result.kind === 'blocked' || (result.kind === 'limited' && result.scope === 'platform');
  if (isProbe && !stopsPlatform) await deleteChatStop(db, `platform:${platform}`);
  if (stopsPlatform) await storeStop(`platform:${platform}`, result.kind, result.seconds);
  else if (result.kind === 'limited')
    await storeStop(`webhook:${webhook}`, 'limited', result.seconds);
  else if (result.kind === 'refused' && result.isWebhookDeleted)
    await storeStop(`webhook:${webhook}`, 'dead', DEAD_WEBHOOK_SECONDS);
  else if (budget && budget.remaining <= otherCallCount)
    await storeStop(`webhook:${webhook}`, 'budget', budget.resetSeconds);
  if (!('countsTowardsBan' in result && result.countsTowardsBan)) return;
  const { platformCount, accountCount } = await recordChatRejection(db, {
    platform,
    accountId,
    windowMinutes: REFUSAL_WINDOW_MINUTES,
  });
  if (platformCount >= MAX_REFUSALS)
    await storeStop(`platform:${platform}`, 'refusals', REFUSAL_WINDOW_SECONDS);
  if (accountCount >= MAX_REFUSALS_PER_ACCOUNT)
    await storeStop(`account:${accountId}`, 'refusals', REFUSAL_WINDOW_SECONDS);
}
