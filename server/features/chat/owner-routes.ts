import type { webhooks } from '#contract/owner/webhooks.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { isWebhookUsed } from '#db/queries/alerts.ts';
import { listWebhooks } from '#db/queries/chat-webhooks.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import { isForeignKeyViolation } from '#db/sql-state.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import type { App } from '#server/app.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { describeHosts, parseWebhookUrl, webhookHostsOf } from './chat-client.ts';
import { requireRecentLogin } from '../sessions/recent-login.ts';
import { messageExcerpt } from './send-message.ts';
import { sendToStoredWebhook, storeWebhook } from './stored-webhooks.ts';

export function webhookRoutes(app: App): Handlers<typeof webhooks> {
  return {
    listWebhooks: async ({ accountId, readDb }) => {
      const rows = await listWebhooks(readDb, accountId);
      const available = app.secretBox !== undefined;
      return { status: 200, body: { webhooks: rows.map(serializeTimes), available } };
    },

    createWebhook: async ({
      accountId,
      credential,
      body: { name, webhook_url: webhookUrl },
      db,
      refuse,
    }) => {
      const hosts = webhookHostsOf(app.config);
      const webhook = parseWebhookUrl(webhookUrl, hosts);
      if (!webhook) throw refuse('webhookUrlInvalid', { hosts: describeHosts(hosts) });
      await requireRecentLogin(db, { accountId, credential });
      const row = await storeWebhook(db, app, { accountId, name, webhook });
      return { status: 200, body: { webhook: serializeTimes(row) } };
    },

    deleteWebhook: async ({ accountId, body: { webhook_id: id }, db, refuse }) => {
      await lockAccount(db, accountId);
      if (await isWebhookUsed(db, accountId, id)) throw refuse('webhookInUse');
      const isDeleted = await deleteOwnRow(db, 'chat_webhooks', { accountId, id }).catch(
        (error: unknown) => {
          // An alert started to use the webhook after the check above.
          throw isForeignKeyViolation(error) ? refuse('webhookInUse', { cause: error }) : error;
        },
      );
      if (!isDeleted) throw refuse('storedWebhookNotFound');
      return { status: 200, body: { success: true } };
    },

    sendMessage: async ({ accountId, body: { webhook_id: id, payload }, db, log, refuse }) => {
      const delivery = { message: payload, text: messageExcerpt(payload) };
      const message_id = await sendToStoredWebhook(app, { accountId, db, log }, id, delivery);
      if (message_id === undefined) throw refuse('storedWebhookNotFound');
      return { status: 200, body: { message: 'The message was sent.', message_id } };
    },
  };
}
