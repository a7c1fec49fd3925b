import { callReceiver } from '../call-receiver.ts';
import { parseReceiverUrl } from '../receivers.ts';
import { chatText } from './chat-text.ts';
import type { KindOfConnection } from './connection-kind.ts';

const METHOD = 'https://api.telegram.org/sendMessage';
const CHAT = /^(-?\d{1,20}|@\w{1,64})$/;

/** The token belongs into the path, so the URL is stored without it: https://core.telegram.org/bots/api#sendmessage */
export const telegram: KindOfConnection = {
  url: {
    isReceiver: true,
    rule: (t) =>
      t('the number of a chat, such as {chat}, or the name of a channel, such as {channel}', {
        chat: '-1001234567890',
        channel: '@my_channel',
      }),
    parse: (config, text) => {
      const isChat = CHAT.test(text);
      const url = parseReceiverUrl(config, isChat ? `${METHOD}?chat_id=${text}` : text);
      const hasChat = CHAT.test(url?.searchParams.get('chat_id') ?? '');
      return hasChat && url?.pathname === '/sendMessage' ? url.href : undefined;
    },
    mask: (url) => new URL(url).searchParams.get('chat_id')!,
  },
  // It becomes a part of the path.
  token: /^\d{1,20}:[\w-]{1,80}$/,
  send: async (app, { receiver, message, signal }) => {
    const parameters = Object.fromEntries(new URL(receiver.url).searchParams);
    const sendTo = (chat_id: string) =>
      callReceiver(app, receiver, {
        path: `/bot${receiver.secrets[0]}/sendMessage`,
        headers: {},
        body: JSON.stringify({
          ...parameters,
          chat_id,
          text: chatText(message),
          link_preview_options: { is_disabled: true },
        }),
        signal,
      });
    const attempt = await sendTo(parameters['chat_id']!);
    // A group that became a supergroup: https://core.telegram.org/bots/api#responseparameters
    const [, chat] = /"migrate_to_chat_id":\s*(-?\d{1,20})/.exec(attempt.response ?? '') ?? [];
    return attempt.response_status === 400 && chat ? sendTo(chat) : attempt;
  },
};
