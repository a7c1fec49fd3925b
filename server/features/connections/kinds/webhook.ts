import { createHmac, randomBytes } from 'node:crypto';
import { callReceiver } from '../call-receiver.ts';
import { maskReceiverUrl, parseReceiverUrl } from '../receivers.ts';
import type { KindOfConnection } from './connection-kind.ts';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks */
export const webhook: KindOfConnection = {
  url: {
    isReceiver: true,
    rule: (t) => t('a URL such as {url}', { url: 'https://shop.example/hook' }),
    parse: (config, text) => parseReceiverUrl(config, text)?.href,
    mask: maskReceiverUrl,
  },
  send: (app, { receiver, delivery, signal }) => {
    const { id, type, data, created_at } = delivery;
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify({ type, timestamp: created_at.toISOString(), data });
    return callReceiver(app, receiver, {
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': receiver.secrets
          .map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`)
          .join(' '),
      },
      body,
      signal,
    });
  },
};

export function createSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
