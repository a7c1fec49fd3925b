import type { Kysely } from 'kysely';
import { METRIC_VOLUME } from '../../../contract/stats.ts';
import { insertMetrics, type NewMetric } from '../../../db/queries/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import type { Shares } from '../../../db/shares.ts';
import type { StoredVolumes } from '../allowances/stored-volumes.ts';
import { waitingUntilTomorrow } from '../allowances/waiting.ts';
import { refuserOf } from '../refusal.ts';
import { MetricGroups } from './metric-groups.ts';

const refuse = refuserOf(METRIC_VOLUME);

/**
 * Stores a metric; false if its project does not belong to the account. Refuses when the account has
 * stored as much as it may today. Resolved when it is committed, or in a transaction when that will
 * store it.
 */
export type MetricWriter = (db: Kysely<Database>, metric: NewMetric) => Promise<boolean>;

/** Writes metrics in groups; one of a transaction, which stores an answer with it, in that transaction. */
export function createMetricWriter(
  db: Kysely<Database>,
  places: Shares,
  volumes: StoredVolumes,
): MetricWriter {
  const groups = new MetricGroups(db, places);
  const write = async (executor: Kysely<Database>, accountId: string, text: string) => {
    if (!executor.isTransaction) return groups.write(accountId, text);
    const [stored = false] = await insertMetrics(executor, [text]);
    return stored;
  };
  return async (executor, metric) => {
    const { accountId } = metric;
    if (!volumes.hasRoom(accountId, 'metrics')) throw refuse('metricsFull', waitingUntilTomorrow());
    const text = JSON.stringify(metric);
    const bytes = Buffer.byteLength(text);
    let stored = false;
    // Counted before, so that many at once are not too many.
    volumes.add(accountId, 'metrics', bytes);
    try {
      stored = await write(executor, accountId, text);
    } finally {
      if (!stored) volumes.add(accountId, 'metrics', -bytes);
    }
    return stored;
  };
}
