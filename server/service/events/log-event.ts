import type { Kysely } from 'kysely';
import { deleteEventsBeyond, insertEvent } from '../../../db/queries/events.ts';
import type { Database } from '../../../db/schema.ts';

/** Of so many of the events that are kept one looks for those that are too many. */
const SHARE = 20;

type SentEvent = Omit<Parameters<typeof insertEvent>[1], 'outcome'> & { outcome?: 'pending' };

/**
 * Logs an event, which succeeded unless it is pending, and keeps of its account the `most` latest about
 * security and as many others, so that neither pushes the other out; 0 keeps all. Which event looks for those that are too many is left to chance, so that no server counts:
 * there are a twentieth too many, about.
 */
export async function logEvent(
  db: Kysely<Database>,
  event: SentEvent,
  most: number,
): Promise<string> {
  const id = await insertEvent(db, { outcome: 'succeeded', ...event });
  if (most > 0 && Math.random() * most < SHARE) await deleteEventsBeyond(db, event.accountId, most);
  return id;
}
