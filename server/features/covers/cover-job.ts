import { z } from 'zod';
import { PICTURE_LIMIT_REFUSALS } from '#contract/owner/pictures.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  type CoverRow,
  changeCover,
  isCoverPending,
  keepCovers,
  listLinkedUrls,
} from '#db/queries/covers.ts';
import { findCoverSource } from '#page/blocks/cover-source.ts';
import type { Core } from '#server/core.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import { HourlyCounter } from '#server/platform/limits/hourly-counter.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import { storePicture } from '../pictures/store-picture.ts';
import { CoverError, type CoverFetcher } from './cover-fetcher.ts';

type CoverApp = Pick<Core, 'allowances' | 'db'> & { covers: CoverFetcher };

const lookups = new HourlyCounter();

/** Asks a service once. It is run again, seldom, only if this server fails. */
export const coverJob = defineJob({
  kind: 'cover',
  whenOff: 'wait',
  schema: z.object({ accountId: z.string(), url: z.string() }),
  workers: 4,
  pollSeconds: 1,
  // Decoding may wait, and may take longer than the service.
  expireSeconds: 180,
  retrySeconds: 30,
  maxRetrySeconds: 21_600,
  giveUpSeconds: 86_400,
  run: async (app: CoverApp, cover, { signal }) => {
    // The owner may have removed it, or another job may have found it.
    if (!(await isCoverPending(app.db, cover))) return;
    const change = await lookUp(app, cover, signal);
    await inTransaction(app.db, (trx) => changeCover(trx, cover, change, { onlyPending: true }));
  },
});

/** Looks up the covers of new addresses of the page, and deletes those it no longer has. */
export async function requestCovers(
  trx: Transaction,
  app: Pick<Core, 'jobs'>,
  { accountId }: { accountId: string },
): Promise<void> {
  const urls = (await listLinkedUrls(trx, accountId)).filter((url) => findCoverSource(url));
  const limit = LIMITS.coverLookupsPerHour - lookups.get(accountId);
  await addLookups(trx, app, accountId, await keepCovers(trx, accountId, { urls, limit }));
}

/** Returns the time to wait in milliseconds if the account has made too many lookups. */
export async function addLookups(
  trx: Transaction,
  { jobs }: Pick<Core, 'jobs'>,
  accountId: string,
  urls: readonly string[],
): Promise<number | undefined> {
  const waitMs = lookups.addWithin(LIMITS.coverLookupsPerHour, accountId, urls.length);
  if (waitMs !== undefined) return waitMs;
  const covers = urls.map((url) => ({ accountId, url }));
  await jobs.addAll(trx, coverJob, covers, { priority: 0 });
  return undefined;
}

async function lookUp(
  { db, allowances, covers }: CoverApp,
  { accountId, url }: { accountId: string; url: string },
  signal: AbortSignal,
): Promise<Partial<CoverRow>> {
  let title: string | null = null;
  try {
    const found = await covers.find(url, signal);
    title = found.title ?? null;
    const { id } = await storePicture(db, { accountId, file: found.file }, allowances);
    return { state: 'found', title, picture_id: id };
  } catch (error) {
    // A server that stops says nothing about the service.
    signal.throwIfAborted();
    if (error instanceof CoverError) return { state: error.problem };
    if (!(error instanceof RefusalError)) throw error;
    const isLimit = error.code in PICTURE_LIMIT_REFUSALS;
    return { state: isLimit ? 'picture_limit' : 'no_cover', ...(title && { title }) };
  }
}
