import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from './schema.ts';
import { inTransaction } from './transaction.ts';

const MONTHS_AHEAD = 3;

/**
 * Makes the metric partitions of the current month and the next three, where they are missing; one
 * server at a time. Each is built apart and then attached, which lets other requests go on meanwhile.
 */
export async function createMetricPartitions(db: Kysely<Database>, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('metric partitions'))`.execute(trx);
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead += 1)
      await createMetricPartition(trx, now.getUTCFullYear(), now.getUTCMonth() + ahead);
  });
}

async function createMetricPartition(
  trx: Transaction<Database>,
  year: number,
  month: number,
): Promise<void> {
  const from = new Date(Date.UTC(year, month, 1)).toISOString();
  const to = new Date(Date.UTC(year, month + 1, 1)).toISOString();
  const name = `metrics_${from.slice(0, 7).replace('-', '_')}`;
  const { rows } = await sql<{ attached: boolean }>`
    SELECT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(${name})) AS attached`.execute(
    trx,
  );
  if (rows[0]?.attached) return;
  const table = sql.id(name);
  await sql`CREATE TABLE IF NOT EXISTS ${table} (LIKE metrics INCLUDING DEFAULTS)`.execute(trx);
  await sql`ALTER TABLE metrics ATTACH PARTITION ${table}
    FOR VALUES FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(trx);
}
