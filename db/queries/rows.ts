import { sql, type RawBuilder } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';

type Table =
  | 'accounts'
  | 'applications'
  | 'audit_log'
  | 'invitations'
  | 'message_recipients'
  | 'messages'
  | 'reports';

/** `source` is a table with a condition: `operators WHERE account_id = …`. */
export async function exists(db: ReadDatabase, source: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`SELECT FROM ${source} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** `source` as for `exists`. */
export async function countRows(db: ReadDatabase, source: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM ${source}`.execute(db);
  return rows[0]!.count;
}

export function hasRow(db: ReadDatabase, table: Table, id: string): Promise<boolean> {
  return exists(db, sql`${sql.table(table)} WHERE id = ${id}`);
}

/** Returns false if the account has no such row. */
export async function deleteOwnRow(
  db: Executor,
  table: 'alerts' | 'connections' | 'pictures' | 'sessions',
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM ${sql.table(table)} WHERE account_id = ${accountId} AND id = ${id}`.execute(db);
  return numAffectedRows > 0n;
}

/** A passkey or a single sign-on user. Returns undefined if the account has no such login. */
export async function deleteLoginMethod(
  db: Executor,
  table: 'identities' | 'passkeys',
  { accountId, id }: { accountId: string; id: string },
): Promise<{ label: string | null } | undefined> {
  const { rows } = await sql<{ label: string | null }>`
    DELETE FROM ${sql.table(table)} WHERE account_id = ${accountId} AND id = ${id}
    RETURNING label`.execute(db);
  return rows[0];
}

/**
 * Whether a row comes after the row with the id `after` in a list with the newest first. `isLast`
 * finds that row by its primary key. The first comparison lets PostgreSQL use the index.
 */
export function isAfter(
  table: Table | 'events' | 'key_requests',
  after: string,
  isLast = sql`id = ${after}`,
): RawBuilder<boolean> {
  const createdAt = sql.ref(`${table}.created_at`);
  const last = sql`(SELECT created_at FROM ${sql.table(table)} WHERE ${isLast})`;
  return sql<boolean>`(${createdAt} <= ${last}
    AND (${createdAt} < ${last} OR ${sql.ref(`${table}.id`)} > ${after}::uuid))`;
}
