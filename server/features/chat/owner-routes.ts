import type { webhooks } from '#contract/owner/webhooks.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { isWebhookUsed } from '#db/queries/alerts/alerts.ts';
import {
  deleteWebhook,
  findWebhookUrl,
  listWebhooks,
  type WebhookRow,
} from '#db/queries/chat/chat-webhooks.ts';
import { isMissingReference } from '#db/sql-state.ts';
import type { Handlers } from '#server/http/contract/adapter.ts';
import type { Allowances } from '#server/limits/allowances/allowances.ts';
import type { ChatPlatform } from './chat-platform.ts';
import { excerptOf, recordMessage } from './record-message.ts';
import { parseWebhookUrl } from './platform-client.ts';
import { demandFreshProof } from '../sessions/fresh-proof.ts';
import { readWebhook, storeWebhook, type WebhookStore } from './stored-webhooks.ts';

/** Dependencies of the stored webhooks. */
export interface WebhookDependencies extends WebhookStore {
  chatPlatform: ChatPlatform;
  allowances: Pick<Allowances, 'events'>;
}

/** The stored webhooks of the account. */
export function webhooksRoutes(store: WebhookDependencies): Handlers<typeof webhooks> {
  return {
    listWebhooks: async ({ accountId, reads }) => {
      const rows = await listWebhooks(reads, accountId);
      const available = store.secrets !== undefined;
      return { status: 200, body: { webhooks: rows.map(webhookFields), available } };
    },

    createWebhook: async ({ accountId, via, body: { name, webhookUrl }, db, refuse }) => {
      const webhook = parseWebhookUrl(webhookUrl, store.webhookHosts);
      if (!webhook) throw refuse('webhookUrlInvalid');
      await demandFreshProof(db, { accountId, via });
      const row = await inTransaction(db, (trx) =>
        storeWebhook(trx, store, { accountId, name, webhook }),
      );
      return { status: 200, body: { webhook: webhookFields(row) } };
    },

    deleteWebhook: async ({ accountId, body: { webhookId }, db, refuse }) => {
      await inTransaction(db, async (trx) => {
        if (await isWebhookUsed(trx, accountId, webhookId)) throw refuse('webhookInUse');
        if (!(await deleteWebhook(trx, accountId, webhookId)))
          throw refuse('storedWebhookNotFound');
      }).catch((error: unknown) => {
        // An alert came to use it meanwhile.
        throw isMissingReference(error) ? refuse('webhookInUse', { cause: error }) : error;
      });
      return { status: 200, body: { success: true } };
    },

    sendMessage: async ({ accountId, body: { webhookId: id, payload }, db, log, refuse }) => {
      const encryptedUrl = await findWebhookUrl(db, accountId, id);
      if (!encryptedUrl) throw refuse('storedWebhookNotFound');
      const webhook = readWebhook(store, { accountId, id, encryptedUrl });
      const messageId = await store.chatPlatform.send(
        { accountId, db, webhook },
        payload,
        recordMessage(
          { accountId, db, log },
          {
            type: 'chat_message_sent',
            webhook,
            detail: { stored_webhook_id: id, text: excerptOf(payload) },
            limit: store.allowances.events,
          },
        ),
      );
      return { status: 200, body: { success: true, message: 'The message was sent.', messageId } };
    },
  };
}

function webhookFields({ id, name, platform_id, created_at }: WebhookRow) {
  return { id, name, platform_id, created_at: created_at.toISOString() };
}
