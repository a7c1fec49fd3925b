import { type connections, MANUAL_ATTEMPT_REFUSALS } from '#contract/owner/connections.ts';
import { DELIVERED_EVENT_TYPES } from '#contract/shared/event-types.ts';
import type { Executor } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import {
  type ConnectionRow,
  endFailures,
  findConnection,
  updateConnection,
} from '#db/queries/connections.ts';
import {
  type DeliveryRow,
  findDelivery,
  insertTest,
  listDeliveries,
  retryFailed,
  saveAttempt,
  trimDeliveries,
} from '#db/queries/deliveries.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { queueDeliveries } from '../events/delivery-queue.ts';
import { findKeyLabels } from '../events/describe-event.ts';
import { readableTypes } from '../events/readable-types.ts';
import { summarizeDaysSoFar } from '../events/summarize-week.ts';
import type { ConnectionServices } from './kinds/connection-kind.ts';
import { attemptDelivery } from './send-delivery.ts';
import { serializeDelivery } from './serialize-connection.ts';

export function deliveryRoutes(app: ConnectionServices) {
  return {
    sendTestEvent: async ({ accountId, scope, body, db, refuse, getTranslator }) => {
      const connection = await findConnection(db, accountId, body.connection_id);
      if (!connection) throw refuse('connectionNotFound');
      countManualAttempt(app, db, accountId);
      const types = await readableTypes(db, { accountId, scope }, connection.event_types);
      const data = await summarizeDaysSoFar(db, accountId, types);
      const delivery = await insertTest(db, connection.id, data);
      if (!delivery) throw refuse('connectionNotFound');
      await trimDeliveries(db, connection.id);
      const sent = await sendNow(app, connection, delivery);
      const labels = await findKeyLabels(db, accountId);
      return { delivery: serializeDelivery(sent, { types, labels, t: getTranslator() }) };
    },

    listDeliveries: async ({ accountId, scope, query, readDb, refuse, getTranslator }) => {
      const connection = await findConnection(readDb, accountId, query.connection_id);
      if (!connection) throw refuse('connectionNotFound');
      const types = await readableTypes(readDb, { accountId, scope }, DELIVERED_EVENT_TYPES);
      const rows = await listDeliveries(readDb, connection.id, types);
      const labels = await findKeyLabels(readDb, accountId);
      const t = getTranslator();
      return { deliveries: rows.map((row) => serializeDelivery(row, { types, labels, t })) };
    },

    sendDelivery: async ({ accountId, scope, body, db, refuse, getTranslator }) => {
      const types = await readableTypes(db, { accountId, scope }, DELIVERED_EVENT_TYPES);
      const delivery = await findDelivery(db, accountId, body.delivery_id);
      if (!delivery || !types.includes(delivery.type)) throw refuse('deliveryNotFound');
      const connection = await findConnection(db, accountId, delivery.connection_id);
      if (!connection) throw refuse('deliveryNotFound');
      countManualAttempt(app, db, accountId);
      const sent = await sendNow(app, connection, delivery);
      const labels = await findKeyLabels(db, accountId);
      return { delivery: serializeDelivery(sent, { types, labels, t: getTranslator() }) };
    },

    sendFailedDeliveries: async ({ accountId, scope, body, db, refuse }) => {
      const connection = await findConnection(db, accountId, body.connection_id);
      if (!connection) throw refuse('connectionNotFound');
      if (connection.disabled_at !== null) throw refuse('connectionSwitchedOff');
      countManualAttempt(app, db, accountId);
      const types = await readableTypes(db, { accountId, scope }, DELIVERED_EVENT_TYPES);
      const events = types.filter((type) => type !== 'test');
      const count = await retryFailed(db, connection.id, events);
      // Ends the pause, and gives another three days. If the next attempt fails, the next pause is as
      // long as without this.
      await updateConnection(db, connection, { next_attempt_at: null, failing_since: null });
      await queueDeliveries(db, app.jobs, [connection.id]);
      return { count };
    },
  } satisfies Partial<Handlers<typeof connections>>;
}

const refuseManualAttempt = createRefuser(MANUAL_ATTEMPT_REFUSALS);

function countManualAttempt(
  { connections }: ConnectionServices,
  db: Executor,
  accountId: string,
): void {
  const waitMs = connections.countManualAttempt(db, accountId);
  if (waitMs !== undefined) throw refuseManualAttempt('testRateLimited', retryAfter(waitMs));
}

/**
 * Sends at once, out of order and also to a connection that is switched off. A success ends the pause
 * after failures.
 */
async function sendNow(
  app: ConnectionServices,
  connection: ConnectionRow,
  delivery: DeliveryRow,
): Promise<DeliveryRow> {
  const { db, jobs, connections } = app;
  const { id, account_id: accountId } = connection;
  const t = translatorFor(await findAccountLanguage(db, accountId));
  const { signal } = new AbortController();
  const { outcome, result } = await connections.slots.manual.run(accountId, () =>
    attemptDelivery(app, connection, delivery, { t, signal }),
  );
  if (outcome === 'delivered' && connection.failures > 0)
    await inTransaction(db, async (trx) => {
      await endFailures(trx, connection);
      await queueDeliveries(trx, jobs, [id]);
    });
  return (await saveAttempt(db, delivery.id, result)) ?? delivery;
}
