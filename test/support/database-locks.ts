import { sql } from 'kysely';
import type { Database, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Schema } from '#db/schema.ts';
import { eventually } from './eventually.ts';

export async function waitForBlockedQuery(db: ReadDatabase, count = 1): Promise<void> {
  const findBlockedQueries = async () => {
    // Inside a transaction, PostgreSQL returns the same snapshot of pg_stat_activity every time.
    await sql`SELECT pg_stat_clear_snapshot()`.execute(db);
    return sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  };
  await eventually(findBlockedQueries, ({ rows }) => rows.length >= count);
}

/** Lists the PostgreSQL backends that wait for a lock on a table. */
export async function listBlockedPids(db: ReadDatabase, table: keyof Schema): Promise<number[]> {
  // pg_locks covers all databases. Test databases have the same table OIDs, because they share a
  // template.
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db);
  return rows.map(({ pid }) => pid);
}

/** Locks a table against reads until `work` is done. */
export async function whileLocked(
  db: Database,
  table: keyof Schema,
  work: (trx: Transaction) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(trx);
    await work(trx);
  });
}
