import { callReceiver } from '../call-receiver.ts';
import { maskReceiverUrl, parseReceiverUrl } from '../receivers.ts';
import { chatText } from './chat-text.ts';
import type { KindOfConnection } from './connection-kind.ts';

/** What Slack decodes: https://docs.slack.dev/messaging/formatting-message-text#escaping */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The response for a deleted webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
const DELETED = 'no_service';

/** Incoming webhooks, which Mattermost and Rocket.Chat take in the same form. */
export const slack: KindOfConnection = {
  url: {
    isReceiver: true,
    rule: (t) =>
      t('the URL of an incoming webhook, such as {url}', {
        url: 'https://hooks.slack.com/services/T0/B0/x',
      }),
    parse: (config, text) => parseReceiverUrl(config, text)?.href,
    mask: maskReceiverUrl,
  },
  send: async (app, { receiver, message, signal }) => {
    const text = chatText(message).replace(/[&<>]/g, (char) => ENTITIES[char]!);
    const body = JSON.stringify({ text });
    const attempt = await callReceiver(app, receiver, { headers: {}, body, signal });
    const isDeleted = attempt.response_status === 404 && attempt.response === DELETED;
    return isDeleted ? { ...attempt, outcome: 'gone' } : attempt;
  },
};
