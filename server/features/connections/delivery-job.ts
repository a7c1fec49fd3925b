import { z } from 'zod';
import type { Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { listWaitingConnections } from '#db/queries/connections.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import type { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { MAX_RUNNING } from './receivers.ts';
import type { ConnectionServices } from './kinds/connection-kind.ts';
import type { Core } from '#server/core.ts';

export const deliveryJob = defineJob({
  kind: 'delivery',
  schema: z.object({ connectionId: z.string() }),
  workers: MAX_RUNNING,
  pollSeconds: 2,
  expireSeconds: 120,
  // After kill -9, another server continues.
  heartbeatSeconds: 20,
  run: async (app: ConnectionServices, { connectionId }, { signal }) =>
    (await import('./send-deliveries.ts')).sendDeliveries(app, connectionId, signal),
});

/** Adds jobs that are missing, for example because backups do not contain jobs. */
export async function resumeDeliveries({ db, jobs }: Pick<Core, 'db' | 'jobs'>): Promise<void> {
  const ids = await listWaitingConnections(db);
  await inTransaction(db, (trx) => queueRuns(trx, jobs, ids));
}

/** Sends what waits for these connections. */
export async function queueRuns(
  trx: Transaction,
  jobs: Pick<JobQueue, 'add'>,
  connectionIds: readonly string[],
  startAt?: Date,
): Promise<void> {
  for (const connectionId of connectionIds)
    await jobs.add(trx, deliveryJob, { connectionId }, { key: connectionId, startAt });
}
