import { type Insertable, sql } from 'kysely';
import type { CarriedEventType } from '#contract/shared/event-types.ts';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Row, Schema } from '#db/schema.ts';
import { countRows } from './rows.ts';

const columns = [
  'id',
  'account_id',
  'kind',
  'name',
  'encrypted_url',
  'event_types',
  'created_at',
  'disabled_at',
  'disabled_reason',
  'failing_since',
  'next_attempt_at',
] as const;

export type ConnectionRow = Row<'connections', (typeof columns)[number]>;

const secretColumns = [
  'encrypted_secret',
  'encrypted_former_secret',
  'former_secret_until',
  'failures',
] as const;

/** Everything that sending needs. */
export type Receiver = ConnectionRow & Row<'connections', (typeof secretColumns)[number]>;

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

export async function countConnections(db: ReadDatabase, accountId: string): Promise<number> {
  return countRows(db, sql`connections WHERE account_id = ${accountId}`);
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

export async function findReceiver(
  db: ReadDatabase,
  accountId: string,
  id: string,
): Promise<Receiver | undefined> {
  return db
    .selectFrom('connections')
    .select([...columns, ...secretColumns])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Locks the connection against deletion. Returns false if the account has no such connection. */
export async function lockConnection(
  trx: Transaction,
  accountId: string,
  id: string,
): Promise<boolean> {
  const connection = await trx
    .selectFrom('connections')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return connection !== undefined;
}

/** Switching it on also ends a pause after failures. */
export async function updateConnection(
  db: Executor,
  { accountId, id }: { accountId: string; id: string },
  {
    name,
    event_types,
    enabled,
  }: {
    name?: string | undefined;
    event_types?: CarriedEventType[] | undefined;
    enabled?: boolean | undefined;
  },
): Promise<ConnectionRow | undefined> {
  return db
    .updateTable('connections')
    .set({
      // Keeps the statement valid if nothing changes.
      account_id: accountId,
      ...(name !== undefined && { name }),
      ...(event_types && { event_types }),
      ...(enabled === false && {
        disabled_at: sql<Date>`coalesce(disabled_at, now())`,
        disabled_reason: sql<'owner'>`coalesce(disabled_reason, 'owner')`,
      }),
      ...(enabled === true && {
        ...{ disabled_at: null, disabled_reason: null },
        ...{ failures: 0, failing_since: null, next_attempt_at: null },
      }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

export async function replaceSecret(
  db: Executor,
  { id }: Pick<ConnectionRow, 'id'>,
  encryptedSecret: Buffer,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({
      encrypted_secret: encryptedSecret,
      encrypted_former_secret: sql<Buffer>`encrypted_secret`,
      former_secret_until: sql<Date>`now() + interval '24 hours'`,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Claims the connection for this server, unless another one sends, a failure was too recent, it is
 * switched off or the account is suspended.
 */
export async function claimReceiver(
  db: Executor,
  id: string,
  leaseSeconds: number,
): Promise<Receiver | undefined> {
  return db
    .updateTable('connections')
    .set({ leased_until: secondsFromNow(leaseSeconds) })
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .where(sql<boolean>`coalesce(leased_until <= now(), true)`)
    .where(sql<boolean>`coalesce(next_attempt_at <= now(), true)`)
    .where(sql<boolean>`(SELECT suspended_at IS NULL FROM accounts WHERE accounts.id = account_id)`)
    .returning([...columns, ...secretColumns])
    .executeTakeFirst();
}

/** When the connection can be claimed, or undefined if nothing waits or it must not send. */
export async function findNextAttempt(db: ReadDatabase, id: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    SELECT greatest(leased_until, next_attempt_at, now()) AS at FROM connections
    WHERE id = ${id} AND disabled_at IS NULL
      AND (SELECT suspended_at IS NULL FROM accounts WHERE accounts.id = account_id)
      AND EXISTS (SELECT FROM deliveries WHERE connection_id = connections.id AND status = 'pending')`.execute(
    db,
  );
  return rows[0]?.at;
}

export async function extendLease(db: Executor, id: string, leaseSeconds: number): Promise<void> {
  await db
    .updateTable('connections')
    .set({ leased_until: secondsFromNow(leaseSeconds) })
    .where('id', '=', id)
    .execute();
}

export async function endFailures(db: Executor, id: string): Promise<void> {
  await db
    .updateTable('connections')
    .set({ failures: 0, failing_since: null })
    .where('id', '=', id)
    .execute();
}

/** Without `retrySeconds`, the last attempt did not fail. */
export async function releaseReceiver(
  db: Executor,
  id: string,
  retrySeconds?: number,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({
      leased_until: null,
      ...(retrySeconds === undefined
        ? { next_attempt_at: null }
        : {
            failures: sql<number>`failures + 1`,
            failing_since: sql<Date>`coalesce(failing_since, now())`,
            next_attempt_at: secondsFromNow(retrySeconds),
          }),
    })
    .where('id', '=', id)
    .execute();
}

export async function disableReceiver(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('connections')
    .set({ leased_until: null, disabled_at: sql<Date>`now()`, disabled_reason: 'gone' })
    .where('id', '=', id)
    .execute();
}

/** Connections of the account with deliveries that wait. */
export async function listWaitingConnections(
  db: ReadDatabase,
  accountId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('account_id', '=', accountId)
    .where(
      sql<boolean>`EXISTS (SELECT FROM deliveries WHERE connection_id = connections.id AND status = 'pending')`,
    )
    .execute();
  return rows.map(({ id }) => id);
}

export async function listAllWaitingConnections(db: ReadDatabase): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT connection_id AS id FROM deliveries WHERE status = 'pending'`.execute(db);
  return rows.map(({ id }) => id);
}

function secondsFromNow(seconds: number) {
  return sql<Date>`now() + ${seconds} * interval '1 second'`;
}
