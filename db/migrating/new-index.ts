import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** An index that a migration makes; its name is those of the table and the suffix, with `_` between. */
export interface NewIndex {
  table: string;
  suffix: string;
  /** Its columns in parentheses, and what else `CREATE INDEX` has after the table. */
  on: string;
  unique?: boolean;
}

/** Makes an index that is not there yet; on a table with partitions of those that these have already. */
export async function createIndex(trx: Transaction<Database>, index: NewIndex): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`
    SELECT to_regclass(${`${index.table}_${index.suffix}`}) IS NOT NULL AS there`.execute(trx);
  // Building an index that is there already would block writes for nothing.
  if (!rows[0]?.there) await statement(index, index.table, 'INDEX').execute(trx);
}

/**
 * Builds an index while others read and write, on a connection that nobody else uses: on each
 * partition of a table that has some, for `createIndex` to put together. One that is there already
 * stays; one that came to no end is built anew. It waits for the transactions that there are.
 */
export async function buildIndex(connection: Kysely<Database>, index: NewIndex): Promise<void> {
  for (const part of await listParts(connection, index.table)) {
    const name = `${part}_${index.suffix}`;
    const drop = sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`;
    const { rows } = await sql<{ valid: boolean }>`
      SELECT indisvalid AS valid FROM pg_index
      WHERE indexrelid = to_regclass(${name})`.execute(connection);
    if (rows[0]?.valid) continue;
    await drop.execute(connection);
    try {
      await statement(index, part, 'INDEX CONCURRENTLY').execute(connection);
    } catch (error) {
      // Not used, but kept up to date.
      await drop.execute(connection).catch(() => {});
      throw error;
    }
  }
}

/** The partitions of a table, or itself. */
async function listParts(db: Kysely<Database>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relid::text AS name FROM pg_partition_tree(${table}) WHERE isleaf ORDER BY 1`.execute(
    db,
  );
  return rows.length === 0 ? [table] : rows.map(({ name }) => name);
}

function statement({ suffix, on, unique = false }: NewIndex, table: string, kind: string) {
  return sql.raw(`CREATE ${unique ? 'UNIQUE ' : ''}${kind} ${table}_${suffix} ON ${table} ${on}`);
}
