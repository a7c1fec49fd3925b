import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { DAY_MS } from '#contract/shared/durations.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  endLease,
  hasFailingAlias,
  leaseAlias,
  type LeasedAlias,
  type SyncResult,
  UNCONFIRMED,
} from '#db/queries/provider-aliases.ts';
import { withRetries } from '#db/retry.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import { JobFailedError, type JobQueue } from '#server/platform/jobs/job-queue.ts';
import { logServerEvent, NO_EVENT_LIMIT } from '../events/log-event.ts';
import {
  describeReason,
  type ForwardingProvider,
  ForwardingProviderError,
  type ProviderReason,
} from './forwarding-provider.ts';

export const DEFAULT_TIMING = {
  runTimeoutMs: 25_000,
  /**
   * Other servers skip the name for this long. Must be longer than `runTimeoutMs` and shorter than
   * the job timeout.
   */
  leaseMs: 28_000,
  /** A request without a response may still take effect for this long. */
  uncertainMs: 120_000,
  /** Destinations that no account has used for this long are deleted at the provider. */
  unusedDestinationMs: DAY_MS,
};
export type ReconcileTiming = typeof DEFAULT_TIMING;

/**
 * Providers may repeat email addresses in error messages. We do not store or log these addresses.
 */
const EMAIL_ADDRESS = /(?<![\w.'+&=/~#*^{}|$-])[\w.'+&=/~#*^{}|$-]+@[A-Za-z0-9.-]*[A-Za-z0-9]/g;

export interface ReconcileDeps {
  db: Database;
  provider: ForwardingProvider;
  jobs: JobQueue;
  timing: ReconcileTiming;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}

/** The part of `ForwardingService` that handles jobs. */
export interface NameReconciler {
  /** Undefined if no provider is called. */
  reconcileName?: (name: string, signal: AbortSignal) => Promise<boolean>;
}

export const forwardingJob = defineJob({
  kind: 'forwarding',
  schema: z.object({ name: z.string() }),
  workers: 3,
  batchSize: 5,
  pollSeconds: 0.5,
  expireSeconds: 33,
  maxRetrySeconds: 900,
  isNeeded: ({ forwarding }: { forwarding: NameReconciler }) =>
    forwarding.reconcileName !== undefined,
  run: async ({ forwarding }: { forwarding: NameReconciler }, { name }, { signal }) =>
    forwarding.reconcileName?.(name, signal),
});

/** Replaces a waiting job for the name. */
export function queueSync(
  trx: Transaction,
  jobs: JobQueue,
  name: string,
  at?: Date | null,
): Promise<void> {
  return jobs.add(trx, forwardingJob, { name }, { key: name, startAt: at ?? undefined });
}

/**
 * Syncs a name to the provider, and resolves to whether it is in sync. If it is not, adds another
 * job, or throws a `JobFailedError` so that the queue retries this job.
 */
export async function reconcile(
  deps: ReconcileDeps,
  name: string,
  shutdownSignal = new AbortController().signal,
): Promise<boolean> {
  const { db, timing, jobs } = deps;
  const lease = await inTransaction(db, async (trx) => {
    const result = await leaseAlias(trx, name, timing);
    if (result.status === 'busy') await queueSync(trx, jobs, name, result.until);
    return result;
  });
  if (lease.status !== 'leased') return lease.status === 'synced';
  // No transaction is open during this call.
  const call = await callProvider(deps, lease, shutdownSignal);
  // The provider has acted, so a lost connection to the database must not lose the outcome.
  const { status } = await withRetries(
    () => inTransaction(db, (trx) => endCall(trx, jobs, lease, call)),
    { maxAttempts: 3, delayMs: (attempt) => 200 * attempt },
  );
  if (status === 'unsynced' && call.failure) throw call.failure;
  return status === 'done';
}

interface ProviderCall extends SyncResult {
  error: ProviderReason | null;
  retryAt?: Date;
  /** The queue decides when to try again. */
  failure?: JobFailedError;
}

async function endCall(
  trx: Transaction,
  jobs: JobQueue,
  lease: LeasedAlias,
  { retryAt, failure, ...outcome }: ProviderCall,
): Promise<Awaited<ReturnType<typeof endLease>>> {
  const { name } = lease;
  const isFailure = outcome.error !== null && outcome.error.code !== UNCONFIRMED;
  const isFirstFailure = isFailure && !(await hasFailingAlias(trx));
  const end = await endLease(trx, lease, outcome);
  if (isFirstFailure) {
    const data = { display_name: name, error: describeReason(outcome.error!) };
    const options = { jobs, allowances: NO_EVENT_LIMIT };
    await logServerEvent(trx, options, 'forwarding_failing', data);
  }
  if (end.status === 'unsynced' && !failure)
    await queueSync(trx, jobs, name, retryAt ?? end.callAgainAt);
  return end;
}

async function callProvider(
  { provider, jobs, timing, logger }: ReconcileDeps,
  { name, destination }: LeasedAlias,
  shutdownSignal: AbortSignal,
): Promise<ProviderCall> {
  const signal = AbortSignal.any([shutdownSignal, AbortSignal.timeout(timing.runTimeoutMs)]);
  try {
    if (destination === null) await provider.remove(name, signal);
    else await provider.put({ name, destination }, signal);
    return { isSynced: true, isUncertain: false, error: null };
  } catch (error) {
    const providerError = error instanceof ForwardingProviderError ? error : undefined;
    const outcome = { isSynced: false, isUncertain: providerError?.outcomeUnknown ?? true };
    if (shutdownSignal.aborted) return { ...outcome, error: null };
    const reason = redactAddresses(providerError?.reason ?? { code: 'internal' });
    const retryAt = providerError?.retryAt;
    if (retryAt && (providerError.code === 'PAUSED' || providerError.status === 429)) {
      if (jobs.pause(forwardingJob, retryAt))
        logger.warn({ until: retryAt }, 'the forwarding provider asked for a pause');
    } else {
      const logFields = providerError ? { code: providerError.code } : { err: error };
      logger.warn({ name, ...logFields }, 'forwarding waits for the provider');
    }
    const next = retryAt ? { retryAt } : { failure: new JobFailedError(describeReason(reason)) };
    return { ...outcome, error: reason, ...next };
  }
}

function redactAddresses({ code, values = {} }: ProviderReason): ProviderReason {
  const redacted = Object.entries(values).map(([name, value]) => [
    name,
    String(value).replace(EMAIL_ADDRESS, '…'),
  ]);
  return { code, values: Object.fromEntries(redacted) };
}
