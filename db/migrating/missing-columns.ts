import { readFileSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { readRelations } from '../catalog.ts';
import type { Database } from '../schema.ts';

/**
 * Lists columns of `db/schema.sql` that a migrated database lacks, as `table.column`. This happens if a migration is
 * edited after it ran.
 */
export async function findMissingColumns(db: Kysely<Database>): Promise<string[]> {
  const relations = await readRelations(db);
  const existing = new Set(
    relations.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  );
  return expectedColumns().filter((column) => !existing.has(column));
}

function expectedColumns(): string[] {
  const schema = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8');
  return [...schema.matchAll(/^CREATE TABLE (\w+) \(\n(.*?)\n\)/gms)].flatMap(([, table, body]) =>
    [...body!.matchAll(/^ {2}(?!CONSTRAINT )(\w+) /gm)].map(([, column]) => `${table}.${column}`),
  );
}
