import { callReceiver } from '../call-receiver.ts';
import { maskReceiverUrl, parseReceiverUrl } from '../receivers.ts';
import { chatText } from './chat-text.ts';
import type { KindOfConnection } from './connection-kind.ts';

/** What Slack decodes: https://docs.slack.dev/messaging/formatting-message-text#escaping */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * `/hooks/<integration>/<token>`, in old versions with the user between them (RocketChat/Rocket.Chat,
 * apps/meteor/app/integrations/server/api/api.ts). Mattermost has only `/hooks/<id>`.
 */
const ROCKET_CHAT_PATH = /\/hooks(\/[^/]+){2,3}\/?$/;

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
  send: (app, { receiver, message, signal }) => {
    const plain = chatText(message);
    // Rocket.Chat shows entities as they are, and makes links of `<url|text>`
    // (packages/message-parser/src/grammar.pegjs). Mattermost shows the characters that they stand for
    // (mattermost/marked, lib/marked.js).
    const text = ROCKET_CHAT_PATH.test(new URL(receiver.url).pathname)
      ? plain.replaceAll('<', '<\u200B')
      : plain.replace(/[&<>]/g, (char) => ENTITIES[char]!);
    return callReceiver(app, receiver, { headers: {}, body: JSON.stringify({ text }), signal });
  },
};
