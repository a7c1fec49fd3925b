import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { REVOCATIONS } from '../../db/revocations.ts';
import type { Database } from '../../db/schema.ts';
import { eventually } from './eventually.ts';

/** Waits until so many processes hear at once of what loses its access. */
export async function untilListening(db: Kysely<Database>, count: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND query = ${`LISTEN "${REVOCATIONS}"`}`.execute(db);
    expect(rows).toHaveLength(count);
  });
}
