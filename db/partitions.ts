import { sql } from 'kysely';
import type { ReadDatabase, Transaction } from './connections/handles.ts';

const MONTHS_AHEAD = 3;

/** A partition of `metrics`. Times are ISO 8601; `to` is excluded. */
export interface Partition {
  name: string;
  from: string;
  to: string;
}

/**
 * Creates missing metric partitions for the current month and the next three. Uses ATTACH, because
 * PARTITION OF would block reads and writes.
 */
export async function createMetricPartitions(trx: Transaction, now: Date): Promise<void> {
  const expected = Array.from({ length: MONTHS_AHEAD + 1 }, (_, monthOffset) =>
    monthPartition(now.getUTCFullYear(), now.getUTCMonth() + monthOffset),
  );
  if ((await findMissingPartitions(trx, expected)).length === 0) return;
  // In a transaction, Citus rejects further statements after a parallel one. PostgreSQL without
  // Citus ignores the setting.
  await sql`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`.execute(trx);
  // The same lock as ATTACH PARTITION, which only one server at a time can hold. Taking it
  // requires rights on the table, so other roles cannot block us.
  await sql`LOCK TABLE ONLY metrics IN SHARE UPDATE EXCLUSIVE MODE`.execute(trx);
  for (const partition of await findMissingPartitions(trx, expected))
    await createPartition(trx, partition);
}

export async function listMetricPartitions(db: ReadDatabase): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bound: string }>`
    SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bound
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'metrics'::regclass
    ORDER BY relname`.execute(db);
  return rows.map(({ name, bound }) => {
    const [from = '', to = ''] = [...bound.matchAll(/'([^']+)'/g)].map(([, time]) =>
      new Date(time!).toISOString(),
    );
    return { name, from, to };
  });
}

export async function createPartitions(
  trx: Transaction,
  partitions: readonly Partition[],
): Promise<void> {
  for (const partition of partitions) await createPartition(trx, partition);
}

function monthPartition(year: number, month: number): Partition {
  const from = new Date(Date.UTC(year, month, 1)).toISOString();
  const to = new Date(Date.UTC(year, month + 1, 1)).toISOString();
  return { name: `metrics_${from.slice(0, 7).replace('-', '_')}`, from, to };
}

async function findMissingPartitions(
  trx: Transaction,
  expected: Partition[],
): Promise<Partition[]> {
  const attached = new Set((await listMetricPartitions(trx)).map(({ name }) => name));
  return expected.filter(({ name }) => !attached.has(name));
}

async function createPartition(trx: Transaction, { name, from, to }: Partition): Promise<void> {
  const table = sql.id(name);
  await sql`CREATE TABLE IF NOT EXISTS ${table} (LIKE metrics INCLUDING DEFAULTS)`.execute(trx);
  await sql`ALTER TABLE metrics ATTACH PARTITION ${table}
    FOR VALUES FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(trx);
}
