import DataLoader from 'dataloader';
import type { Kysely } from 'kysely';
import { insertMetrics, type NewMetric } from '../../../db/queries/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import { isAboutValues, isRetryable } from '../../../db/sql-state.ts';

const METRICS_IN_A_STATEMENT = 100;

/** Stores a metric; false if its project does not belong to the account. Resolved when it is committed. */
export type MetricWriter = (metric: NewMetric) => Promise<boolean>;

/** Writes the metrics that arrive in one turn of the event loop together, in one statement and one commit. */
export function createMetricWriter(db: Kysely<Database>): MetricWriter {
  const loader = new DataLoader<NewMetric, boolean>((metrics) => writeTogether(db, metrics), {
    cache: false,
    maxBatchSize: METRICS_IN_A_STATEMENT,
    batchScheduleFn: setImmediate,
  });
  return (metric) => loader.load(metric);
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
