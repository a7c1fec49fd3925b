import { deleteEventsBeyond, hasRecentEvent, insertEvent } from '#db/queries/events.ts';
import type { Executor, Transaction } from '#db/connections/handles.ts';

/**
 * Only some inserts, chosen at random, clean up, so on average about 5% more events than the limit
 * are stored.
 */
const CLEANUPS_PER_LIMIT = 20;

type NewEvent = Omit<Parameters<typeof insertEvent>[1], 'outcome'> & { outcome?: 'pending' };

/**
 * Keeps the latest `limit` security events and `limit` other events of an account. A limit of 0
 * keeps all events.
 */
export async function logEvent(db: Executor, event: NewEvent, limit: number): Promise<string> {
  const id = await insertEvent(db, { outcome: 'succeeded', ...event });
  if (limit > 0 && Math.random() * limit < CLEANUPS_PER_LIMIT)
    await deleteEventsBeyond(db, event.accountId, limit);
  return id;
}

/** Logs at most one change every ten minutes per API key or session, because editors save often. */
export async function logPageChange(
  trx: Transaction,
  { accountId, by }: { accountId: string; by: string },
  eventLimit: number,
): Promise<void> {
  const event = { accountId, type: 'page_changed', detail: { by } } as const;
  if (await hasRecentEvent(trx, event)) return;
  await logEvent(trx, event, eventLimit);
}
