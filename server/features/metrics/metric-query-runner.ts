import { METRIC_READ_REFUSALS } from '#contract/metric-params.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import type { DatabaseQueue } from '#server/platform/limits/database-queues.ts';
import { findOwnProjects } from '#db/queries/projects.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { isTimeout } from '#db/sql-state.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(METRIC_READ_REFUSALS);

/** Uses separate connections, so that slow queries delay nothing else. */
export type MetricQueryRunner = <T>(
  target: { readDb: ReadDatabase; accountId: string; projectId: string },
  work: (db: Database) => Promise<T>,
) => Promise<T>;

export function createMetricQueryRunner(queue: DatabaseQueue): MetricQueryRunner {
  return async ({ readDb, accountId, projectId }, work) => {
    if (!(await ownsProject(readDb, accountId, projectId))) throw refuse('projectForbidden');
    try {
      return await work(queue.databaseFor(accountId));
    } catch (error) {
      throw isTimeout(error) ? refuse('queryTooExpensive', { cause: error }) : error;
    }
  };
}

export async function ownsProject(
  db: ReadDatabase,
  accountId: string,
  projectId: string,
): Promise<boolean> {
  if (!UUID_PATTERN.test(projectId)) return false;
  return (await findOwnProjects(db, accountId, [projectId])).length > 0;
}
