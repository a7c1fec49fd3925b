import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Transaction } from '../connections/handles.ts';
import { findAppliedMigrations } from '../migrating/migrate.ts';
import { listMetricPartitions } from '../partitions.ts';
import type { CopyConnection } from './connection.ts';
import type { Source, SourceTable, SourceSummary } from './source.ts';
import { listSequences, listTables } from './tables.ts';

const NEWLINE = 10;

export class NoTablesError extends Error {
  override readonly name = 'NoTablesError';

  constructor() {
    super('The database has no tables of Nameplate.');
  }
}

/**
 * Takes a consistent snapshot of the database and locks its table definitions until the connection
 * is closed. Throws a `NoTablesError` if there are no Nameplate tables.
 */
export async function takeSnapshot(
  connection: CopyConnection,
  { withMetrics = true } = {},
): Promise<Source> {
  for (;;) {
    const tables = await listTables(connection.db);
    if (!tables.some(({ name }) => name === 'kysely_migration')) throw new NoTablesError();
    const trx = await connection.db
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute();
    const names = sql.join(tables.map(({ name }) => sql.id(name)));
    // Lock before the first query takes the snapshot, so that no table definition changes after the
    // snapshot.
    await sql`LOCK TABLE ${names} IN ACCESS SHARE MODE`.execute(trx);
    if (isDeepStrictEqual(await listTables(trx), tables))
      return createSource(connection, trx, { tables, withMetrics });
    await trx.rollback().execute();
  }
}

async function createSource(
  { copyTo }: CopyConnection,
  trx: Transaction,
  { tables, withMetrics }: { tables: SourceTable[]; withMetrics: boolean },
): Promise<Source> {
  const rows: SourceSummary['rows'] = {};
  return {
    migrations: await findAppliedMigrations(trx),
    partitions: await listMetricPartitions(trx),
    tables: tables.filter(({ name }) => !name.startsWith('kysely_')),
    read: async function* ({ name, columns }) {
      const query = sql`COPY (SELECT ${sql.join(columns.map((column) => sql.id(column)))}
        FROM ${sql.id(name)} WHERE ${sql.lit(withMetrics || name !== 'metrics')}) TO STDOUT`.compile(
        trx,
      );
      let count = 0;
      for await (const chunk of copyTo(query.sql) as AsyncIterable<Buffer>) {
        // COPY escapes line breaks within values, so each newline ends a row.
        for (
          let index = chunk.indexOf(NEWLINE);
          index !== -1;
          index = chunk.indexOf(NEWLINE, index + 1)
        )
          count += 1;
        yield chunk;
      }
      rows[name] = count;
    },
    readSummary: async () => ({ rows, sequences: await listSequences(trx) }),
  };
}
