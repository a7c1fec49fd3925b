import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import { eventually } from './eventually.ts';

/** Waits until somebody waits for a lock in the database. */
export async function untilLocked(db: Kysely<Database>): Promise<void> {
  const look = async () => {
    // A transaction goes on seeing what it saw first.
    await sql`SELECT pg_stat_clear_snapshot()`.execute(db);
    return sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  };
  await eventually(look, ({ rows }) => rows.length > 0);
}

/** The backends that wait for a lock on a table. */
export async function waitingFor(db: Kysely<Database>, table: keyof Database): Promise<number[]> {
  // Locks of all databases are listed, and the tables of the tests' databases have the same ids.
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db);
  return rows.map(({ pid }) => pid);
}
