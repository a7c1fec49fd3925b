import type { ChatMessage } from '#contract/chat-message.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import {
  describeHosts,
  formatWebhookUrl,
  parseWebhookUrl,
  webhookHostsOf,
} from '../../chat/chat-client.ts';
import type { EventMessage } from '../event-message.ts';
import { EMOJI } from './chat-text.ts';
import type { Attempt, KindOfConnection } from './connection-kind.ts';

export const discord: KindOfConnection = {
  url: {
    rule: (t, config) =>
      t('a Discord webhook URL at {hosts}', { hosts: describeHosts(webhookHostsOf(config)) }),
    parse: (config, text) => {
      const webhook = parseWebhookUrl(text, webhookHostsOf(config));
      return webhook && formatWebhookUrl(webhook);
    },
    mask: (url) => url.replace(/^(https:\/\/[^/]+\/api\/webhooks\/\d+\/).*$/, '$1…'),
  },

  send: async ({ chat, config, db }, { receiver, message }) => {
    const webhook = parseWebhookUrl(receiver.url, webhookHostsOf(config))!;
    const request = { webhook, message: toChatMessage(message) };
    try {
      await chat.deliver({ accountId: receiver.accountId, db }, request, (call) => call());
      return { outcome: 'delivered' };
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      return toAttempt(error);
    }
  },
};

function toAttempt(error: RefusalError): Attempt {
  const retryAfter = Number(error.headers['retry-after'] ?? 0);
  const fields = { error: error.toStored(), retryAfterSeconds: retryAfter };
  if (error.code === 'webhookNotFound') return { outcome: 'gone', ...fields };
  return { outcome: error.status < 500 ? 'refused' : 'failed', ...fields };
}

/** Escapes markup and disables mentions, because users choose the names in the text. */
function toChatMessage({ tone, title, text, url }: EventMessage): ChatMessage {
  return {
    // The angle brackets keep the chat from showing a preview of the dashboard.
    content: `${EMOJI[tone]} **${escapeMarkdown(title)}**\n${escapeMarkdown(text)}\n<${url}>`,
    allowed_mentions: { parse: [] },
  };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<]/g, String.raw`\$&`);
}
