import { sql } from 'kysely';
import { readOtherStatements, readRelations } from '#db/catalog.ts';
import type { Executor, ReadDatabase } from '#db/connections/handles.ts';

/** Reads the schema, rows and sequences of a database, except those of the job queue. */
export async function readContents(db: Executor) {
  const relations = await readRelations(db);
  const rows: Record<string, string[]> = {};
  for (const { name, query } of relations)
    if (query === null) rows[name] = await readRows(db, name);
  const sequences = await sql`SELECT * FROM pg_sequences
    WHERE schemaname = current_schema() ORDER BY sequencename`.execute(db);
  const partitions = await sql`
    SELECT inhrelid::regclass::text AS name, pg_get_expr(relpartbound, pg_class.oid) AS bound
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 1`.execute(
    db,
  );
  return {
    relations: relations
      // PostgreSQL 15 qualifies the columns of a view with one table, later versions do not.
      .map((relation) => ({ ...relation, query: relation.query?.replaceAll(/\b\w+\.(?=\w)/g, '') }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    others: (await readOtherStatements(db)).toSorted(),
    partitions: partitions.rows,
    sequences: sequences.rows.map((row) => ({ ...(row as object), sequenceowner: undefined })),
    migrations: (await readRows(db, 'kysely_migration')).map((row) => row.split(',')[0]),
    rows,
  };
}

async function readRows(db: ReadDatabase, table: string): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    SELECT stored::text AS row FROM ${sql.id(table)} AS stored ORDER BY 1`.execute(db);
  return rows.map(({ row }) => row);
}

/** Whether a database is completely empty. */
export async function isEmpty(db: ReadDatabase): Promise<boolean> {
  const { rows } = await sql`SELECT FROM pg_class
    WHERE relnamespace::regnamespace::text NOT LIKE 'pg\\_%'
      AND relnamespace::regnamespace::text <> 'information_schema'`.execute(db);
  return rows.length === 0;
}
