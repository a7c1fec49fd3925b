import type { Kysely, Transaction } from 'kysely';
import { deleteEventsBeyond, hasRecentEvent, insertEvent } from '#db/queries/events.ts';
import type { Database } from '#db/schema.ts';

/** With a limit of n, about 20 in n inserts trigger a clean-up. */
const CLEANUPS_PER_LIMIT = 20;

type NewEvent = Omit<Parameters<typeof insertEvent>[1], 'outcome'> & { outcome?: 'pending' };

/**
 * Keeps the latest `limit` security events of the account, and as many other events, so that neither kind
 * displaces the other. 0 keeps all. Old events are deleted at random inserts, so that servers need not
 * count: an account has about 5 % too many events.
 */
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

/** Logs at most one change in ten minutes for each API key or session, because editors save often. */
export async function logPageChange(
  trx: Transaction<Database>,
  { accountId, by }: { accountId: string; by: string },
  eventLimit: number,
): Promise<void> {
  const event = { accountId, type: 'page_changed', detail: { by } } as const;
  if (await hasRecentEvent(trx, event)) return;
  await logEvent(trx, event, eventLimit);
}
