import { callReceiver } from '../call-receiver.ts';
import { parseReceiverUrl } from '../receivers.ts';
import type { KindOfConnection } from './connection-kind.ts';

/** The names that ntfy allows. */
const TOPIC = /^\/([-_A-Za-z0-9]{1,64})\/?$/;
const TAGS = { firing: ['red_circle'], recovered: ['green_circle'], news: ['bell'] };
const HIGH_PRIORITY = 4;
const DEFAULT_PRIORITY = 3;

/** Publishes as JSON: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: KindOfConnection = {
  url: {
    isReceiver: true,
    rule: (t) => t('the URL of an ntfy topic, such as {url}', { url: 'https://ntfy.sh/my-topic' }),
    parse: (config, text) => {
      const url = parseReceiverUrl(config, text);
      const topic = url?.search === '' && TOPIC.exec(url.pathname)?.[1];
      return topic ? new URL(`/${topic}`, url).href : undefined;
    },
    // Who knows the topic can read it.
    mask: (url) => {
      const { origin, pathname } = new URL(url);
      return `${origin}${pathname.slice(0, 3)}…`;
    },
  },
  send: (app, { receiver, message, signal }) => {
    const topic = TOPIC.exec(new URL(receiver.url).pathname)![1]!;
    const [token] = receiver.secrets;
    const secrets = [...receiver.secrets, topic];
    return callReceiver(
      app,
      { ...receiver, secrets },
      {
        path: '/',
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        body: JSON.stringify({
          topic,
          title: message.title,
          message: message.text,
          priority: message.tone === 'firing' ? HIGH_PRIORITY : DEFAULT_PRIORITY,
          tags: TAGS[message.tone],
          click: message.url,
        }),
        signal,
      },
    );
  },
};
