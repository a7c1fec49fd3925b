import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import {
  type Outcome,
  type TakenName,
  countAttempts,
  returnName,
  takeName,
} from '../../../db/queries/forwarding/forwarding-names.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { type Provider, ProviderError, explainProviderFailure } from './provider.ts';
import { type Timing, backoff } from './timing.ts';

/** An email address in a sentence; providers repeat those that they were given. */
const ADDRESS = /[\w.'+&=/~#*^{}|$-]+@[A-Za-z0-9.-]*[A-Za-z0-9]/g;

/** Result of reconciling a name: `settled` if the provider agrees now. */
export type Reconciled = 'settled' | 'waiting' | 'busy';

export interface Reconciler {
  db: Kysely<Database>;
  provider: Provider;
  timing: Timing;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  /** Writes the job of another run in the same transaction. */
  wake: (trx: Transaction<Database>, name: string, at?: Date) => Promise<void>;
  /** Starts no runs until the end of a pause that the provider asks for. */
  pause: (until: Date) => void;
}

/**
 * Makes the provider agree about a name: looks up what is wanted now, asks the provider without a
 * transaction open, and stores the result. One run at a time for a name, among all servers.
 */
export async function reconcile(
  work: Reconciler,
  name: string,
  stopping = new AbortController().signal,
): Promise<Reconciled> {
  const { db, timing, wake } = work;
  const taken = await inTransaction(db, async (trx) => {
    const result = await takeName(trx, name, timing);
    if (result instanceof Date) await wake(trx, name, result);
    return result;
  });
  if (taken === 'settled') return 'settled';
  if (taken instanceof Date) return 'busy';
  const outcome = await ask(work, taken, stopping);
  const again = await persist(() =>
    inTransaction(db, async (trx) => {
      const when = await returnName(trx, taken, outcome);
      if (when !== undefined) await wake(trx, name, when === 'now' ? undefined : when);
      return when;
    }),
  );
  return again === undefined ? 'settled' : 'waiting';
}

async function ask(
  work: Reconciler,
  { name, wanted }: TakenName,
  stopping: AbortSignal,
): Promise<Outcome> {
  const { provider, timing } = work;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timing.runMs)]);
  try {
    if (wanted === null) await provider.remove(name, signal);
    else await provider.put({ name, destination: wanted }, signal);
    return { agreed: true, failed: false, unknown: false, error: null, nextTryAt: null };
  } catch (error) {
    const known = error instanceof ProviderError ? error : undefined;
    const outcome = {
      agreed: false,
      failed: false,
      unknown: known?.outcomeUnknown ?? true,
      error: null,
      nextTryAt: null,
    };
    if (stopping.aborted) return outcome;
    const sentence = explainProviderFailure(error).replace(ADDRESS, '…');
    const retryAt = known?.retryAt?.getTime() ?? 0;
    if (known?.code === 'PAUSED' || known?.status === 429) {
      work.pause(new Date(retryAt));
      // Spread the retries, so that not all start at once.
      const nextTryAt = new Date(retryAt + Math.random() * timing.retryMs);
      return { ...outcome, error: sentence, nextTryAt };
    }
    const at = Date.now() + backoff(timing, await countAttempts(work.db, name));
    const nextTryAt = new Date(Math.max(at, retryAt));
    work.logger.warn(
      { name, nextTryAt, ...(known ? { code: known.code } : { err: error }) },
      'forwarding waits for the provider',
    );
    return { ...outcome, failed: true, error: sentence, nextTryAt };
  }
}

/** Stores what the provider did, also after a moment's trouble with the database. */
async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await write();
    } catch (error) {
      if (attempt === 3) throw error;
      await sleep(200 * attempt);
    }
}
