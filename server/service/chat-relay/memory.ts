import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { countChatRefusal } from '../../../db/queries/chat/chat-refusals.ts';
import {
  type ChatStop,
  deleteChatStop,
  findChatStop,
  prolongChatStop,
  type StopReason,
  upsertChatStop,
} from '../../../db/queries/chat/chat-stops.ts';
import type { Database } from '../../../db/schema.ts';
import { DEFAULT_WEBHOOK_HOSTS, type Webhook } from './webhook-url.ts';
import type { Budget, Verdict } from './verdict.ts';

/** The platform bans an address for 10,000 refusals in these minutes. */
const WINDOW_MINUTES = 10;
const MAX_REFUSALS = 2_000;
/** A twentieth of all, so that no account can use them up for the others. */
const MAX_REFUSALS_OF_ACCOUNT = 100;
const DEAD_SECONDS = 3_600;
/** How long the others wait for what comes of the first call after a stop of the whole platform. */
const TRIAL_SECONDS = 10;

/** Whom a call is about, as the database knows them: a webhook only by a hash. */
export interface Subjects {
  accountId: string;
  /** `platform` is one for all hosts of the platform, since it bans an address from all of them. */
  platform: string;
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
 * The stop that forbids a call now, if any. When one of the whole platform is over, one call is its
 * trial, and the others go on waiting until it has succeeded.
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
  return (await prolongChatStop(db, trial)) ? 'trial' : trial;
}

/**
 * Writes down, for all servers, what an answer means for the calls that come after: most answers
 * mean nothing. `others` is how many calls of the webhook are on their way, `trial` whether this was
 * the first call after a stop of the whole platform.
 */
export async function remember(
  { db, logger }: { db: Kysely<Database>; logger: FastifyBaseLogger },
  { accountId, platform, webhook }: Subjects,
  {
    verdict,
    budget,
    others,
    trial,
  }: { verdict: Verdict; budget: Budget | undefined; others: number; trial: boolean },
): Promise<void> {
  const stop = async (subject: string, reason: StopReason, seconds: number) => {
    await upsertChatStop(db, { subject, reason, seconds });
    if (!subject.startsWith('webhook:'))
      logger.warn({ subject, reason, seconds }, 'the chat platform is not called for a while');
  };
  const isOfPlatform =
    verdict.kind === 'blocked' || (verdict.kind === 'limited' && verdict.scope === 'platform');
  if (trial && !isOfPlatform) await deleteChatStop(db, `platform:${platform}`);
  if (isOfPlatform) await stop(`platform:${platform}`, verdict.kind, verdict.seconds);
  else if (verdict.kind === 'limited') await stop(`webhook:${webhook}`, 'limited', verdict.seconds);
  else if (verdict.kind === 'refused' && verdict.dead)
    await stop(`webhook:${webhook}`, 'dead', DEAD_SECONDS);
  else if (budget && budget.remaining <= others)
    await stop(`webhook:${webhook}`, 'budget', budget.seconds);
  if (!('counts' in verdict && verdict.counts)) return;
  const { ofPlatform, ofAccount } = await countChatRefusal(db, {
    platform,
    accountId,
    minutes: WINDOW_MINUTES,
  });
  if (ofPlatform >= MAX_REFUSALS)
    await stop(`platform:${platform}`, 'refusals', WINDOW_MINUTES * 60);
  if (ofAccount >= MAX_REFUSALS_OF_ACCOUNT)
    await stop(`account:${accountId}`, 'refusals', WINDOW_MINUTES * 60);
}
