import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** An index to create, named `<table>_<suffix>`. */
export interface NewIndex {
  table: string;
  suffix: string;
  /** What follows the table in CREATE INDEX: `(a, b) WHERE …`. */
  on: string;
  unique?: boolean;
}

/** Creates the index if it is missing. On a partitioned table, adopts existing indexes of the partitions. */
export async function createIndex(trx: Transaction<Database>, index: NewIndex): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    SELECT to_regclass(${`${index.table}_${index.suffix}`}) IS NOT NULL AS exists`.execute(trx);
  // IF NOT EXISTS would block writes even if the index exists.
  if (!rows[0]?.exists) await createStatement(index, index.table, 'INDEX').execute(trx);
}

/**
 * Builds an index with CONCURRENTLY, per partition; needs its own connection. Valid indexes are kept, invalid ones
 * rebuilt. Waits for open transactions.
 */
export async function createIndexConcurrently(
  connection: Kysely<Database>,
  index: NewIndex,
): Promise<void> {
  for (const part of await listLeafTables(connection, index.table)) {
    const name = `${part}_${index.suffix}`;
    const drop = sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`;
    const { rows } = await sql<{ valid: boolean }>`
      SELECT indisvalid AS valid FROM pg_index
      WHERE indexrelid = to_regclass(${name})`.execute(connection);
    if (rows[0]?.valid) continue;
    await drop.execute(connection);
    try {
      await createStatement(index, part, 'INDEX CONCURRENTLY').execute(connection);
    } catch (error) {
      // An invalid index is unused but still slows down writes.
      await drop.execute(connection).catch(() => {});
      throw error;
    }
  }
}

/** The leaf partitions of a table, or the table itself. */
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
