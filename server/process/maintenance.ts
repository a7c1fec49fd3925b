import { utcDay } from '#contract/shared/durations.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { findClockJump } from '#db/queries/clock.ts';
import { deleteOldDailyUsage } from '#db/queries/daily-usage.ts';
import { deleteExpired } from '#db/queries/expired-rows.ts';
import { deleteExpiredIdempotencyKeys } from '#db/queries/idempotency-keys.ts';
import { saveLastMaintenance } from '#db/queries/last-maintenance.ts';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';
import { ALL_FEATURES } from '../features/call-features.ts';
import type { AllServices, Services } from '../features/services.ts';

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
 * Creates metric partitions in advance and deletes expired data, unless the clock has jumped. A
 * failing task does not stop the others.
 */
export async function runMaintenance(app: Services, signal?: AbortSignal): Promise<void> {
  const { db, log } = app;
  const startedAt = performance.now();
  let failed = 0;
  const clockJumpedAt = await findClockJump(db);
  if (clockJumpedAt) log.warn({ clockJumpedAt }, 'nothing is deleted by age: the clock has jumped');
  const tasks: Task[] = [
    () => inTransaction(db, (trx) => createMetricPartitions(trx, new Date())),
    ...app.features.list.flatMap(({ hourly }) => (hourly ? [() => hourly(app, signal)] : [])),
    ...(clockJumpedAt ? [] : listDeletions(app as AllServices)),
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
  const seconds = (performance.now() - startedAt) / 1_000;
  await saveLastMaintenance(db, { seconds, failed, clockJumpedAt });
}

/** Also of features that are off: how long data is kept is a promise. They use no services of their own. */
function listDeletions(app: AllServices): Task[] {
  const { db } = app;
  return [
    () => deleteExpiredIdempotencyKeys(db),
    () => deleteOldDailyUsage(db, utcDay()),
    ...ALL_FEATURES.flatMap(({ expiring = [], deletesByAge }) => [
      ...expiring.map((table) => () => deleteExpired(db, table)),
      ...(deletesByAge ? [() => deletesByAge(app)] : []),
    ]),
  ];
}
