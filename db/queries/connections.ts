import { type Insertable, sql, type UpdateObject } from 'kysely';
import { SERVER_EVENT_TYPES } from '#contract/shared/event-types.ts';
import type { Executor, ReadDatabase } from '../connections/handles.ts';
import type { Row, Schema } from '../schema.ts';

const columns = [
  'id',
  'account_id',
  'kind',
  'name',
  'event_types',
  'encrypted_url',
  'encrypted_secret',
  'encrypted_former_secret',
  'former_secret_until',
  'created_at',
  'disabled_at',
  'disabled_reason',
  'failures',
  'failing_since',
  'next_attempt_at',
] as const;

export type ConnectionRow = Row<'connections', (typeof columns)[number]>;
type ConnectionId = Pick<ConnectionRow, 'account_id' | 'id'>;

const maySend = sql<boolean>`disabled_at IS NULL
  AND NOT EXISTS (SELECT FROM accounts
    WHERE accounts.id IN (account_id, actor_id) AND suspended_at IS NOT NULL)`;

/** The newest 1,000 connections with an encrypted address. */
export async function listEncryptedConnections(
  db: ReadDatabase,
): Promise<Pick<ConnectionRow, 'account_id' | 'id' | 'encrypted_url'>[]> {
  return db
    .selectFrom('connections')
    .select(['id', 'account_id', 'encrypted_url'])
    .where('encrypted_url', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1_000)
    .execute();
}

export async function listConnections(
  db: ReadDatabase,
  accountId: string,
): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Connections whose last attempt failed, or that were disabled because the address is gone. */
export async function listFailingConnections(
  db: ReadDatabase,
  accountId: string,
): Promise<Pick<ConnectionRow, 'id' | 'name' | 'disabled_reason'>[]> {
  return db
    .selectFrom('connections')
    .select(['id', 'name', 'disabled_reason'])
    .where('account_id', '=', accountId)
    .where(
      sql<boolean>`(disabled_reason = 'gone' OR disabled_at IS NULL AND failing_since IS NOT NULL)`,
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findConnection(
  db: ReadDatabase,
  accountId: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connections')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertConnection(
  db: Executor,
  connection: Insertable<Schema['connections']>,
): Promise<ConnectionRow> {
  return db
    .insertInto('connections')
    .values(connection)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

const serverEventTypes = [...SERVER_EVENT_TYPES];

/** Whether the connection neither carries nor has deliveries of events of the server. */
export const hasNoServerEvents = sql<boolean>`NOT event_types && ${serverEventTypes}::text[]
  AND NOT EXISTS (SELECT FROM deliveries
    WHERE connection_id = connections.id AND type = ANY(${serverEventTypes}::text[]))`;

/** Returns undefined if the account has no such connection, or if it does not fulfil the condition. */
export async function updateConnection(
  db: Executor,
  { account_id, id }: ConnectionId,
  values: UpdateObject<Schema, 'connections'>,
  condition = sql<boolean>`true`,
): Promise<ConnectionRow | undefined> {
  return (
    db
      .updateTable('connections')
      // Keeps the statement valid if nothing changes.
      .set({ id, ...values })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where(condition)
      .returning(columns)
      .executeTakeFirst()
  );
}

export const SWITCHED_OFF = {
  disabled_at: sql<Date>`coalesce(disabled_at, now())`,
  disabled_reason: sql<'owner'>`coalesce(disabled_reason, 'owner')`,
};
export const WORKING = { failures: 0, failing_since: null, next_attempt_at: null };
export const SWITCHED_ON = { disabled_at: null, disabled_reason: null, ...WORKING };

export function newSecret(sealed: Buffer): UpdateObject<Schema, 'connections'> {
  return {
    encrypted_secret: sealed,
    encrypted_former_secret: sql<Buffer>`encrypted_secret`,
    former_secret_until: secondsFromNow(86_400),
  };
}

/** A connection that this server may send to. Its time identifies the lease. */
export type LeasedConnection = ConnectionRow & { leased_until: Date };

/**
 * A run that is stopped for longer than its lease may finish one attempt at the same time as its
 * successor, so a delivery can arrive twice with the same id. It then stops without ending the lease.
 *
 * Claims the connection for this server, unless another one sends, a failure was too recent, it is
 * switched off, or the account or the keeper who made it is suspended.
 */
export async function claimConnection(
  db: Executor,
  id: string,
  leaseSeconds: number,
): Promise<LeasedConnection | undefined> {
  return db
    .updateTable('connections')
    .set({ leased_until: secondsFromNow(leaseSeconds) })
    .where('id', '=', id)
    .where(maySend)
    .where(sql<boolean>`coalesce(leased_until <= now(), true)`)
    .where(sql<boolean>`coalesce(next_attempt_at <= now(), true)`)
    .returning(columns)
    .returning(sql<Date>`leased_until`.as('leased_until'))
    .executeTakeFirst();
}

/** Returns the new end, or undefined if another server has claimed the connection. */
export async function extendLease(
  db: Executor,
  row: LeasedConnection,
  seconds: number,
): Promise<Date | undefined> {
  const extended = await updateLeased(db, row, { leased_until: secondsFromNow(seconds) });
  return extended?.leased_until ?? undefined;
}

async function updateLeased(
  db: Executor,
  { account_id, id, leased_until }: LeasedConnection,
  values: UpdateObject<Schema, 'connections'>,
) {
  return db
    .updateTable('connections')
    .set(values)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .returning('leased_until')
    .executeTakeFirst();
}

/** After an attempt that succeeded. */
export async function endFailures(db: Executor, row: ConnectionId) {
  await updateConnection(db, row, WORKING);
}

export async function releaseConnection(db: Executor, row: LeasedConnection) {
  await updateLeased(db, row, { leased_until: null, next_attempt_at: null });
}

export async function pauseConnection(db: Executor, row: LeasedConnection, seconds: number) {
  await updateLeased(db, row, {
    leased_until: null,
    failures: sql<number>`failures + 1`,
    failing_since: sql<Date>`coalesce(failing_since, now())`,
    next_attempt_at: secondsFromNow(seconds),
  });
}

/** The receiver no longer accepts its address or token. */
export async function disableConnection(db: Executor, row: ConnectionId) {
  const disabled_at = sql<Date>`now()`;
  await updateConnection(db, row, { leased_until: null, disabled_at, disabled_reason: 'gone' });
}

/** When the connection can be claimed, or undefined if nothing waits or it must not send. */
export async function findNextAttempt(db: ReadDatabase, id: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    SELECT greatest(leased_until, next_attempt_at, now()) AS at FROM connections
    WHERE id = ${id} AND ${maySend}
      AND EXISTS (SELECT FROM deliveries WHERE connection_id = connections.id AND status = 'pending')`.execute(
    db,
  );
  return rows[0]?.at;
}

/** Connections with deliveries that wait: all, or those that an account has, or made for others. */
export async function listWaitingConnections(
  db: ReadDatabase,
  accountId: string | null = null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM connections
    WHERE (${accountId}::uuid IS NULL OR account_id = ${accountId} OR actor_id = ${accountId})
      AND id IN (SELECT connection_id FROM deliveries WHERE status = 'pending')`.execute(db);
  return rows.map(({ id }) => id);
}

function secondsFromNow(seconds: number) {
  // Whole milliseconds, so that a JavaScript Date keeps the exact value.
  return sql<Date>`date_trunc('milliseconds', now()) + ${seconds} * interval '1 second'`;
}
