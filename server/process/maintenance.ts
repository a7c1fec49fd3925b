import { utcDay } from '#contract/shared/durations.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { deleteOldDailyUsage } from '#db/queries/daily-usage.ts';
import { deleteExpired, EXPIRING_TABLES } from '#db/queries/expired-rows.ts';
import { deleteOldEvents } from '#db/queries/events.ts';
import { deleteOldPageVisits } from '#db/queries/page-visits.ts';
import { deleteExpiredIdempotencyKeys } from '#db/queries/idempotency-keys.ts';
import { saveLastMaintenance } from '#db/queries/last-maintenance.ts';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';
import { resumeAccountDeletions } from '../features/accounts/delete-account.ts';
import { resumeDeliveries } from '#server/features/connections/delivery-job.ts';
import { deleteFirstKeyFile } from '../features/keys/first-key-file.ts';
import { sweepMetrics } from '../features/metrics/sweep-metrics.ts';
import { sweepPictures } from '../features/pictures/sweep-pictures.ts';
import { sweepProjects } from '../features/projects/projects.ts';
import type { ForwardingService } from '#server/features/forwarding/forwarding.ts';
import type { Core } from '#server/core.ts';

type MaintenanceServices = Pick<Core, 'config' | 'dataDir' | 'db' | 'jobs' | 'log'> & {
  forwarding: ForwardingService;
};

type Task = () => Promise<unknown>;

export const maintenanceJob = defineJob({
  kind: 'maintenance',
  schema: NO_DATA,
  cron: '0 * * * *',
  pollSeconds: 30,
  expireSeconds: 3_600,
  // The next hour's job continues.
  noRetry: true,
  run: (app: MaintenanceServices, _data, { signal }) => runMaintenance(app, signal),
});

/**
 * Creates metric partitions in advance and deletes expired data. A failing task does not stop the
 * others.
 */
export async function runMaintenance(
  { config, dataDir, db, forwarding, jobs, log }: MaintenanceServices,
  signal?: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  let failed = 0;
  const tasks: Task[] = [
    () => inTransaction(db, (trx) => createMetricPartitions(trx, new Date())),
    () => deleteExpiredIdempotencyKeys(db),
    ...EXPIRING_TABLES.map((table) => () => deleteExpired(db, table)),
    () => deleteOldDailyUsage(db, utcDay()),
    () => sweepProjects(db),
    () => sweepMetrics(db, signal),
    () => sweepPictures(db),
    () => forwarding.deleteUnusedDestinations(),
    () => deleteOldEvents(db, config.EVENT_DAYS),
    () => deleteOldPageVisits(db, { today: utcDay(), days: config.VISITOR_DAYS }),
    () => resumeAccountDeletions(db, jobs),
    () => resumeDeliveries({ db, jobs }),
    () => deleteFirstKeyFile({ db, dataDir, log }),
  ];
  for (const task of tasks) {
    signal?.throwIfAborted();
    try {
      await task();
    } catch (error) {
      signal?.throwIfAborted();
      failed += 1;
      log.error({ err: error }, 'a maintenance task failed and is retried in an hour');
    }
  }
  await saveLastMaintenance(db, { seconds: (performance.now() - startedAt) / 1_000, failed });
}
