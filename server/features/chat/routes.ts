import type { contract } from '#contract/index.ts';
import type { Handlers } from '#server/http/contract/register-contract.ts';
import type { App } from '#server/app.ts';
import { createMessageRecorder } from './message-recorder.ts';
import { describeHosts, parseWebhookUrl, webhookHostsOf } from './chat-client.ts';

export function chatRoutes({ allowances, chat, config }: App): Handlers<typeof contract.hooks> {
  const webhookHosts = webhookHostsOf(config);
  return {
    sendChatWebhook: async ({ body, refuse, ...input }) => {
      const webhook = parseWebhookUrl(body.webhookUrl, webhookHosts);
      if (!webhook) throw refuse('webhookUrlInvalid', { hosts: describeHosts(webhookHosts) });
      const context = { accountId: input.accountId, db: input.db, webhook };
      const messageId = await chat.send(
        context,
        body.payload,
        createMessageRecorder(input, {
          type: 'chat_message_sent',
          webhook,
          eventLimit: allowances.eventLimit,
        }),
      );
      return { status: 200, body: { success: true, message: 'The message was sent.', messageId } };
    },

    editChatWebhook: async ({ body, refuse, ...input }) => {
      const webhook = parseWebhookUrl(body.webhookUrl, webhookHosts);
      if (!webhook) throw refuse('webhookUrlInvalid', { hosts: describeHosts(webhookHosts) });
      const context = { accountId: input.accountId, db: input.db, webhook };
      const messageId = await chat.edit(
        context,
        body.messageId,
        body.payload,
        createMessageRecorder(input, {
          type: 'chat_message_edited',
          webhook,
          eventLimit: allowances.eventLimit,
        }),
      );
      return {
        status: 200,
        body: { success: true, message: 'The message was edited.', messageId },
      };
    },
  };
}
