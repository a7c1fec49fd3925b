import type { Kysely } from 'kysely';
import { METRIC_LIMIT_REFUSALS } from '#contract/stats.ts';
import {
  claimIdempotencyKeys,
  deleteIdempotencyKey,
  type IdempotencyClaim,
} from '#db/queries/idempotency-keys.ts';
import { insertMetrics, type NewMetric } from '#db/queries/metrics/metrics.ts';
import type { Database } from '#db/schema.ts';
import type { FairQueue } from '#server/limits/fair-queue.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { App } from '#server/app.ts';
import { retryAfterMidnight } from '#server/limits/allowances/retry-after.ts';
import { GroupCommit, type GroupedWrite } from '#server/limits/group-commit.ts';
import { createRefuser } from '#server/refusal.ts';

const refuse = createRefuser(METRIC_LIMIT_REFUSALS);

/** `forbidden`: the account has no such project. `keyUsed`: the idempotency key was used before. */
type WriteResult = 'stored' | 'forbidden' | 'keyUsed';

export interface MetricWriter {
  /**
   * Stores a metric and, if given, its idempotency claim, which holds the response. Throws a
   * refusal if the account has used up its daily volume. Resolves after the commit. If `db` is a
   * transaction, resolves after the insert and ignores `claim`.
   */
  write: (
    db: Kysely<Database>,
    metric: NewMetric,
    claim?: IdempotencyClaim,
  ) => Promise<WriteResult>;
}

export interface MetricWrite extends GroupedWrite {
  text: string;
  idempotencyClaim?: IdempotencyClaim | undefined;
}

export function createMetricGroupCommit(
  db: Kysely<Database>,
  queue: FairQueue,
): GroupCommit<MetricWrite, WriteResult> {
  return new GroupCommit((metrics) => storeMetrics(db, metrics), {
    queueKey: 'metrics',
    queue,
  });
}

/** Stores a group of metrics, with their idempotency claims if they have any, in one commit. */
export async function storeMetrics(
  db: Kysely<Database>,
  metrics: readonly MetricWrite[],
): Promise<Map<MetricWrite, WriteResult>> {
  const claims = metrics.flatMap(({ idempotencyClaim: claim }) => claim ?? []);
  if (claims.length === 0) return resultsOf(metrics, await insertMetrics(db, metrics));
  return inTransaction(db, async (trx) => {
    const claimed = await claimIdempotencyKeys(trx, claims);
    const isKeyUsed = ({ idempotencyClaim: claim }: MetricWrite) =>
      claim !== undefined && !claimed.has(claim);
    const newMetrics = metrics.filter((metric) => !isKeyUsed(metric));
    const storedMetrics = await insertMetrics(trx, newMetrics);
    for (const metric of newMetrics)
      if (metric.idempotencyClaim && !storedMetrics.has(metric))
        await deleteIdempotencyKey(trx, metric.idempotencyClaim);
    const results = resultsOf(newMetrics, storedMetrics);
    for (const metric of metrics.filter(isKeyUsed)) results.set(metric, 'keyUsed');
    return results;
  });
}

function resultsOf(metrics: readonly MetricWrite[], storedMetrics: ReadonlySet<MetricWrite>) {
  return new Map<MetricWrite, WriteResult>(
    metrics.map((metric) => [metric, storedMetrics.has(metric) ? 'stored' : 'forbidden']),
  );
}

/** Commits metrics in groups, unless the caller passes a transaction. */
export function createMetricWriter({
  db,
  queues,
  dailyUsage,
}: Pick<App, 'db' | 'queues' | 'dailyUsage'>): MetricWriter {
  const groupCommit = createMetricGroupCommit(db, queues.writes);
  return {
    write: async (executor, metric, claim) => {
      const { accountId } = metric;
      if (!dailyUsage.isBelowLimit(accountId, 'metrics'))
        throw refuse('metricLimitReached', retryAfterMidnight());
      const text = JSON.stringify(metric);
      const bytes = Buffer.byteLength(text);
      const write = { accountId, text, characters: text.length, idempotencyClaim: claim };
      let result: WriteResult | undefined;
      // Counted before the write, so that concurrent writes cannot all pass the check above.
      dailyUsage.add(accountId, 'metrics', bytes);
      try {
        result = executor.isTransaction
          ? resultsOf([write], await insertMetrics(executor, [write])).get(write)!
          : await groupCommit.write(write);
      } finally {
        if (result !== 'stored') dailyUsage.add(accountId, 'metrics', -bytes);
      }
      return result;
    },
  };
}
