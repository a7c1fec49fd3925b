import type { Kysely } from 'kysely';
import { insertMetrics, type NewMetric } from '../../../db/queries/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import type { Shares } from '../../../db/shares.ts';
import { MetricGroups } from './metric-groups.ts';

/**
 * Stores a metric; false if its project does not belong to the account. Resolved when it is committed,
 * or in a transaction when that will store it.
 */
export type MetricWriter = (db: Kysely<Database>, metric: NewMetric) => Promise<boolean>;

/** Writes metrics in groups; one of a transaction, which stores an answer with it, in that transaction. */
export function createMetricWriter(db: Kysely<Database>, places: Shares): MetricWriter {
  const groups = new MetricGroups(db, places);
  return async (executor, metric) => {
    const text = JSON.stringify(metric);
    if (!executor.isTransaction) return groups.write(metric.accountId, text);
    const [stored = false] = await insertMetrics(executor, [text]);
    return stored;
  };
}
