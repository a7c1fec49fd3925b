import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findClockJump } from '#db/queries/clock.ts';
import {
  finishMetricDeletion,
  scheduleRetentionDeletions,
  listMetricDeletions,
} from '#db/queries/metric-deletions.ts';
import { deleteSomeMetrics } from '#db/queries/metrics.ts';
import { bumpSiteVersion } from '#db/queries/sites.ts';
import type { Core } from '#server/core.ts';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';

const MAX_DELETIONS = 1_000;
/** Small, so that deletions do not block writers. */
const BATCH_SIZE = 5_000;

export const metricSweepJob = defineJob({
  kind: 'metric-sweep',
  schema: NO_DATA,
  pollSeconds: 5,
  expireSeconds: 3_600,
  run: ({ db }: Pick<Core, 'db'>, _data, { signal }) => sweepMetrics(db, signal),
});

export async function sweepMetrics(db: Database, signal?: AbortSignal): Promise<void> {
  if ((await findClockJump(db)) === undefined) await scheduleRetentionDeletions(db);
  for (const deletion of await listMetricDeletions(db, MAX_DELETIONS)) {
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE;) {
      signal?.throwIfAborted();
      deleted = await deleteSomeMetrics(db, deletion, BATCH_SIZE);
    }
    await inTransaction(db, async (trx) => {
      await finishMetricDeletion(trx, deletion);
      await bumpSiteVersion(trx, deletion.projectId);
    });
  }
}
