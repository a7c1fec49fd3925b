import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

let triggerCount = 0;

/** Adds a trigger that makes one kind of write fail for one account; returns a function that removes it. */
export async function failWrites(
  db: Kysely<Database>,
  {
    table,
    operation,
    accountId,
  }: { table: keyof Database; operation: 'INSERT' | 'UPDATE' | 'DELETE'; accountId: string },
): Promise<() => Promise<void>> {
  triggerCount += 1;
  const name = `broken_${triggerCount}`;
  const row = sql.raw(operation === 'DELETE' ? 'OLD' : 'NEW');
  await sql`CREATE FUNCTION ${sql.id(name)}() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RAISE EXCEPTION ''broken on purpose''; END'`.execute(db);
  await sql`CREATE TRIGGER ${sql.id(name)} BEFORE ${sql.raw(operation)} ON ${sql.table(table)} FOR EACH ROW
    WHEN (${row}.account_id = ${sql.lit(accountId)}) EXECUTE FUNCTION ${sql.id(name)}()`.execute(
    db,
  );
  return async () => {
    await sql`DROP FUNCTION ${sql.id(name)} CASCADE`.execute(db);
  };
}
