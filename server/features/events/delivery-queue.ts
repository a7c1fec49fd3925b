import { z } from 'zod';
import { isServerEvent, type LoggedEventType } from '#contract/shared/event-types.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { defineJobKind } from '#server/platform/jobs/define-job.ts';
import type { JobQueue } from '#server/platform/jobs/job-queue.ts';

/** Alerts and events of the server do not wait for other events. */
export type DeliveryClass = z.infer<typeof DeliveryClass>;
const DeliveryClass = z.enum(['event', 'alert', 'server']);

export const deliveries = defineJobKind({
  kind: 'delivery',
  schema: z.object({ connectionId: z.string(), slot: DeliveryClass.default('event') }),
  batchSize: 20,
  pollSeconds: 1,
  expireSeconds: 60,
});

/** Sends what waits for these connections. */
export async function queueDeliveries(
  trx: Transaction,
  jobs: Pick<JobQueue, 'add'>,
  connectionIds: readonly string[],
  { slot = 'event', startAt }: { slot?: DeliveryClass; startAt?: Date } = {},
): Promise<void> {
  const priority = slot === 'event' ? 0 : 1;
  for (const connectionId of connectionIds) {
    const key = slot === 'event' ? connectionId : `${slot} ${connectionId}`;
    await jobs.add(trx, deliveries, { connectionId, slot }, { key, startAt, priority });
  }
}

export function deliveryClassOf(type: LoggedEventType): DeliveryClass {
  if (isServerEvent(type)) return 'server';
  return type.startsWith('alert_') ? 'alert' : 'event';
}
