import { pipeline } from 'node:stream/promises';
import { sql, type Transaction } from 'kysely';
import { migrateLike, migrateLocked } from '../migrating/migrate.ts';
import { lockMigrations } from '../migrating/migration-lock.ts';
import { MIGRATIONS } from '../migrating/migrations.ts';
import { createPartitions } from '../partitions.ts';
import type { Database } from '../schema.ts';
import { assertWritable } from '../connections/writable.ts';
import type { CopyConnection } from './connection.ts';
import type { Source, SourceTable, Totals } from './source.ts';
import { isEmptyDatabase, listForeignKeys, listTables } from './tables.ts';

/** Thrown if the database to fill is not empty. */
export class NotEmptyError extends Error {
  override readonly name = 'NotEmptyError';

  constructor() {
    super('The database is not empty.');
  }
}

/** Thrown if the content is not what the manifest says. */
export class WrongContentError extends Error {
  override readonly name = 'WrongContentError';
}

/** Database that was filled. */
export interface Filled {
  rows: Totals['rows'];
  /** Tables of the source that none of Nameplate's migrations makes, and that were left out. */
  strangers: string[];
}

/**
 * Fills a database, which must be empty, with all that a source has, and brings it to this version's
 * schema: all of it, or nothing. Throws a `NotEmptyError`, a `WrongContentError`, or a
 * `NewerSchemaError` if the source has migrations that this version does not know.
 */
export async function fill(
  { db, copyFrom }: CopyConnection,
  source: Source,
  migrations = MIGRATIONS,
): Promise<Filled> {
  // Whoever fails closes the connection, and nothing was done: a COPY in the middle has no other end.
  const trx = await db.startTransaction().execute();
  await assertWritable(trx);
  // A server that starts meanwhile waits for it.
  await lockMigrations(trx);
  if (!(await isEmptyDatabase(trx))) throw new NotEmptyError();
  await migrateLike(trx, source.migrations, migrations);
  // Put back when all is there, which is faster than to look at each row, and needs no order.
  const foreignKeys = await listForeignKeys(trx);
  for (const { table, name } of foreignKeys)
    await sql`ALTER TABLE ${sql.id(table)} DROP CONSTRAINT ${sql.id(name)}`.execute(trx);
  await createPartitions(trx, source.partitions);
  const { known, strangers } = await tell(trx, source.tables);
  const rows: Totals['rows'] = {};
  for (const table of known) {
    const statement = sql`COPY ${sql.id(table.name)}
      (${sql.join(table.columns.map((column) => sql.id(column)))}) FROM STDIN`.compile(trx);
    const target = copyFrom(statement.sql);
    await pipeline(source.read(table), target);
    rows[table.name] = target.rowCount;
  }
  await finish(trx, rows, await source.totals());
  for (const { table, name, definition } of foreignKeys)
    await sql`ALTER TABLE ${sql.id(table)}
      ADD CONSTRAINT ${sql.id(name)} ${sql.raw(definition)}`.execute(trx);
  await migrateLocked(trx, migrations);
  for (const { name } of known) await sql`ANALYZE ${sql.id(name)}`.execute(trx);
  await trx.commit().execute();
  return { rows, strangers };
}

/** Which tables the migrations have made. */
async function tell(
  trx: Transaction<Database>,
  tables: readonly SourceTable[],
): Promise<{ known: SourceTable[]; strangers: string[] }> {
  const made = new Set((await listTables(trx)).map(({ name }) => name));
  return {
    known: tables.filter(({ name }) => made.has(name)),
    strangers: tables.map(({ name }) => name).filter((name) => !made.has(name)),
  };
}

/** Compares the rows with those that there were, and goes on counting where the source was. */
async function finish(
  trx: Transaction<Database>,
  rows: Totals['rows'],
  totals: Totals,
): Promise<void> {
  for (const [table, count] of Object.entries(rows))
    if (totals.rows[table] !== count)
      throw new WrongContentError(
        `The table ${table} has ${count} rows, and should have ${totals.rows[table] ?? 0}.`,
      );
  for (const { name, value } of totals.sequences)
    await sql`SELECT setval(to_regclass(quote_ident(${name})), ${value}::bigint)
      WHERE to_regclass(quote_ident(${name})) IS NOT NULL`.execute(trx);
}
