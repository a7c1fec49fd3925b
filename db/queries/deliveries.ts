import { sql } from 'kysely';
import type { StoredMessage } from '#contract/refusal.ts';
import type { DeliveredEventType } from '#contract/shared/event-types.ts';
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
  const isReceiver = connectionId ? sql`id = ${connectionId}` : sql`${type} = ANY (event_types)`;
  const { rows } = await sql<{ connection_id: string }>`
    INSERT INTO deliveries (connection_id, type, data)
    SELECT id, ${type}, ${JSON.stringify(data)}::jsonb FROM connections
    WHERE account_id = ${accountId} AND disabled_at IS NULL AND ${isReceiver}
    FOR KEY SHARE
    RETURNING connection_id`.execute(trx);
  return rows.map(({ connection_id }) => connection_id);
}

/** A delivery that is sent by hand, out of order. */
export async function insertTest(db: Executor, connectionId: string): Promise<DeliveryRow> {
  return db
    .insertInto('deliveries')
    .values({ connection_id: connectionId, type: 'test', data: '{}', status: 'failed' })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function listPending(
  db: ReadDatabase,
  connectionId: string,
  limit: number,
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .select(columns)
    .where('connection_id', '=', connectionId)
    .where('status', '=', sql.lit('pending'))
    .orderBy('position')
    .limit(limit)
    .execute();
}

export type AttemptResult = Pick<
  DeliveryRow,
  'status' | 'error' | 'response_status' | 'response' | 'duration_ms'
>;

function updateAttempt(db: Executor, id: string, result: AttemptResult) {
  return db
    .updateTable('deliveries')
    .set({ ...result, attempts: sql<number>`attempts + 1`, attempted_at: sql<Date>`now()` })
    .where('id', '=', id);
}

/** Returns undefined if the delivery was deleted with its connection. */
export async function saveAttempt(
  db: Executor,
  id: string,
  result: AttemptResult,
): Promise<DeliveryRow | undefined> {
  return updateAttempt(db, id, result).returning(columns).executeTakeFirst();
}

/** Returns false if the delivery no longer waits. */
export async function savePendingAttempt(
  db: Executor,
  id: string,
  result: AttemptResult,
): Promise<boolean> {
  const { numUpdatedRows } = await updateAttempt(db, id, result)
    .where('status', '=', sql.lit('pending'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives up what waits, with `error` if there was no attempt. `olderThanSeconds` keeps newer ones. */
export async function failPending(
  db: Executor,
  connectionId: string,
  { error, olderThanSeconds = 0 }: { error: StoredMessage; olderThanSeconds?: number },
): Promise<void> {
  await sql`
    UPDATE deliveries SET status = 'failed', error = coalesce(error, ${JSON.stringify(error)}::jsonb)
    WHERE connection_id = ${connectionId} AND status = 'pending'
      AND created_at <= now() - ${olderThanSeconds} * interval '1 second'`.execute(db);
}

/** Keeps the `limit` latest finished ones of the connection. */
export async function deleteFinishedBeyond(
  db: Executor,
  connectionId: string,
  limit: number,
): Promise<void> {
  await sql`
    DELETE FROM deliveries WHERE connection_id = ${connectionId} AND status <> 'pending'
      AND position <= (
        SELECT position FROM deliveries WHERE connection_id = ${connectionId} AND status <> 'pending'
        ORDER BY position DESC OFFSET ${limit} LIMIT 1)`.execute(db);
}

/** Newest first. */
export async function listDeliveries(
  db: ReadDatabase,
  connectionId: string,
  limit: number,
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .select(columns)
    .where('connection_id', '=', connectionId)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
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

/** By connection: the number of deliveries that wait, and the one attempted last. */
export async function summarizeDeliveries(
  db: ReadDatabase,
  connectionIds: readonly string[],
): Promise<{ pending: Map<string, number>; last: Map<string, DeliveryRow> }> {
  const { rows } = await sql<{ connection_id: string; pending: number }>`
    SELECT connection_id, count(*)::integer AS pending FROM deliveries
    WHERE connection_id = ANY (${connectionIds}::uuid[]) AND status = 'pending'
    GROUP BY connection_id`.execute(db);
  const { rows: last } = await sql<DeliveryRow>`
    SELECT DISTINCT ON (connection_id) ${sql.join(columns.map((column) => sql.ref(column)))}
    FROM deliveries
    WHERE connection_id = ANY (${connectionIds}::uuid[]) AND attempted_at IS NOT NULL
    ORDER BY connection_id, attempted_at DESC`.execute(db);
  return {
    pending: new Map(rows.map(({ connection_id, pending }) => [connection_id, pending])),
    last: new Map(last.map((row) => [row.connection_id, row])),
  };
}
