import { type Kysely, type Transaction, sql } from 'kysely';
import type { EventType } from '../../contract/owner/events.ts';
import type { Database } from '../schema.ts';

const AT_A_TIME = 5_000;

/** Logs that something happened, or with the outcome `pending` that it is about to. Returns its id. */
export async function insertEvent(
  db: Kysely<Database>,
  event: {
    accountId: string;
    type: EventType;
    outcome: Database['events']['outcome'];
    detail: Record<string, unknown>;
  },
): Promise<string> {
  const { id } = await db
    .insertInto('events')
    .values({
      account_id: event.accountId,
      type: event.type,
      outcome: event.outcome,
      detail: JSON.stringify(event.detail),
      completed_at: event.outcome === 'pending' ? null : sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Logs that somebody was refused who tried to log in with a key that there is, unless that was told
 * within ten minutes: whoever knows the id of a key fills no list with it.
 */
export async function insertRefusedLogin(
  trx: Transaction<Database>,
  { keyId, reason }: { keyId: string; reason: string },
): Promise<void> {
  // Of several at once one waits for the other, and then sees what it wrote.
  await sql`SELECT FROM api_keys WHERE id = ${keyId} FOR NO KEY UPDATE`.execute(trx);
  const detail = JSON.stringify({ via: 'key', key_id: keyId, reason });
  await sql`
    INSERT INTO events (account_id, type, outcome, detail, completed_at)
    SELECT account_id, 'login_failed', 'failed', ${detail}::jsonb, now() FROM api_keys
    WHERE id = ${keyId} AND NOT EXISTS (
      SELECT FROM events WHERE events.account_id = api_keys.account_id AND type = 'login_failed'
        AND detail->>'key_id' = api_keys.id AND created_at > now() - interval '10 minutes')
  `.execute(trx);
}

/** Completes a pending event and adds to its detail. */
export async function completeEvent(
  db: Kysely<Database>,
  id: string,
  { outcome, detail }: { outcome: 'succeeded' | 'failed'; detail: Record<string, unknown> },
): Promise<void> {
  await db
    .updateTable('events')
    .set({
      outcome,
      completed_at: sql<Date>`now()`,
      detail: sql<string>`detail || ${JSON.stringify(detail)}::jsonb`,
    })
    .where('id', '=', id)
    .execute();
}

/** Deletes the oldest events of an account beyond the `most` latest, so many at a time that no statement takes long. */
export async function deleteEventsBeyond(
  db: Kysely<Database>,
  accountId: string,
  most: number,
): Promise<void> {
  await db
    .deleteFrom('events')
    .where('id', 'in', (query) =>
      query
        .selectFrom('events')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(most)
        .limit(AT_A_TIME)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/** Deletes the events that are older than so many days, none if that is 0. */
export async function deleteOldEvents(db: Kysely<Database>, days: number): Promise<void> {
  while (days > 0) {
    const { numDeletedRows } = await db
      .deleteFrom('events')
      .where('id', 'in', (query) =>
        query
          .selectFrom('events')
          .select('id')
          .where('created_at', '<', sql<Date>`now() - ${days} * interval '1 day'`)
          .orderBy('created_at')
          .limit(AT_A_TIME),
      )
      .executeTakeFirstOrThrow();
    if (numDeletedRows < AT_A_TIME) return;
  }
}

export interface EventRow {
  id: string;
  type: EventType;
  outcome: Database['events']['outcome'];
  detail: Record<string, unknown>;
  created_at: Date;
  completed_at: Date | null;
}

/** The latest events of an account, newest first, or those before the one of the id `after`. */
export async function listEvents(
  db: Kysely<Database>,
  accountId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<EventRow[]> {
  let events = db
    .selectFrom('events')
    .select(['id', 'type', 'outcome', 'detail', 'created_at', 'completed_at'])
    .where('account_id', '=', accountId);
  if (after !== undefined) {
    const last = sql`(SELECT created_at FROM events WHERE account_id = ${accountId} AND id = ${after})`;
    events = events
      .where(sql<boolean>`created_at <= ${last}`)
      .where(sql<boolean>`(created_at < ${last} OR id > ${after}::uuid)`);
  }
  return events.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
}

/** Whether an account has an event of the id. */
export async function hasEvent(
  db: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<boolean> {
  const event = await db
    .selectFrom('events')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return event !== undefined;
}
