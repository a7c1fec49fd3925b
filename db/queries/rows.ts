import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from '../connections/handles.ts';

type Table = 'audit_log' | 'invitations' | 'reports';

export async function hasRow(db: ReadDatabase, table: Table, id: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE id = ${id}`.execute(db);
  return rows.length > 0;
}

/**
 * Whether a row of a list, newest first, comes after the row with the id `after`. The first
 * comparison lets PostgreSQL use the index.
 */
export function isAfter(
  table: Table | 'events',
  after: string,
  isLast = sql`id = ${after}`,
): RawBuilder<boolean> {
  const createdAt = sql.ref(`${table}.created_at`);
  const last = sql`(SELECT created_at FROM ${sql.table(table)} WHERE ${isLast})`;
  return sql<boolean>`(${createdAt} <= ${last}
    AND (${createdAt} < ${last} OR ${sql.ref(`${table}.id`)} > ${after}::uuid))`;
}
