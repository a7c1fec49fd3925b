import type { Kysely } from 'kysely';
import { METRIC_VOLUME } from '../../../contract/stats.ts';
import type { Claim } from '../../../db/queries/idempotency-keys.ts';
import {
  insertMetrics,
  type MetricToStore,
  type NewMetric,
} from '../../../db/queries/metrics/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import type { Shares } from '../../../db/shares.ts';
import type { StoredVolumes } from '../allowances/stored-volumes.ts';
import { waitingUntilTomorrow } from '../allowances/waiting.ts';
import { refuserOf } from '../refusal.ts';
import { type Write, WriteGroups } from '../write-groups.ts';

const refuse = refuserOf(METRIC_VOLUME);

/** Stores metrics. Each is counted for its account, which may store so much a day. */
export interface MetricWriter {
  /**
   * Stores a metric; false if its project does not belong to the account, a refusal when that has
   * stored as much as it may today. Resolved when it is committed, or in a transaction when that will
   * store it.
   */
  write: (db: Kysely<Database>, metric: NewMetric) => Promise<boolean>;
  /** Stores a metric and claims a key for it, both or, for whatever reason, neither. */
  writeClaiming: (metric: NewMetric, claim: Claim) => Promise<boolean>;
}

type Storing = MetricToStore & Write;

/** Metrics that are stored together. */
export function metricGroups(db: Kysely<Database>, places: Shares) {
  return new WriteGroups<Storing, true>((metrics) => insertMetrics(db, metrics), {
    holder: 'metrics',
    places,
  });
}

/** Writes metrics in groups; one of a transaction in that transaction. */
export function createMetricWriter(
  db: Kysely<Database>,
  places: Shares,
  volumes: StoredVolumes,
): MetricWriter {
  const groups = metricGroups(db, places);
  const hasRoom = ({ accountId }: NewMetric) => volumes.hasRoom(accountId, 'metrics');
  const count = async (metric: NewMetric, store: (write: Storing) => Promise<true | undefined>) => {
    const { accountId } = metric;
    const text = JSON.stringify(metric);
    const bytes = Buffer.byteLength(text);
    let stored: true | undefined;
    // Counted before, so that many at once are not too many.
    volumes.add(accountId, 'metrics', bytes);
    try {
      stored = await store({ accountId, text, characters: text.length });
    } finally {
      if (!stored) volumes.add(accountId, 'metrics', -bytes);
    }
    return stored ?? false;
  };
  return {
    write: async (executor, metric) => {
      if (!hasRoom(metric)) throw refuse('metricLimitReached', waitingUntilTomorrow());
      return count(metric, async (write) => {
        if (!executor.isTransaction) return groups.write(write);
        const [stored] = await insertMetrics(executor, [write]);
        return stored;
      });
    },
    writeClaiming: async (metric, claim) =>
      hasRoom(metric) && count(metric, (write) => groups.write({ ...write, claim })),
  };
}
