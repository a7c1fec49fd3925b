import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** The index name is `<table>_<suffix>`. */
export interface NewIndex {
  table: string;
  suffix: string;
  /** The end of the CREATE INDEX statement, such as `(a, b) WHERE …`. */
  on: string;
  unique?: boolean;
}

/** Creates the index if it is missing. On a partitioned table, PostgreSQL adopts matching indexes of the partitions. */
export async function createIndex(trx: Transaction<Database>, index: NewIndex): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    SELECT to_regclass(${`${index.table}_${index.suffix}`}) IS NOT NULL AS exists`.execute(trx);
  // IF NOT EXISTS would block writes even if the index exists.
  if (!rows[0]?.exists) await createStatement(index, index.table, 'INDEX').execute(trx);
}

/**
 * Builds an index with CONCURRENTLY, on a partitioned table separately for each partition. Needs
 * its own connection, keeps valid indexes, rebuilds invalid ones, and waits for open transactions.
 */
export async function createIndexConcurrently(
  connection: Kysely<Database>,
  index: NewIndex,
): Promise<void> {
  for (const leafTable of await listLeafTables(connection, index.table)) {
    const name = `${leafTable}_${index.suffix}`;
    const dropIndex = sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`;
    const { rows } = await sql<{ valid: boolean }>`
      SELECT indisvalid AS valid FROM pg_index
      WHERE indexrelid = to_regclass(${name})`.execute(connection);
    if (rows[0]?.valid) continue;
    await dropIndex.execute(connection);
    try {
      await createStatement(index, leafTable, 'INDEX CONCURRENTLY').execute(connection);
    } catch (error) {
      // PostgreSQL does not use an invalid index, but still updates it.
      await dropIndex.execute(connection).catch(() => {});
      throw error;
    }
  }
}

async function listLeafTables(db: Kysely<Database>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relid::text AS name FROM pg_partition_tree(${table}) WHERE isleaf ORDER BY 1`.execute(
    db,
  );
  return rows.length === 0 ? [table] : rows.map(({ name }) => name);
}

function createStatement({ suffix, on, unique = false }: NewIndex, table: string, kind: string) {
  return sql.raw(`CREATE ${unique ? 'UNIQUE ' : ''}${kind} ${table}_${suffix} ON ${table} ${on}`);
}
