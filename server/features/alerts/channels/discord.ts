import type { ChatMessage } from '#contract/chat-message.ts';
import { STORED_WEBHOOK_REFUSALS } from '#contract/owner/webhooks.ts';
import { lockWebhook } from '#db/queries/chat-webhooks.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { messageExcerpt } from '../../chat/send-message.ts';
import { sendToStoredWebhook } from '../../chat/stored-webhooks.ts';
import type { AlertMessage } from '../alert-message.ts';
import type { AlertChannel } from './index.ts';

const refuse = createRefuser(STORED_WEBHOOK_REFUSALS);

const EMOJI: Readonly<Record<AlertMessage['kind'], string>> = {
  firing: '🔴',
  recovered: '🟢',
  test: '🔔',
};

export const discord: AlertChannel = {
  field: 'webhook_id',

  assertTarget: async (trx, _app, { accountId, target }) => {
    if (!(await lockWebhook(trx, accountId, target.webhook_id!)))
      throw refuse('storedWebhookNotFound');
  },

  send: (app, sender, { alertId, target, message, onCallStart }) => {
    const content = `${message.title}: ${message.project}: ${message.text}`;
    return sendToStoredWebhook(app, sender, target.webhook_id!, {
      message: toChatMessage(message),
      text: messageExcerpt({ content }),
      detail: { alert_id: alertId },
      onCallStart,
    });
  },
};

/** Escapes markup and disables mentions, because users choose the project and field names. */
function toChatMessage(message: AlertMessage): ChatMessage {
  const title = `${message.title}: ${message.project}`;
  return {
    content: `${EMOJI[message.kind]} **${escapeMarkdown(title)}**\n${escapeMarkdown(message.text)}`,
    allowed_mentions: { parse: [] },
  };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<]/g, String.raw`\$&`);
}
