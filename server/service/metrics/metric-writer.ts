import DataLoader from 'dataloader';
import type { Kysely } from 'kysely';
import { insertMetrics, type NewMetric } from '../../../db/queries/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import { isAboutValues, isRetryable } from '../../../db/sql-state.ts';

const METRICS_IN_A_STATEMENT = 100;

/**
 * Stores a metric; false if its project does not belong to the account. Resolved when it is committed,
 * or in a transaction when that will store it.
 */
export type MetricWriter = (db: Kysely<Database>, metric: NewMetric) => Promise<boolean>;

/**
 * Writes the metrics that arrive in one turn of the event loop together, in one statement and one
 * commit; those of a transaction, which stores an answer with them, in that transaction.
 */
export function createMetricWriter(db: Kysely<Database>): MetricWriter {
  const loader = new DataLoader<NewMetric, boolean>((metrics) => writeTogether(db, metrics), {
    cache: false,
    maxBatchSize: METRICS_IN_A_STATEMENT,
    batchScheduleFn: setImmediate,
  });
  return async (executor, metric) => {
    if (!executor.isTransaction) return loader.load(metric);
    const [stored = false] = await insertMetrics(executor, [metric]);
    return stored;
  };
}

async function writeTogether(
  db: Kysely<Database>,
  metrics: readonly NewMetric[],
): Promise<(boolean | Error)[]> {
  try {
    return await insertMetrics(db, metrics);
  } catch (error) {
    // Nothing was stored because of one of them (its account is being deleted, say, which can also
    // end in a deadlock): each by itself gets its own answer.
    if (metrics.length === 1 || !(isAboutValues(error) || isRetryable(error))) throw error;
    return Promise.all(
      metrics.map(async (metric) => {
        const [stored] = await insertMetrics(db, [metric]).catch((own: Error) => [own]);
        return stored ?? false;
      }),
    );
  }
}
