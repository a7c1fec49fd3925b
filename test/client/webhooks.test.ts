import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import {
  signWebhook,
  verifyWebhook,
  WebhookVerificationError,
  type WebhookHeaders,
} from '#client/webhooks.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const BODY = JSON.stringify({
  type: 'display_name_updated',
  timestamp: '2026-01-31T09:30:00.000Z',
  data: { from: 'jäne', to: '🏺' },
});

/** The headers of a delivery, as the library of Standard Webhooks signs it. */
function sign(body: string, { secret = SECRET, at = new Date(), id = ID } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);

it('verifyWebhook accepts the published vector of Standard Webhooks', async () => {
  const at = 1_614_265_330;
  const headers = {
    'webhook-id': ID,
    'webhook-timestamp': String(at),
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const options = { toleranceSeconds: Date.now() / 1_000 - at + 60 };
  expect(await verifyWebhook('{"test": 2432232314}', headers, SECRET, options)).toEqual({
    test: 2_432_232_314,
  });
});

it.each<[string, string | Uint8Array, (headers: Record<string, string>) => WebhookHeaders]>([
  ['text and an object', BODY, (headers) => headers],
  ['bytes and Headers', Buffer.from(BODY), (headers) => new Headers(headers)],
  [
    'a second signature, as during a rotation',
    BODY,
    ({ 'webhook-signature': signature, ...headers }) => ({
      ...headers,
      'webhook-signature': `${sign(BODY, { secret: OTHER_SECRET })['webhook-signature']} v1a,AAAA ${signature}`,
    }),
  ],
])('verifyWebhook returns the event of %s', async (_, body, toHeaders) => {
  const event = await verifyWebhook(body, toHeaders(sign(BODY)), SECRET);
  expect(event).toEqual(JSON.parse(BODY));
});

it('verifyWebhook accepts a delivery that is four minutes old or early', async () => {
  for (const minutes of [-4, 4])
    await verifyWebhook(BODY, sign(BODY, { at: minutesFromNow(minutes) }), SECRET);
});

const withSignature = (signature: string) => ({ ...sign(BODY), 'webhook-signature': signature });
const [, signature] = sign(BODY)['webhook-signature'].split(',');

it.each<[string, WebhookHeaders, RegExp]>([
  ['no headers', {}, /webhook-id is missing/],
  ['an empty id', { ...sign(BODY), 'webhook-id': '' }, /webhook-id is missing/],
  ['another id', { ...sign(BODY), 'webhook-id': 'msg_2' }, /no signature/],
  ['another secret', sign(BODY, { secret: OTHER_SECRET }), /no signature/],
  ['another body', sign(`${BODY} `), /no signature/],
  [
    'a time that was moved',
    { ...sign(BODY), 'webhook-timestamp': `${Math.floor(Date.now() / 1_000) + 1}` },
    /no signature/,
  ],
  ['a replay after an hour', sign(BODY, { at: minutesFromNow(-60) }), /36\d\d seconds ago/],
  [
    'a time in the future',
    sign(BODY, { at: minutesFromNow(60) }),
    /its time is 3[56]\d\d seconds in the future/,
  ],
  ['a time that is no number', { ...sign(BODY), 'webhook-timestamp': 'NaN' }, /not a number/],
  ...['1e400', '', ' 1', '+1', '-1', '1.5', '0x10', '１７', '١٢', '1\n', '9'.repeat(12)].map(
    (at): [string, WebhookHeaders, RegExp] => [
      `the time ${JSON.stringify(at)}`,
      { ...sign(BODY), 'webhook-timestamp': at },
      at === '' ? /webhook-timestamp is missing/ : /not a number/,
    ],
  ),
  ['no version', withSignature(signature!), /no signature/],
  ['the version in capitals', withSignature(`V1,${signature}`), /no signature/],
  ['a version of many digits', withSignature(`v11,${signature}`), /no signature/],
  ['this signature as v1a', withSignature(`v1a,${signature}`), /no signature/],
  ['signatures with commas', withSignature(`v1,AAAA,v1,${signature}`), /no signature/],
  ['the version none', withSignature('none,'), /no signature/],
  ['an empty signature', withSignature('v1,'), /no signature/],
  ['a signature that is no base64', withSignature('v1,%%%'), /no signature/],
  ['a shortened signature', withSignature(`v1,${signature!.slice(0, 20)}`), /no signature/],
  ['a list of headers', { ...sign(BODY), 'webhook-id': [ID, ID] }, /webhook-id is missing/],
  [
    'its signature after many others',
    withSignature(`${'v1,AAAA '.repeat(100)}v1,${signature}`),
    /no signature/,
  ],
])('verifyWebhook refuses %s', async (_, headers, message) => {
  const refusal = verifyWebhook(BODY, headers, SECRET);
  await expect(refusal).rejects.toThrow(WebhookVerificationError);
  await expect(refusal).rejects.toThrow(message);
});

it('verifyWebhook refuses a signed body that is not JSON', async () => {
  await expect(verifyWebhook('{', sign('{'), SECRET)).rejects.toThrow('its body is not JSON');
});

it('verifyWebhook throws a TypeError without the secret if it is called wrongly', async () => {
  const parsed = JSON.parse(BODY) as string;
  await expect(verifyWebhook(parsed, sign(BODY), SECRET)).rejects.toThrow(TypeError);
  for (const secret of [
    ...['', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_====', `whsec_${'A'.repeat(33)}`],
    ...[SECRET.slice(6), `${SECRET}!`, ` ${SECRET}`, `${SECRET}\n`, SECRET.toUpperCase()],
    ...[SECRET.replace('M', '-'), `whsec_${'A'.repeat(200)}`, `whsk_${SECRET.slice(6)}`],
  ])
    await expect(verifyWebhook(BODY, sign(BODY), secret)).rejects.toThrow(
      /^The secret of a webhook has the form whsec_…\.$/,
    );
});

it('signWebhook signs as the library of Standard Webhooks does, and for both verifiers', async () => {
  const at = new Date();
  const headers = await signWebhook(BODY, SECRET, { id: ID, at });
  expect(headers).toEqual(sign(BODY, { at }));
  const event = JSON.parse(BODY) as object;
  for (const body of [BODY, Buffer.from(BODY)]) {
    const signed = await signWebhook(body, SECRET);
    expect(await verifyWebhook(body, signed, SECRET)).toEqual(event);
    expect(new Webhook(SECRET).verify(body, signed)).toEqual(event);
  }
});

it('signWebhook throws a TypeError for an object or a wrong secret', async () => {
  const parsed = JSON.parse(BODY) as string;
  await expect(signWebhook(parsed, SECRET)).rejects.toThrow('The body of a webhook must be');
  await expect(signWebhook(BODY, 'whsec_')).rejects.toThrow('The secret of a webhook has');
});
