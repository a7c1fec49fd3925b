import { z } from 'zod';
import { isServerEvent, type LoggedEventType } from '#contract/shared/event-types.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { listWaitingConnections } from '#db/queries/connections.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import type { JobQueue } from '#server/platform/jobs/job-queue.ts';
import type { SlotKind } from './receivers.ts';
import type { ConnectionServices } from './kinds/connection-kind.ts';
import type { Core } from '#server/core.ts';

/** Only starts to send, so that a slow receiver does not delay the next job. */
export const deliveryJob = defineJob({
  kind: 'delivery',
  schema: z.object({
    connectionId: z.string(),
    slot: z.enum(['event', 'alert', 'server']).default('event'),
  }),
  batchSize: 20,
  pollSeconds: 1,
  expireSeconds: 60,
  run: async (app: ConnectionServices, { connectionId, slot }) =>
    (await import('./send-deliveries.ts')).startDeliveries(app, connectionId, slot),
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
  { slot = 'event', startAt }: { slot?: SlotKind; startAt?: Date } = {},
): Promise<void> {
  const priority = slot === 'event' ? 0 : 1;
  for (const connectionId of connectionIds) {
    const key = slot === 'event' ? connectionId : `${slot} ${connectionId}`;
    await jobs.add(trx, deliveryJob, { connectionId, slot }, { key, startAt, priority });
  }
}

export function slotFor(type: LoggedEventType): SlotKind {
  if (isServerEvent(type)) return 'server';
  return type.startsWith('alert_') ? 'alert' : 'event';
}
