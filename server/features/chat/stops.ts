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
import { DEFAULT_WEBHOOK_HOSTS, type Webhook } from './platform-client.ts';
import type { Budget, CallResult } from './call-result.ts';

/** The platform bans an IP address after 10,000 refusals in this time. */
const WINDOW_MINUTES = 10;
const MAX_REFUSALS = 2_000;
/** So that one account cannot use up the refusals of all. */
const MAX_REFUSALS_OF_ACCOUNT = 100;
const DEAD_SECONDS = 3_600;
/** Other calls wait this long for the result of a trial call. */
const TRIAL_SECONDS = 10;

/** The subjects of stops in the database. */
export interface Subjects {
  accountId: string;
  /** The same for all hosts of the platform, because it bans an IP address from all of them. */
  platform: string;
  /** A hash, because the token is a secret. */
  webhook: string;
}

export function subjectsOf(accountId: string, { host, id, token }: Webhook): Subjects {
  return {
    accountId,
    platform: DEFAULT_WEBHOOK_HOSTS.includes(host) ? 'discord.com' : host,
    webhook: hash('sha256', `${id}/${token}`),
  };
}

/**
 * The stop that forbids a call now, if any. After a stop of the platform, one trial call is allowed;
 * other calls wait until it has succeeded.
 */
export async function findStop(
  db: Kysely<Database>,
  { accountId, platform, webhook }: Subjects,
): Promise<ChatStop | 'trial' | undefined> {
  const stop = await findChatStop(db, [
    `account:${accountId}`,
    `platform:${platform}`,
    `webhook:${webhook}`,
  ]);
  if (!stop || stop.seconds > 0) return stop;
  const trial = { ...stop, seconds: TRIAL_SECONDS };
  return (await extendChatStop(db, trial)) ? 'trial' : trial;
}

/**
 * Stores the stops that follow from a result, for all servers. `others` is the number of other calls of
 * the webhook in flight; `trial` is true for the first call after a stop of the platform.
 */
export async function storeStops(
  { db, logger }: { db: Kysely<Database>; logger: FastifyBaseLogger },
  { accountId, platform, webhook }: Subjects,
  {
    result,
    budget,
    others,
    trial,
  }: { result: CallResult; budget: Budget | undefined; others: number; trial: boolean },
): Promise<void> {
  const stop = async (subject: string, reason: StopReason, seconds: number) => {
    await upsertChatStop(db, { subject, reason, seconds });
    if (!subject.startsWith('webhook:'))
      logger.warn({ subject, reason, seconds }, 'the chat platform is not called for a while');
  };
  const isOfPlatform =
    result.kind === 'blocked' || (result.kind === 'limited' && result.scope === 'platform');
  if (trial && !isOfPlatform) await deleteChatStop(db, `platform:${platform}`);
  if (isOfPlatform) await stop(`platform:${platform}`, result.kind, result.seconds);
  else if (result.kind === 'limited') await stop(`webhook:${webhook}`, 'limited', result.seconds);
  else if (result.kind === 'refused' && result.dead)
    await stop(`webhook:${webhook}`, 'dead', DEAD_SECONDS);
  else if (budget && budget.remaining <= others)
    await stop(`webhook:${webhook}`, 'budget', budget.seconds);
  if (!('counts' in result && result.counts)) return;
  const { platformCount, accountCount } = await recordChatRejection(db, {
    platform,
    accountId,
    minutes: WINDOW_MINUTES,
  });
  if (platformCount >= MAX_REFUSALS)
    await stop(`platform:${platform}`, 'refusals', WINDOW_MINUTES * 60);
  if (accountCount >= MAX_REFUSALS_OF_ACCOUNT)
    await stop(`account:${accountId}`, 'refusals', WINDOW_MINUTES * 60);
}
