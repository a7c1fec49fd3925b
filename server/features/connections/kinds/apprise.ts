import { callReceiver } from '../call-receiver.ts';
import { maskReceiverUrl, parseReceiverUrl } from '../receivers.ts';
import type { KindOfConnection } from './connection-kind.ts';

/** With the key of a stored configuration, or without one. A proxy may add a folder. */
const PATH = /\/notify(\/[\w-]{1,128})?\/?$/;
const TYPES = { firing: 'failure', recovered: 'success', news: 'info' };
const NO_CONFIGURATION = 204;

/** https://github.com/caronc/apprise-api */
export const apprise: KindOfConnection = {
  url: {
    isReceiver: true,
    rule: (t) =>
      t('the URL of an Apprise configuration, such as {url}', {
        url: 'https://apprise.example/notify/my-key',
      }),
    parse: (config, text) => {
      const url = parseReceiverUrl(config, text);
      return url && PATH.test(url.pathname) ? url.href : undefined;
    },
    mask: maskReceiverUrl,
  },
  // Without a key it takes services from the request, also from fields that the query renames.
  isRelay: (url, token) => Boolean(token) || PATH.exec(url.pathname)?.[1] === undefined,
  send: async (app, { receiver, message, signal }) => {
    const [urls] = receiver.secrets;
    const attempt = await callReceiver(app, receiver, {
      headers: {},
      body: JSON.stringify({
        urls,
        title: message.title,
        body: `${message.text}\n${message.url}`,
        type: TYPES[message.tone],
        format: 'text',
      }),
      signal,
    });
    // A success for Apprise, although nothing was sent.
    if (attempt.response_status === NO_CONFIGURATION)
      return { ...attempt, outcome: 'failed', error: { code: 'appriseUnconfigured' } };
    return attempt;
  },
};
