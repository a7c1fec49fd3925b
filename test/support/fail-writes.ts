import { sql } from 'kysely';
import type { Executor } from '#db/connections/handles.ts';
import type { Schema } from '#db/schema.ts';

let triggerCount = 0;

/**
 * Makes `INSERT sites`, for example, fail for one account's rows, as a violation of the constraint if
 * there is one. Returns a function that undoes this.
 */
export async function failWrites(
  db: Executor,
  write: `${'INSERT' | 'UPDATE' | 'DELETE'} ${keyof Schema}`,
  accountId: string,
  foreignKey?: string,
): Promise<() => Promise<void>> {
  const [operation = '', table = ''] = write.split(' ');
  triggerCount += 1;
  const using =
    foreignKey === undefined ? '' : `USING ERRCODE = '23503', CONSTRAINT = '${foreignKey}'`;
  const name = `fail_writes_${triggerCount}`;
  const row = sql.raw(operation === 'DELETE' ? 'OLD' : 'NEW');
  await sql`CREATE FUNCTION ${sql.id(name)}() RETURNS trigger LANGUAGE plpgsql
    AS ${sql.lit(`BEGIN RAISE EXCEPTION 'broken on purpose' ${using}; END`)}`.execute(db);
  await sql`CREATE TRIGGER ${sql.id(name)} BEFORE ${sql.raw(operation)} ON ${sql.table(table)} FOR EACH ROW
    WHEN (${row}.account_id = ${sql.lit(accountId)}) EXECUTE FUNCTION ${sql.id(name)}()`.execute(
    db,
  );
  return async () => {
    await sql`DROP FUNCTION ${sql.id(name)} CASCADE`.execute(db);
  };
}
