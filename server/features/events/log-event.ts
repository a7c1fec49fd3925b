import type { EventType, LoggedEventType, ServerEventType } from '#contract/shared/event-types.ts';
import type { Executor, Transaction } from '#db/connections/handles.ts';
import { insertDeliveries } from '#db/queries/deliveries.ts';
import { deleteEventsBeyond, hasRecentEvent, insertEvent } from '#db/queries/events.ts';
import { lockOperators } from '#db/queries/operators.ts';
import type { Core } from '#server/core.ts';
import { deliveries, deliveryClassOf, queueDeliveries } from './delivery-queue.ts';

/**
 * Only some inserts, chosen at random, clean up, so on average about 5% more events than the limit
 * are stored.
 */
const CLEANUPS_PER_LIMIT = 20;

interface NewEvent<Type extends EventType> {
  accountId: string;
  type: Type;
  detail: Record<string, unknown>;
}

/** For events that are so rare that all of them are kept. */
export const NO_EVENT_LIMIT = { eventLimit: 0 };

export interface EventApp {
  allowances: Pick<Core['allowances'], 'eventLimit'>;
  jobs: Pick<Core['jobs'], 'add' | 'isLeftOut'>;
}

/** Stores the event, and sends it to the connections that carry it, or only to `connectionId`. */
export async function logEvent(
  trx: Transaction,
  { allowances, jobs }: EventApp,
  { connectionId, ...event }: NewEvent<LoggedEventType> & { connectionId?: string | null },
): Promise<void> {
  await insertWithinLimit(trx, { ...event, outcome: 'succeeded' }, allowances.eventLimit);
  // Nothing would ever send or delete them.
  if (jobs.isLeftOut(deliveries)) return;
  const { accountId, type, detail } = event;
  const delivery = { type, data: detail };
  const connectionIds = await insertDeliveries(trx, { accountId, connectionId }, delivery);
  await queueDeliveries(trx, jobs, connectionIds, { slot: deliveryClassOf(type) });
}

/** Logs an event of the server for each operator. */
export async function logServerEvent(
  trx: Transaction,
  app: EventApp,
  type: ServerEventType,
  detail: Record<string, unknown>,
): Promise<void> {
  for (const accountId of await lockOperators(trx))
    await logEvent(trx, app, { accountId, type, detail });
}

/** An event that no connection carries. Returns its id. */
export function storeEvent(
  db: Executor,
  { allowances }: Pick<EventApp, 'allowances'>,
  event: NewEvent<Exclude<EventType, LoggedEventType>> & { outcome?: 'pending' },
): Promise<string> {
  return insertWithinLimit(db, { outcome: 'succeeded', ...event }, allowances.eventLimit);
}

/** Keeps the events that `deleteEventsBeyond` keeps. A limit of 0 keeps all. */
async function insertWithinLimit(
  db: Executor,
  event: Parameters<typeof insertEvent>[1],
  limit: number,
): Promise<string> {
  const id = await insertEvent(db, event);
  if (limit > 0 && Math.random() * limit < CLEANUPS_PER_LIMIT)
    await deleteEventsBeyond(db, event.accountId, limit);
  return id;
}

/** Logs at most one change every ten minutes per API key or session, because editors save often. */
export async function logPageChange(
  trx: Transaction,
  app: Pick<EventApp, 'allowances'>,
  { accountId, by }: { accountId: string; by: string },
): Promise<void> {
  const event = { accountId, type: 'page_changed', detail: { by } } as const;
  if (await hasRecentEvent(trx, event)) return;
  await storeEvent(trx, app, event);
}
