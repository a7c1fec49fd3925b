import type { Reads } from '#db/connections/databases.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

export type StopReason = Database['chat_stops']['reason'];

/** A time during which the chat platform is not called, as it is seen now. */
export interface ChatStop {
  subject: string;
  reason: StopReason;
  /** Until it ends. */
  seconds: number;
}

/**
 * The stop that holds now for one of the subjects, if any; a webhook's own comes last. If none
 * holds, one of the whole platform that is over, which may be tried.
 */
export async function findChatStop(
  db: Kysely<Database>,
  subjects: readonly string[],
): Promise<ChatStop | undefined> {
  return db
    .selectFrom('chat_stops')
    .select(['subject', 'reason'])
    .select(sql<number>`extract(epoch FROM until - now())::float8`.as('seconds'))
    .where('subject', 'in', subjects)
    .where((eb) => eb.or([eb('until', '>', sql<Date>`now()`), eb('subject', 'like', 'platform:%')]))
    .orderBy(sql`until > now()`, 'desc')
    .orderBy('subject')
    .limit(1)
    .executeTakeFirst();
}

/** Stops the calls about a subject from now on; of two stops the one that lasts longer holds. */
export async function upsertChatStop(db: Kysely<Database>, stop: ChatStop): Promise<void> {
  await db
    .insertInto('chat_stops')
    .values({
      subject: stop.subject,
      reason: stop.reason,
      until: sql<Date>`now() + ${stop.seconds} * interval '1 second'`,
    })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet({
          reason: sql<StopReason>`excluded.reason`,
          until: sql<Date>`excluded.until`,
        })
        .where(sql<boolean>`excluded.until > chat_stops.until`),
    )
    .execute();
}

/** Lets a stop that is over last for some more seconds; false if somebody else did so before. */
export async function extendChatStop(
  db: Kysely<Database>,
  { subject, seconds }: { subject: string; seconds: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('chat_stops')
    .set({ until: sql<Date>`now() + ${seconds} * interval '1 second'` })
    .where('subject', '=', subject)
    .where('until', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteChatStop(db: Kysely<Database>, subject: string): Promise<void> {
  await db.deleteFrom('chat_stops').where('subject', '=', subject).execute();
}

/** How many stops hold now, by what they are about (`webhook`, `account` or `platform`) and why. */
export async function countChatStops(
  db: Reads,
): Promise<{ subject: string; reason: StopReason; count: number }[]> {
  return db
    .selectFrom('chat_stops')
    .select(sql<string>`split_part(subject, ':', 1)`.as('subject'))
    .select('reason')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('until', '>', sql<Date>`now()`)
    .groupBy([sql`1`, 'reason'])
    .execute();
}

/** Deletes stops that are over. */
export async function deleteExpiredChatStops(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('chat_stops')
    .where('until', '<', sql<Date>`now()`)
    .execute();
}
