import type { Kysely, Transaction } from 'kysely';
import { deleteEventsBeyond, hasRecentEvent, insertEvent } from '#db/queries/events.ts';
import type { Database } from '#db/schema.ts';

/** One event in a twentieth of the limit looks for events beyond it. */
const SHARE = 20;

type SentEvent = Omit<Parameters<typeof insertEvent>[1], 'outcome'> & { outcome?: 'pending' };

/**
 * Logs an event, which succeeded unless it is pending. Keeps the `limit` latest events of its account
 * about security and as many others, so that neither pushes the other out; 0 keeps all. Chance decides
 * whether one looks for events beyond that, so that no server counts: the list is up to about a
 * twentieth too long.
 */
export async function logEvent(
  db: Kysely<Database>,
  event: SentEvent,
  limit: number,
): Promise<string> {
  const id = await insertEvent(db, { outcome: 'succeeded', ...event });
  if (limit > 0 && Math.random() * limit < SHARE)
    await deleteEventsBeyond(db, event.accountId, limit);
  return id;
}

/** Logs a change of the page, at most once in ten minutes for each key or session: editors save often. */
export async function logPageChange(
  trx: Transaction<Database>,
  { accountId, by }: { accountId: string; by: string },
  eventLimit: number,
): Promise<void> {
  const event = { accountId, type: 'page_changed', detail: { by } } as const;
  if (await hasRecentEvent(trx, event)) return;
  await logEvent(trx, event, eventLimit);
}
