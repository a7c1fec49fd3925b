import type { Kysely, Transaction } from 'kysely';
import { deleteEventsBeyond, hasRecentEvent, insertEvent } from '#db/queries/events.ts';
import type { Database } from '#db/schema.ts';

/** Inserts clean up at random, so about 5 % more events than the limit are stored. */
const CLEANUPS_PER_LIMIT = 20;

type NewEvent = Omit<Parameters<typeof insertEvent>[1], 'outcome'> & { outcome?: 'pending' };

/** Keeps the latest `limit` security events and `limit` other events of an account. 0 keeps all. */
export async function logEvent(
  db: Kysely<Database>,
  event: NewEvent,
  limit: number,
): Promise<string> {
  const id = await insertEvent(db, { outcome: 'succeeded', ...event });
  if (limit > 0 && Math.random() * limit < CLEANUPS_PER_LIMIT)
    await deleteEventsBeyond(db, event.accountId, limit);
  return id;
}

/** Logs at most one change per ten minutes and API key or session, because editors save often. */
export async function logPageChange(
  trx: Transaction<Database>,
  { accountId, by }: { accountId: string; by: string },
  eventLimit: number,
): Promise<void> {
  const event = { accountId, type: 'page_changed', detail: { by } } as const;
  if (await hasRecentEvent(trx, event)) return;
  await logEvent(trx, event, eventLimit);
}
