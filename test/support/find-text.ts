import { sql } from 'kysely';
import type { ReadDatabase } from '#db/connections/handles.ts';

/** Lists the tables, also of the job queue, that contain a text. `pattern` is a regular expression. */
export async function findTablesWith(db: ReadDatabase, pattern: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`.execute(db);
  const found: string[] = [];
  for (const { name } of tables) {
    const matches = await sql`SELECT FROM ${sql.raw(name)} AS row
      WHERE row::text ~ ${pattern} LIMIT 1`.execute(db);
    if (matches.rows.length > 0) found.push(name);
  }
  return found;
}
