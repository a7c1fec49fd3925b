import { sql } from 'kysely';
import {
  type EventType,
  EVENT_TYPES_BY_KIND,
  PROBLEM_EVENT_TYPES,
} from '#contract/shared/event-types.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row } from '../schema.ts';
import { selectLockedAccount } from './accounts.ts';
import { exists, isAfter } from './rows.ts';

const BATCH_SIZE = 5_000;

/** Returns the id. An event with the outcome `pending` is completed later. */
export async function insertEvent(
  db: Executor,
  event: {
    accountId: string;
    type: EventType;
    outcome: EventRow['outcome'];
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
 * Stores at most one event in ten minutes per key, so that an attacker who knows a key's id cannot
 * fill the event list.
 */
export async function insertFailedLogin(
  trx: Transaction,
  { keyId, reason }: { keyId: string; reason: string },
): Promise<void> {
  // The lock makes parallel calls wait, so that they see the first call's event.
  const key = await trx
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select('account_id')
    .where('api_keys.id', '=', keyId)
    .forNoKeyUpdate('accounts')
    .executeTakeFirst();
  if (!key) return;
  const { account_id: accountId } = key;
  await insertOncePerTenMinutes(trx, accountId, { via: 'key', key_id: keyId, reason });
}

/** Stores at most one event per passkey in ten minutes. */
export async function insertRefusedPasskey(
  trx: Transaction,
  accountId: string,
  passkeyId: string,
): Promise<void> {
  await selectLockedAccount(trx, accountId).execute();
  const detail = { via: 'passkey', passkey_id: passkeyId, reason: 'passkeyCounterTooLow' };
  await insertOncePerTenMinutes(trx, accountId, detail);
}

async function insertOncePerTenMinutes(
  trx: Transaction,
  accountId: string,
  detail: { via: string; reason: string; [id: string]: string },
): Promise<void> {
  const { reason: _reason, ...credential } = detail;
  const recentEvent = sql`events WHERE account_id = ${accountId} AND type = 'login_failed'
    AND detail @> ${JSON.stringify(credential)}::jsonb
    AND created_at > now() - interval '10 minutes'`;
  if (await exists(trx, recentEvent)) return;
  await insertEvent(trx, { accountId, type: 'login_failed', outcome: 'failed', detail });
}

/** Whether the same key or session caused an event of this type in the last ten minutes. */
export async function hasRecentEvent(
  db: ReadDatabase,
  { accountId, type, detail }: { accountId: string; type: EventType; detail: { by: string } },
): Promise<boolean> {
  return exists(
    db,
    sql`events WHERE account_id = ${accountId} AND created_at > now() - interval '10 minutes'
      AND type = ${type} AND detail->>'by' = ${detail.by}`,
  );
}

export async function completeEvent(
  db: Executor,
  { accountId, id }: { accountId: string; id: string },
  { outcome, detail }: { outcome: 'succeeded' | 'failed'; detail: Record<string, unknown> },
): Promise<void> {
  await db
    .updateTable('events')
    .set({
      outcome,
      completed_at: sql<Date>`now()`,
      detail: sql<string>`detail || ${JSON.stringify(detail)}::jsonb`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

const { login, key, account } = EVENT_TYPES_BY_KIND;

/**
 * Events about access: logins, keys, passkeys, suspensions and new forwarding addresses. They have
 * a limit of their own, so that other events, which can be thousands, do not displace them.
 */
const isSecurityEvent = sql<boolean>`(
  type IN (${sql.join([...login, ...key, ...account].map((type) => sql.lit(type)))})
  OR detail @> '{"destination_changed": true}')`;

/** Rare events, which stay until the summary of their week is sent. */
const isInWeekSummary = sql<boolean>`(created_at > now() - interval '15 days' AND type IN (
  'contact_message_received', 'member_joined', 'member_left', 'page_reported', 'backup_failed'))`;

/**
 * Deletes events beyond the `limit` latest security events and the `limit` latest others, at most
 * `BATCH_SIZE` of each per call. Events of the next weekly summary stay.
 */
export async function deleteEventsBeyond(
  db: Executor,
  accountId: string,
  limit: number,
): Promise<void> {
  for (const isSecurity of [true, false])
    await db
      .deleteFrom('events')
      .where('account_id', '=', accountId)
      .where('id', 'in', (query) =>
        query
          .selectFrom('events')
          .select('id')
          .where('account_id', '=', accountId)
          .where(sql<boolean>`${isSecurityEvent} = ${isSecurity} AND NOT ${isInWeekSummary}`)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .offset(limit)
          .limit(BATCH_SIZE)
          .forUpdate()
          .skipLocked(),
      )
      .execute();
}

export async function deleteOldEvents(db: Executor, days: number): Promise<void> {
  while (days > 0) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM events WHERE (account_id, id) IN (
        SELECT account_id, id FROM events WHERE created_at < now() - ${days} * interval '1 day'
        ORDER BY created_at LIMIT ${BATCH_SIZE}
      )`.execute(db);
    if (numAffectedRows < BATCH_SIZE) return;
  }
}

const columns = ['id', 'type', 'outcome', 'detail', 'created_at', 'completed_at'] as const;

export type EventRow = Row<'events', (typeof columns)[number]>;

/** Newest first, starting after the event with the id `after`. */
export async function listEvents(
  db: ReadDatabase,
  accountId: string,
  {
    limit,
    after,
    types,
    failed = false,
  }: {
    limit: number;
    after?: string | undefined;
    types?: readonly EventType[] | undefined;
    failed?: boolean;
  },
): Promise<EventRow[]> {
  let events = db.selectFrom('events').select(columns).where('account_id', '=', accountId);
  if (types) events = events.where('type', '=', sql<EventType>`ANY (${types}::text[])`);
  if (failed)
    events = events.where((eb) =>
      eb.or([eb('outcome', '=', 'failed'), eb('type', 'in', PROBLEM_EVENT_TYPES)]),
    );
  if (after !== undefined)
    events = events.where(
      isAfter('events', after, sql`account_id = ${accountId} AND id = ${after}`),
    );
  return events.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
}

export async function countEvents(db: ReadDatabase, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('events')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of events on these days (UTC), both included. */
export async function countEventsByType<Type extends EventType>(
  db: ReadDatabase,
  accountId: string,
  { types, since, until }: { types: readonly Type[]; since: string; until: string },
): Promise<Record<Type, number>> {
  const { rows } = await sql<{ type: Type; count: number }>`
    SELECT type, count(*)::int AS count FROM events
    WHERE account_id = ${accountId} AND type = ANY (${types}::text[])
      AND created_at >= ${since}::date::timestamp AT TIME ZONE 'UTC'
      AND created_at < (${until}::date + 1)::timestamp AT TIME ZONE 'UTC'
    GROUP BY type`.execute(db);
  const counts = new Map(rows.map(({ type, count }) => [type, count]));
  return Object.fromEntries(types.map((type) => [type, counts.get(type) ?? 0])) as Record<
    Type,
    number
  >;
}

/** Domains verified in the last 24 hours, oldest first, including those removed since. */
export async function listRecentDomainVerifications(
  db: ReadDatabase,
): Promise<{ account_id: string; domain: string; created_at: Date }[]> {
  return (
    db
      .selectFrom('events')
      .select(['account_id', sql<string>`detail->>'domain'`.as('domain'), 'created_at'])
      // A parameter would prevent the use of the partial index.
      .where('type', '=', sql.lit('domain_verified'))
      .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
      .orderBy('created_at')
      .execute()
  );
}

export async function hasEvent(db: ReadDatabase, accountId: string, id: string): Promise<boolean> {
  return exists(db, sql`events WHERE account_id = ${accountId} AND id = ${id}`);
}
