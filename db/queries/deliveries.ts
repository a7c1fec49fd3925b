import { type RawBuilder, sql } from 'kysely';
import type { DeliveredEventType } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Row } from '#db/schema.ts';

const columns = [
  'id',
  'connection_id',
  'type',
  'data',
  'status',
  'attempts',
  'error',
  'response_status',
  'response',
  'duration_ms',
  'created_at',
  'attempted_at',
] as const;

/**
 * Statuses of a delivery:
 *
 * - `pending`: waits until its connection sends it (`saveAttempt`). After a temporary failure it keeps
 *   waiting.
 * - `delivered`: the receiver accepted it.
 * - `failed`: the receiver refused it, or it was given up: after three days of failures, with too many
 *   newer ones waiting, or with its connection off. `retryFailed` makes it `pending` again.
 *
 * An attempt by hand that fails changes nothing but `pending` to `failed`, unless its failure is
 * temporary: what arrived once stays `delivered`, so that `retryFailed` does not repeat it.
 */
export type DeliveryRow = Row<'deliveries', (typeof columns)[number]>;

export interface NewDelivery {
  type: DeliveredEventType;
  data: Record<string, unknown>;
}

/**
 * Inserts a delivery for each connection of the account that carries the event, and returns the ids of
 * these connections. With `connectionId`, only that connection gets it, whatever it carries.
 */
export async function insertDeliveries(
  trx: Transaction,
  { accountId, connectionId }: { accountId: string; connectionId?: string | null | undefined },
  { type, data }: NewDelivery,
): Promise<string[]> {
  const carried = type === 'alert_no_data' ? 'alert_firing' : type;
  const isReceiver = connectionId ? sql`id = ${connectionId}` : sql`${carried} = ANY (event_types)`;
  const { rows } = await sql<{ connection_id: string }>`
    INSERT INTO deliveries (connection_id, type, data)
    SELECT id, ${type}, ${JSON.stringify(data)}::jsonb FROM connections
    WHERE account_id = ${accountId} AND disabled_at IS NULL AND ${isReceiver}
    FOR KEY SHARE
    RETURNING connection_id`.execute(trx);
  return rows.map(({ connection_id }) => connection_id);
}

/** A delivery that is sent by hand, out of order. Returns undefined if the connection was deleted. */
export async function insertTest(
  db: Executor,
  connectionId: string,
  data: object,
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    INSERT INTO deliveries (connection_id, type, data, status)
    SELECT id, 'test', ${JSON.stringify(data)}, 'failed' FROM connections WHERE id = ${connectionId}
    FOR KEY SHARE
    RETURNING ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(db);
  return rows[0];
}

export async function findNextDelivery(
  db: ReadDatabase,
  connectionId: string,
): Promise<DeliveryRow | undefined> {
  return selectDeliveries(db, connectionId)
    .where(isPending)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
}

/** Newest first. At most half of them wait, so that others are seen during an outage, too. */
export async function listDeliveries(
  db: ReadDatabase,
  connectionId: string,
  types: readonly DeliveredEventType[],
): Promise<DeliveryRow[]> {
  return selectDeliveries(db, connectionId)
    .where('type', 'in', types)
    .where(sql<boolean>`NOT ${isBeyond(LIMITS.deliveries / 2, connectionId, isPending)}`)
    .orderBy('position', 'desc')
    .limit(LIMITS.deliveries)
    .execute();
}

function selectDeliveries(db: ReadDatabase, connectionId: string) {
  return db.selectFrom('deliveries').select(columns).where('connection_id', '=', connectionId);
}

/** `again`: a temporary failure. */
export type AttemptResult = Pick<
  DeliveryRow,
  'error' | 'response_status' | 'response' | 'duration_ms'
> & { status: 'delivered' | 'failed' | 'again' };

/** Returns undefined if the delivery was deleted with its connection. */
export async function saveAttempt(
  db: Executor,
  id: string,
  { status, ...result }: AttemptResult,
): Promise<DeliveryRow | undefined> {
  const unlessDelivered = sql<'failed'>`CASE status WHEN 'delivered' THEN status ELSE 'failed' END`;
  return db
    .updateTable('deliveries')
    .set({
      ...result,
      ...(status !== 'again' && { status: status === 'failed' ? unlessDelivered : status }),
      attempts: sql<number>`attempts + 1`,
      attempted_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

/**
 * Marks waiting deliveries as failed: all, or those that have waited for so long while their receiver
 * failed. `code` is the reason if there was no attempt.
 */
export async function failPending(
  db: Executor,
  connectionId: string,
  code: string,
  failingSeconds = 0,
): Promise<void> {
  await sql`
    UPDATE deliveries SET status = 'failed', error = coalesce(error, ${JSON.stringify({ code })}::jsonb)
    WHERE connection_id = ${connectionId} AND status = 'pending'
      AND greatest(created_at, coalesce(
        (SELECT failing_since FROM connections WHERE id = ${connectionId}), now()))
        <= now() - ${failingSeconds} * interval '1 second'`.execute(db);
  await trimDeliveries(db, connectionId);
}

/** Lets the failed deliveries of these types wait again, and returns their number. */
export async function retryFailed(
  db: Executor,
  connectionId: string,
  types: readonly DeliveredEventType[],
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ status: 'pending' })
    .where('connection_id', '=', connectionId)
    .where('status', '=', 'failed')
    .where('type', 'in', types)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Gives up the oldest ones that wait, and deletes the oldest finished ones, beyond their limits. */
export async function trimDeliveries(db: Executor, connectionId: string): Promise<void> {
  await sql`
    UPDATE deliveries SET status = 'failed', error = '{"code": "deliveryDropped"}'
    WHERE connection_id = ${connectionId}
      AND ${isBeyond(LIMITS.pendingDeliveries, connectionId, isPending)}`.execute(db);
  await sql`
    DELETE FROM deliveries WHERE connection_id = ${connectionId}
      AND ${isBeyond(LIMITS.deliveries, connectionId, isFinished)}`.execute(db);
}

const isPending = sql<boolean>`status = 'pending'`;
const isFinished = sql<boolean>`status <> 'pending'`;

/** Whether `limit` newer deliveries have the same state. */
function isBeyond(limit: number, connectionId: string, state: RawBuilder<boolean>) {
  return sql<boolean>`(${state} AND position <= coalesce((
    SELECT position FROM deliveries WHERE connection_id = ${connectionId} AND ${state}
    ORDER BY position DESC OFFSET ${limit} LIMIT 1), 0))`;
}

export async function findDelivery(
  db: ReadDatabase,
  accountId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('deliveries')
    .innerJoin('connections', 'connections.id', 'deliveries.connection_id')
    .select(columns.map((column) => `deliveries.${column}` as const))
    .where('account_id', '=', accountId)
    .where('deliveries.id', '=', id)
    .executeTakeFirst();
}

/** By connection: the number of deliveries that wait, and the one of these types attempted last. */
export async function summarizeDeliveries(
  db: ReadDatabase,
  connectionIds: readonly string[],
  types: readonly DeliveredEventType[],
): Promise<{ pending: Map<string, number>; last: Map<string, DeliveryRow> }> {
  const { rows } = await sql<{ connection_id: string; pending: number }>`
    SELECT connection_id, count(*)::integer AS pending FROM deliveries
    WHERE connection_id = ANY (${connectionIds}::uuid[]) AND status = 'pending'
    GROUP BY connection_id`.execute(db);
  const { rows: last } = await sql<DeliveryRow>`
    SELECT DISTINCT ON (connection_id) ${sql.join(columns.map((column) => sql.ref(column)))}
    FROM deliveries
    WHERE connection_id = ANY (${connectionIds}::uuid[]) AND attempted_at IS NOT NULL
      AND type = ANY (${types}::text[])
    ORDER BY connection_id, attempted_at DESC`.execute(db);
  return {
    pending: new Map(rows.map(({ connection_id, pending }) => [connection_id, pending])),
    last: new Map(last.map((row) => [row.connection_id, row])),
  };
}
