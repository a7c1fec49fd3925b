import type { contract } from '#contract/index.ts';
import type { Handlers } from '#server/http/contract/adapter.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { recordMessage } from './record-message.ts';
import { parseWebhookUrl } from './platform-client.ts';

export function hooksRoutes({
  chatPlatform,
  webhookHosts,
  allowances,
}: Pick<Dependencies, 'chatPlatform' | 'webhookHosts' | 'allowances'>): Handlers<
  typeof contract.hooks
> {
  return {
    sendChatWebhook: async ({ body, refuse, ...input }) => {
      const webhook = parseWebhookUrl(body.webhookUrl, webhookHosts);
      if (!webhook) throw refuse('webhookUrlInvalid');
      const target = { accountId: input.accountId, db: input.db, webhook };
      const messageId = await chatPlatform.send(
        target,
        body.payload,
        recordMessage(input, { type: 'chat_message_sent', webhook, limit: allowances.events }),
      );
      return { status: 200, body: { success: true, message: 'The message was sent.', messageId } };
    },

    editChatWebhook: async ({ body, refuse, ...input }) => {
      const webhook = parseWebhookUrl(body.webhookUrl, webhookHosts);
      if (!webhook) throw refuse('webhookUrlInvalid');
      const target = { accountId: input.accountId, db: input.db, webhook };
      const messageId = await chatPlatform.edit(
        target,
        body.messageId,
        body.payload,
        recordMessage(input, { type: 'chat_message_edited', webhook, limit: allowances.events }),
      );
      return {
        status: 200,
        body: { success: true, message: 'The message was edited.', messageId },
      };
    },
  };
}
