import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

const MONTHS_AHEAD = 3;

/**
 * Makes the metric partitions of the current month and the next three, where they are missing.
 * Each is built apart and then attached, which lets other requests go on meanwhile.
 */
export async function createMetricPartitions(db: Kysely<Database>, now: Date): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead += 1) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1));
    const name = `metrics_${from.toISOString().slice(0, 7).replace('-', '_')}`;
    const { rows } = await sql<{ attached: boolean }>`
      SELECT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(${name})) AS attached`.execute(
      db,
    );
    if (rows[0]?.attached) continue;
    await sql`CREATE TABLE IF NOT EXISTS ${sql.id(name)} (LIKE metrics INCLUDING DEFAULTS)`.execute(
      db,
    );
    await sql`ALTER TABLE metrics ATTACH PARTITION ${sql.id(name)}
      FOR VALUES FROM (${sql.lit(from.toISOString())}) TO (${sql.lit(to.toISOString())})`.execute(
      db,
    );
  }
}

/** Takes the lock that makes partitions one server at a time; false if another server is at it. */
export async function maintainMetricPartitions(db: Kysely<Database>, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext('metric partitions')) AS locked`.execute(trx);
    if (rows[0]?.locked) await createMetricPartitions(trx, now);
  });
}
