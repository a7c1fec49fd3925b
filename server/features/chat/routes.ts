import type { contract } from '#contract/index.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { describeHosts, parseWebhookUrl, webhookHostsOf } from './chat-client.ts';
import type { ChatService } from './chat-service.ts';
import { sendChatMessage } from './send-message.ts';

export function chatRoutes(app: Core & { chat: ChatService }): Handlers<typeof contract.hooks> {
  const hosts = webhookHostsOf(app.config);
  return {
    sendChatWebhook: async ({ body: { webhookUrl, payload: message }, refuse, ...sender }) => {
      const webhook = parseWebhookUrl(webhookUrl, hosts);
      if (!webhook) throw refuse('webhookUrlInvalid', { hosts: describeHosts(hosts) });
      const messageId = await sendChatMessage(app, sender, { webhook, message });
      return { success: true, message: 'The message was sent.', messageId };
    },

    editChatWebhook: async ({ body, refuse, ...sender }) => {
      const webhook = parseWebhookUrl(body.webhookUrl, hosts);
      if (!webhook) throw refuse('webhookUrlInvalid', { hosts: describeHosts(hosts) });
      const edit = { webhook, message: body.payload, messageId: body.messageId };
      const messageId = await sendChatMessage(app, sender, edit);
      return { success: true, message: 'The message was edited.', messageId };
    },
  };
}
