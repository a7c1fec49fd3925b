import { sql } from 'kysely';
import type { ReadDatabase } from '../connections/handles.ts';
import { hasJobQueue } from '../queries/jobs.ts';
import type { SourceTable } from './source.ts';

/** Limits queries to relations in the app's schema that do not belong to an extension. */
const IS_APP_RELATION = sql`relnamespace = current_schema()::regnamespace AND NOT EXISTS (
  SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
)`;

/** Lists tables in creation order. Partitions are not listed separately. */
export async function listTables(db: ReadDatabase): Promise<SourceTable[]> {
  const { rows } = await sql<SourceTable>`
    SELECT relname AS name, ARRAY(
      SELECT attname::text FROM pg_attribute
      WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      ORDER BY attnum
    ) AS columns
    FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND ${IS_APP_RELATION}
    ORDER BY oid`.execute(db);
  return rows;
}

/** Whether the database is empty, apart from an empty migration table, which must exist. */
export async function isEmptyDatabase(db: ReadDatabase): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean }>`
    SELECT NOT ${hasJobQueue} AND NOT EXISTS (
      SELECT FROM pg_class
      WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND relname <> 'kysely_migration' AND ${IS_APP_RELATION}
    ) AND NOT EXISTS (SELECT FROM kysely_migration) AS is_empty`.execute(db);
  return rows[0]!.is_empty;
}

export async function listSequences(db: ReadDatabase): Promise<{ name: string; value: string }[]> {
  const { rows } = await sql<{ name: string; value: string }>`
    SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL
    ORDER BY sequencename`.execute(db);
  return rows;
}

export interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Lists foreign keys. Leaves out partitions, because they inherit their keys. */
export async function listForeignKeys(db: ReadDatabase): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    SELECT relname AS "table", conname AS name, pg_get_constraintdef(pg_constraint.oid) AS definition
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE contype = 'f' AND conparentid = 0 AND relnamespace = current_schema()::regnamespace
    ORDER BY pg_constraint.oid`.execute(db);
  return rows;
}
