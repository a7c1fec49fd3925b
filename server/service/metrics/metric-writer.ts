import type { Kysely } from 'kysely';
import { METRIC_VOLUME } from '../../../contract/stats.ts';
import {
  type Claim,
  claimKeys,
  deleteIdempotencyKey,
} from '../../../db/queries/idempotency-keys.ts';
import { insertMetrics, type NewMetric } from '../../../db/queries/metrics/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import type { FairQueue } from '../../load/fair-queue.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import type { StoredVolumes } from '../allowances/stored-volumes.ts';
import { waitingUntilTomorrow } from '../allowances/waiting.ts';
import { GroupCommit, type GroupedWrite } from '../../load/group-commit.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(METRIC_VOLUME);

/** Stores metrics. Each is counted for its account, which may store so much a day. */
export interface MetricWriter {
  /**
   * Stores a metric, and with it the answer to an idempotency key if it has one: both or neither.
   * False if the project does not belong to the account or the key was used before; a refusal when the
   * account has stored as much as it may today. Resolved when it is committed, or in a transaction
   * when that will store it.
   */
  write: (db: Kysely<Database>, metric: NewMetric, claim?: Claim) => Promise<boolean>;
}

interface MetricWrite extends GroupedWrite {
  /** The metric as JSON. */
  text: string;
  claim?: Claim | undefined;
}

/** Commits metrics in groups. */
export function metricGroups(db: Kysely<Database>, slots: FairQueue): GroupCommit<MetricWrite> {
  return new GroupCommit((metrics) => storeMetrics(db, metrics), { holder: 'metrics', slots });
}

/** Stores the metrics that can be stored, and the answers of those that have a key; returns them. */
async function storeMetrics(
  db: Kysely<Database>,
  metrics: readonly MetricWrite[],
): Promise<Set<MetricWrite>> {
  const claims = metrics.flatMap(({ claim }) => claim ?? []);
  if (claims.length === 0) return insertMetrics(db, metrics);
  return inTransaction(db, async (trx) => {
    const claimed = await claimKeys(trx, claims);
    const free = metrics.filter(({ claim }) => !claim || claimed.has(claim));
    const stored = await insertMetrics(trx, free);
    for (const metric of free)
      if (metric.claim && !stored.has(metric)) await deleteIdempotencyKey(trx, metric.claim);
    return stored;
  });
}

/** Writes metrics in groups; one of a transaction in that transaction. */
export function createMetricWriter(
  db: Kysely<Database>,
  slots: FairQueue,
  volumes: StoredVolumes,
): MetricWriter {
  const groups = metricGroups(db, slots);
  return {
    write: async (executor, metric, claim) => {
      const { accountId } = metric;
      if (!volumes.hasRoom(accountId, 'metrics'))
        throw refuse('metricLimitReached', waitingUntilTomorrow());
      const text = JSON.stringify(metric);
      const bytes = Buffer.byteLength(text);
      const write = { accountId, text, characters: text.length, claim };
      let isStored = false;
      // Counted before, so that many at once are not too many.
      volumes.add(accountId, 'metrics', bytes);
      try {
        isStored = executor.isTransaction
          ? (await insertMetrics(executor, [write])).has(write)
          : await groups.write(write);
      } finally {
        if (!isStored) volumes.add(accountId, 'metrics', -bytes);
      }
      return isStored;
    },
  };
}
