import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  endLease,
  leaseAlias,
  type LeasedAlias,
  type SyncResult,
} from '#db/queries/forwarding/provider-aliases.ts';
import type { Database } from '#db/schema.ts';
import { JobFailedError, type JobQueue } from '#server/jobs/job-queue.ts';
import { explainProviderFailure, type Provider, ProviderError } from './provider.ts';

/** Times in milliseconds. */
export interface Timing {
  /** A run ends after this long. */
  runMs: number;
  /** How long one server has a name to itself: longer than a run, shorter than the job may take. */
  leaseMs: number;
  /** How long a call without an answer may still take effect at the provider. */
  uncertainMs: number;
  /** Longest extra wait after a pause that the provider asked for, so that not all names start at once. */
  spreadMs: number;
  /** How long the provider still knows an address that no account has any more. */
  unwantedMs: number;
}

export const TIMING: Timing = {
  runMs: 25_000,
  leaseMs: 28_000,
  uncertainMs: 120_000,
  spreadMs: 2_000,
  unwantedMs: 86_400_000,
};

/** An email address in a sentence; providers repeat those that they were given. */
const ADDRESS = /[\w.'+&=/~#*^{}|$-]+@[A-Za-z0-9.-]*[A-Za-z0-9]/g;

export interface Reconciler {
  db: Kysely<Database>;
  provider: Provider;
  jobs: JobQueue;
  timing: Timing;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * Makes the provider agree about a name: looks up what is wanted now, calls the provider without a
 * transaction open, and stores the result. Returns whether the name is settled; if not, another job is
 * added. Throws a `JobFailedError` if this job is to be retried instead.
 */
export async function reconcile(
  work: Reconciler,
  name: string,
  stopping = new AbortController().signal,
): Promise<boolean> {
  const { db, timing, jobs } = work;
  const leased = await inTransaction(db, async (trx) => {
    const result = await leaseAlias(trx, name, timing);
    if (result instanceof Date)
      await jobs.add(trx, 'forwarding', { name }, { key: name, at: result });
    return result;
  });
  if (leased === 'synced') return true;
  if (leased instanceof Date) return false;
  const { retryAt, failure, ...outcome } = await callProvider(work, leased, stopping);
  const ended = await persist(() =>
    inTransaction(db, async (trx) => {
      const result = await endLease(trx, leased, outcome);
      const again = (at?: Date | null) =>
        jobs.add(trx, 'forwarding', { name }, { key: name, at: at ?? undefined });
      if (result === 'changed') await again();
      else if (result !== 'done' && !failure) await again(retryAt ?? result.uncertainUntil);
      return result;
    }),
  );
  if (typeof ended === 'object' && failure) throw failure;
  return ended === 'done';
}

async function callProvider(
  { provider, jobs, timing, logger }: Reconciler,
  { name, destination: wanted }: LeasedAlias,
  stopping: AbortSignal,
): Promise<SyncResult & { retryAt?: Date; failure?: JobFailedError }> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timing.runMs)]);
  try {
    if (wanted === null) await provider.remove(name, signal);
    else await provider.put({ name, destination: wanted }, signal);
    return { isSynced: true, isUncertain: false, error: null };
  } catch (error) {
    const known = error instanceof ProviderError ? error : undefined;
    const outcome = { isSynced: false, isUncertain: known?.outcomeUnknown ?? true };
    if (stopping.aborted) return { ...outcome, error: null };
    const sentence = explainProviderFailure(error).replace(ADDRESS, '…');
    const retryAt = known?.retryAt;
    if (retryAt && (known.code === 'PAUSED' || known.status === 429)) {
      if (jobs.pause('forwarding', retryAt))
        logger.warn({ until: retryAt }, 'the forwarding provider asks for a pause');
      const spread = new Date(retryAt.getTime() + Math.random() * timing.spreadMs);
      return { ...outcome, error: sentence, retryAt: spread };
    }
    const about = known ? { code: known.code } : { err: error };
    logger.warn({ name, ...about }, 'forwarding waits for the provider');
    if (retryAt) return { ...outcome, error: sentence, retryAt };
    return { ...outcome, error: sentence, failure: new JobFailedError(sentence) };
  }
}

/** Stores the result of a call, also while the database is briefly unavailable. */
async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await write();
    } catch (error) {
      if (attempt === 3) throw error;
      await sleep(200 * attempt);
    }
}
