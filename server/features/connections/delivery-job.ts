import { inTransaction } from '#db/connections/transaction.ts';
import { listWaitingConnections } from '#db/queries/connections.ts';
import type { Core } from '#server/core.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import { deliveries, queueDeliveries } from '../events/delivery-queue.ts';
import type { ConnectionServices } from './kinds/connection-kind.ts';

/** Only starts to send, so that a slow receiver does not delay the next job. */
export const deliveryJob = defineJob({
  ...deliveries,
  whenOff: 'wait',
  run: async (app: ConnectionServices, { connectionId, slot }) =>
    (await import('./send-deliveries.ts')).startDeliveries(app, connectionId, slot),
});

/** Adds jobs that are missing, for example because backups do not contain jobs. */
export async function resumeDeliveries({ db, jobs }: Pick<Core, 'db' | 'jobs'>): Promise<void> {
  const ids = await listWaitingConnections(db);
  await inTransaction(db, (trx) => queueDeliveries(trx, jobs, ids));
}
