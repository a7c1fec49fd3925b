import { utcDay } from '#contract/shared/durations.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { deleteOldDailyUsage } from '#db/queries/daily-usage.ts';
import { deleteExpired } from '#db/queries/expired-rows.ts';
import { deleteExpiredIdempotencyKeys } from '#db/queries/idempotency-keys.ts';
import { saveLastMaintenance } from '#db/queries/last-maintenance.ts';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';
import { FEATURES } from '../features/index.ts';
import type { Services } from '../features/services.ts';

type Task = () => Promise<unknown>;

export const maintenanceJob = defineJob({
  kind: 'maintenance',
  schema: NO_DATA,
  cron: '0 * * * *',
  pollSeconds: 30,
  expireSeconds: 3_600,
  // The next hour's job continues.
  noRetry: true,
  run: (app: Services, _data, { signal }) => runMaintenance(app, signal),
});

/**
 * Creates metric partitions in advance and deletes expired data. A failing task does not stop the
 * others.
 */
export async function runMaintenance(app: Services, signal?: AbortSignal): Promise<void> {
  const { db, log } = app;
  const startedAt = performance.now();
  let failed = 0;
  const tasks: Task[] = [
    () => inTransaction(db, (trx) => createMetricPartitions(trx, new Date())),
    () => deleteExpiredIdempotencyKeys(db),
    () => deleteOldDailyUsage(db, utcDay()),
    ...FEATURES.flatMap(({ expiring = [], hourly }) => [
      ...expiring.map((table) => () => deleteExpired(db, table)),
      ...(hourly ? [() => hourly(app, signal)] : []),
    ]),
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
