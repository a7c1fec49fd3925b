import { z } from 'zod';
import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { PICTURE_LIMIT_REFUSALS } from '#contract/owner/pictures.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { type CoverRow, keepCovers, listLinkedUrls, storeCover } from '#db/queries/covers.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { findCoverSource } from '#page/blocks/cover-source.ts';
import type { Core } from '#server/core.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import { storePicture } from '../pictures/store-picture.ts';
import { CoverError, type CoverFetcher } from './cover-fetcher.ts';

type CoverApp = Pick<Core, 'allowances' | 'db'> & { coverFetcher: CoverFetcher };

/** Lookups by account. It is reset an hour after the first one. */
const lookups = new LRUCache<string, number>({ max: 10_000, ttl: HOUR_MS, noUpdateTTL: true });

/** Asks a service once. Only an owner asks again, so that a failing service gets no more requests. */
export const coverJob = defineJob({
  kind: 'cover',
  schema: z.object({ accountId: z.string(), url: z.string() }),
  workers: 4,
  pollSeconds: 1,
  expireSeconds: 60,
  giveUpSeconds: 86_400,
  run: async (app: CoverApp, cover, { signal }) => {
    const result = await lookUp(app, cover, signal);
    await inTransaction(app.db, (trx) => storeCover(trx, cover, result));
  },
});

export async function addLookup(
  trx: Transaction,
  { jobs }: Pick<Core, 'jobs'>,
  cover: { accountId: string; url: string },
): Promise<void> {
  await jobs.add(trx, coverJob, cover, { key: `${cover.accountId} ${cover.url}` });
}

/** Looks up the covers of new addresses of the page, and deletes those it no longer has. */
export async function requestCovers(
  trx: Transaction,
  app: Pick<Core, 'jobs'>,
  accountId: string,
): Promise<void> {
  const urls = (await listLinkedUrls(trx, accountId)).filter((url) => findCoverSource(url));
  const limit = Math.max(0, LIMITS.coverLookupsPerHour - (lookups.get(accountId) ?? 0));
  for (const url of await keepCovers(trx, accountId, { urls, limit })) {
    countLookup(accountId);
    await addLookup(trx, app, { accountId, url });
  }
}

/** Returns the time to wait in milliseconds if the account has made too many lookups. */
export function countLookup(accountId: string): number | undefined {
  const count = (lookups.get(accountId) ?? 0) + 1;
  lookups.set(accountId, count);
  return count > LIMITS.coverLookupsPerHour ? lookups.getRemainingTTL(accountId) : undefined;
}

async function lookUp(
  { db, allowances, coverFetcher }: CoverApp,
  { accountId, url }: { accountId: string; url: string },
  signal: AbortSignal,
): Promise<Omit<CoverRow, 'url'>> {
  const result = { state: 'failed', problem: null, title: null, picture_id: null } as const;
  let title: string | null = null;
  try {
    const found = await coverFetcher.find(url, signal);
    title = found.title ?? null;
    const { id } = await storePicture(db, { accountId, file: found.file }, allowances);
    return { ...result, state: 'found', title, picture_id: id };
  } catch (error) {
    if (error instanceof CoverError) return { ...result, problem: error.problem };
    if (!(error instanceof RefusalError)) throw error;
    const isLimit = error.code in PICTURE_LIMIT_REFUSALS;
    return { ...result, title, problem: isLimit ? 'picture_limit' : 'no_cover' };
  }
}
