import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { Transaction } from '../connections/handles.ts';
import { assertWritable } from '../connections/writable.ts';
import { runNamedMigrations, runDueMigrations } from '../migrating/migrate.ts';
import { lockMigrations } from '../migrating/migration-lock.ts';
import { MIGRATIONS } from '../migrating/migrations.ts';
import { createPartitions } from '../partitions.ts';
import type { CopyConnection } from './connection.ts';
import type { Source, SourceTable, SourceSummary } from './source.ts';
import { isEmptyDatabase, listForeignKeys, listTables } from './tables.ts';

export class NotEmptyError extends Error {
  override readonly name = 'NotEmptyError';

  constructor() {
    super('The database is not empty.');
  }
}

export class RowCountMismatchError extends Error {
  override readonly name = 'RowCountMismatchError';
}

export interface CopyResult {
  rows: SourceSummary['rows'];
  /** Tables that Nameplate does not know, which were skipped. */
  unknownTables: string[];
}

/**
 * Copies a source into an empty database and migrates it to this version's schema, in one transaction. Throws a
 * `NotEmptyError`, a `RowCountMismatchError`, or a `NewerSchemaError` if this version does not know a migration.
 */
export async function copyIntoDatabase(
  { db, copyFrom }: CopyConnection,
  source: Source,
  migrations = MIGRATIONS,
): Promise<CopyResult> {
  // On failure, callers close the connection, which rolls back. Nothing else can abort a COPY.
  const trx = await db.startTransaction().execute();
  await assertWritable(trx);
  // Servers that start now wait for this lock before they migrate.
  await lockMigrations(trx);
  if (!(await isEmptyDatabase(trx))) throw new NotEmptyError();
  await runNamedMigrations(trx, source.migrations, migrations);
  // Dropping and re-adding foreign keys is faster than checking each row, and allows any table order.
  const foreignKeys = await listForeignKeys(trx);
  for (const { table, name } of foreignKeys)
    await sql`ALTER TABLE ${sql.id(table)} DROP CONSTRAINT ${sql.id(name)}`.execute(trx);
  await createPartitions(trx, source.partitions);
  const { knownTables, unknownTables } = await splitTables(trx, source.tables);
  const rows: SourceSummary['rows'] = {};
  for (const table of knownTables) {
    const statement = sql`COPY ${sql.id(table.name)}
      (${sql.join(table.columns.map((column) => sql.id(column)))}) FROM STDIN`.compile(trx);
    const copyStream = copyFrom(statement.sql);
    await pipeline(source.read(table), copyStream);
    rows[table.name] = copyStream.rowCount;
  }
  await verifySummary(trx, rows, await source.readSummary());
  for (const { table, name, definition } of foreignKeys)
    await sql`ALTER TABLE ${sql.id(table)}
      ADD CONSTRAINT ${sql.id(name)} ${sql.raw(definition)}`.execute(trx);
  await runDueMigrations(trx, migrations);
  for (const { name } of knownTables) await sql`ANALYZE ${sql.id(name)}`.execute(trx);
  await trx.commit().execute();
  return { rows, unknownTables };
}

async function splitTables(
  trx: Transaction,
  tables: readonly SourceTable[],
): Promise<{ knownTables: SourceTable[]; unknownTables: string[] }> {
  const existing = new Set((await listTables(trx)).map(({ name }) => name));
  return {
    knownTables: tables.filter(({ name }) => existing.has(name)),
    unknownTables: tables.map(({ name }) => name).filter((name) => !existing.has(name)),
  };
}

/** Compares row counts with the source, and sets the sequences. */
async function verifySummary(
  trx: Transaction,
  rows: SourceSummary['rows'],
  summary: SourceSummary,
): Promise<void> {
  for (const [table, count] of Object.entries(rows))
    if (summary.rows[table] !== count)
      throw new RowCountMismatchError(
        `The table ${table} has ${count} rows instead of ${summary.rows[table] ?? 0}.`,
      );
  for (const { name, value } of summary.sequences)
    await sql`SELECT setval(to_regclass(quote_ident(${name})), ${value}::bigint)
      WHERE to_regclass(quote_ident(${name})) IS NOT NULL`.execute(trx);
}
