import type { ReadDatabase } from '#db/connections/read-database.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

export type StopReason = Database['chat_stops']['reason'];

export interface ChatStop {
  subject: string;
  reason: StopReason;
  seconds: number;
}

/**
 * Returns an active stop of one of the subjects. Otherwise returns an expired stop of the platform, so that the
 * caller can test whether the platform works again.
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

/** Keeps an existing stop that lasts longer. */
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

/** Extends an expired stop, so that only one caller tests the platform. Returns false if another caller was first. */
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

export async function countChatStops(
  db: ReadDatabase,
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

export async function deleteExpiredChatStops(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('chat_stops')
    .where('until', '<', sql<Date>`now()`)
    .execute();
}
