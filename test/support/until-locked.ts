import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { eventually } from './eventually.ts';

/** Waits until somebody waits for a lock in the database. */
export async function untilLocked(db: Kysely<Database>): Promise<void> {
  await eventually(
    () =>
      sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db),
    ({ rows }) => rows.length > 0,
  );
}
