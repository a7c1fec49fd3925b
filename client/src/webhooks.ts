import { NameplateError } from './errors.ts';
import type { WebhookEvent } from './generated/webhook-events.ts';

export type * from './generated/webhook-events.ts';

/** A delivery that `verifyWebhook` refused. Respond with the status 400. */
export class WebhookVerificationError extends NameplateError {
  override name = 'WebhookVerificationError';
}

/** The headers of Fetch, or an object with lowercase names such as `request.headers` of Node.js. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** How far `webhook-timestamp` may be from now, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
}

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
/** A rotation has two. More would only cost time. */
const MAX_SIGNATURES = 8;

/**
 * Checks that a delivery comes from the server and is not old, and returns its event. Deliveries
 * follow Standard Webhooks: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, which is
 * compared in constant time.
 *
 * The same event can arrive twice, with the same `webhook-id`. Its `type` may be newer than this
 * version of the package.
 *
 * @param body - The body as it was received, not parsed.
 * @param headers - The headers of the request.
 * @param secret - The secret of the connection, `whsec_…`.
 * @throws {@link WebhookVerificationError} if the delivery must not be trusted.
 * @throws TypeError if the secret is invalid or the body was parsed.
 *
 * @example
 * ```ts
 * const event = await verifyWebhook(await request.text(), request.headers, secret);
 * if (event.type === 'display_name_updated') console.log(event.data.to);
 * ```
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const content = encode(body);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  );
  if (!/^\d{1,11}$/.test(timestamp!)) throw refuse('webhook-timestamp is not a number of seconds');
  const age = Date.now() / 1_000 - Number(timestamp);
  if (!(Math.abs(age) <= toleranceSeconds))
    throw refuse(
      age < 0
        ? `its time is ${Math.round(-age)} seconds in the future by this clock`
        : `it was sent ${Math.round(age)} seconds ago by this clock`,
    );

  const key = await importSecret(secret);
  const signed = joinSigned(id!, timestamp!, content);
  for (const signature of signatures!.split(' ').slice(0, MAX_SIGNATURES)) {
    const expected = signature.startsWith('v1,') && decodeBase64(signature.slice(3));
    if (expected && (await crypto.subtle.verify('HMAC', key, expected, signed)))
      return parseEvent(content);
  }
  throw refuse('no signature fits the secret and the body');
}

export interface SignWebhookOptions {
  /** `webhook-id`. Default: a new one. */
  id?: string | undefined;
  /** When it is sent. Default: now. */
  at?: Date | undefined;
}

/**
 * Signs a delivery as the server does, so that you can test your receiver.
 *
 * @param body - The body to send: `{"type":"test","timestamp":"2026-01-31T09:30:00.000Z","data":{}}`.
 * @param secret - The secret of the connection, or any other `whsec_…`.
 * @returns The headers of the request.
 * @throws TypeError if the secret is invalid.
 *
 * @example
 * ```ts
 * const headers = await signWebhook(body, secret);
 * const response = await fetch(url, { method: 'POST', headers, body });
 * ```
 */
export async function signWebhook(
  body: string | Uint8Array,
  secret: string,
  { id = crypto.randomUUID(), at = new Date() }: SignWebhookOptions = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const content = encode(body);
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = await importSecret(secret);
  const signature = await crypto.subtle.sign('HMAC', key, joinSigned(id, timestamp, content));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}

function encode(body: string | Uint8Array): Uint8Array {
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (!(content instanceof Uint8Array))
    throw new TypeError(
      'The body of a webhook must be the text or bytes of the request, not parsed.',
    );
  return content;
}

function joinSigned(id: string, timestamp: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + content.length);
  signed.set(prefix);
  signed.set(content, prefix.length);
  return signed;
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : (headers as Record<string, unknown>)[name];
  if (typeof value !== 'string' || value === '') throw refuse(`the header ${name} is missing`);
  return value;
}

function importSecret(secret: string) {
  const bytes = SECRET.test(secret) && decodeBase64(secret.slice('whsec_'.length));
  // The message does not contain the secret, because it may be logged.
  if (!bytes) throw new TypeError('The secret of a webhook has the form whsec_….');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function parseEvent(content: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content)) as WebhookEvent;
  } catch {
    throw refuse('its body is not JSON');
  }
}

function refuse(reason: string): WebhookVerificationError {
  return new WebhookVerificationError(`The webhook was refused: ${reason}.`);
}
