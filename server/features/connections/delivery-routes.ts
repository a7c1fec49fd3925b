import type { connections } from '#contract/owner/connections.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import { findReceiver, type Receiver } from '#db/queries/connections.ts';
import {
  deleteFinishedBeyond,
  type DeliveryRow,
  findDelivery,
  insertTest,
  listDeliveries,
  saveAttempt,
} from '#db/queries/deliveries.ts';
import type { App } from '#server/app.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { parseWebhookUrl, webhookHostsOf } from '../chat/chat-client.ts';
import { messageExcerpt, sendChatMessage } from '../chat/send-message.ts';
import { openReceiver } from './open-receiver.ts';
import { attemptDelivery, toResult } from './send-delivery.ts';
import { serializeDelivery } from './serialize-connection.ts';

type DeliveryRoutes = Pick<
  Handlers<typeof connections>,
  'sendTestEvent' | 'listDeliveries' | 'sendDelivery' | 'sendMessage'
>;

export function deliveryRoutes(app: App): DeliveryRoutes {
  return {
    sendTestEvent: async ({
      accountId,
      body: { connection_id: id },
      db,
      refuse,
      getTranslator,
    }) => {
      const receiver = await findReceiver(db, accountId, id);
      if (!receiver) throw refuse('connectionNotFound');
      const delivery = await insertTest(db, id);
      await deleteFinishedBeyond(db, id, LIMITS.deliveries);
      const sent = await sendNow(app, receiver, delivery);
      return { status: 200, body: { delivery: serializeDelivery(sent, getTranslator()) } };
    },

    listDeliveries: async ({ accountId, query, readDb, refuse, getTranslator }) => {
      const { connection_id: id } = query;
      if (!(await findReceiver(readDb, accountId, id))) throw refuse('connectionNotFound');
      const rows = await listDeliveries(readDb, id, LIMITS.deliveries);
      const t = getTranslator();
      return { status: 200, body: { deliveries: rows.map((row) => serializeDelivery(row, t)) } };
    },

    sendDelivery: async ({ accountId, body: { delivery_id: id }, db, refuse, getTranslator }) => {
      const delivery = await findDelivery(db, accountId, id);
      const receiver = delivery && (await findReceiver(db, accountId, delivery.connection_id));
      if (!receiver) throw refuse('deliveryNotFound');
      const sent = await sendNow(app, receiver, delivery);
      return { status: 200, body: { delivery: serializeDelivery(sent, getTranslator()) } };
    },

    sendMessage: async ({ accountId, body: { connection_id: id, payload }, db, log, refuse }) => {
      const row = await findReceiver(db, accountId, id);
      if (!row) throw refuse('connectionNotFound');
      if (row.kind !== 'discord') throw refuse('messageKindInvalid');
      const { url } = openReceiver(app, row);
      const webhook = parseWebhookUrl(url, webhookHostsOf(app.config))!;
      const detail = { connection_id: id, text: messageExcerpt(payload) };
      const message = { webhook, message: payload, detail };
      const message_id = await sendChatMessage(app, { accountId, db, log }, message);
      return { status: 200, body: { message: 'The message was sent.', message_id } };
    },
  };
}

/** Sends at once, out of order and also to a connection that is switched off. */
async function sendNow(app: App, receiver: Receiver, delivery: DeliveryRow): Promise<DeliveryRow> {
  const t = translatorFor(await findAccountLanguage(app.db, receiver.account_id));
  const signal = new AbortController().signal;
  const attempt = await app.receivers.manualAttempts.run(receiver.account_id, () =>
    attemptDelivery(app, receiver, delivery, { t, signal }),
  );
  const unsentStatus = delivery.status === 'pending' ? 'pending' : 'failed';
  return (await saveAttempt(app.db, delivery.id, toResult(attempt, unsentStatus))) ?? delivery;
}
