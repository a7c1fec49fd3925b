import { afterAll, expect, it } from 'vitest';
import { isAllowedAddress } from '#server/platform/outbound/public-client.ts';
import { send } from '../support/call.ts';
import {
  expectNoTokenLeaks,
  findLatestEvent,
  startChatApp,
  useChatApp,
  UNKNOWN_DELIVERY,
} from '../support/chat-app.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import {
  acceptMessage,
  type WebhookHandler,
  messageId,
  startFakeDiscord,
  type TestWebhook,
} from '../support/fake-discord.ts';
import { respondJson } from '../support/listen.ts';

const SENDING_FAILED = errorText(
  500,
  'Discord could not be reached or failed; the message was not sent.',
);
const UNKNOWN_OUTCOME = { status: 500, body: UNKNOWN_DELIVERY };

const { discord, server } = await useChatApp();
const impatientServer = await startChatApp(discord, { timeoutMs: 5_000 }, server.database);
afterAll(() => impatientServer.close());

const sendFromNewAccount = async (webhook: TestWebhook) =>
  server.send(await server.createAccount(), webhook);

it("the outgoing request is a POST with the payload and fixed headers, without any of the caller's headers", async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook();
  const payload = { content: 'hi', flags: 4, components: [{ type: 1, x: [null, 1.5] }] };
  const sendResponse = await send(
    server,
    account,
    'POST /hooks/send-chat-webhook',
    { webhookUrl: `${webhook.url}?wait=false&thread_id=5#z`, payload },
    { cookie: 'a=b', 'x-own': 'mine', 'user-agent': 'callers' },
  );
  expect(sendResponse.body).toEqual({
    success: true,
    message: 'The message was sent.',
    messageId: messageId(webhook),
  });
  expect(webhook.requests).toEqual([
    {
      method: 'POST',
      url: `/api/v10/webhooks/${webhook.id}/${webhook.token}?wait=true&with_components=true&thread_id=5`,
      headers: {
        host: discord.host,
        connection: 'keep-alive',
        'user-agent': expect.stringMatching(/^DiscordBot \(https:\/\/\S+, \S+\)$/),
        'content-type': 'application/json',
        accept: 'application/json',
        'content-length': String(JSON.stringify(payload).length),
      },
      text: JSON.stringify(payload),
    },
  ]);
});

it('the outgoing request is a PATCH of the message for an edit', async () => {
  const webhook = discord.addWebhook();
  const response = await server.send(await server.createAccount(), webhook, { messageId: '77' });
  expect(response).toMatchObject(
    okBody({ success: true, message: 'The message was edited.', messageId: messageId(webhook) }),
  );
  const url = `/api/v10/webhooks/${webhook.id}/${webhook.token}/messages/77?wait=true`;
  expect(webhook.requests).toMatchObject([{ method: 'PATCH', url, text: '{"content":"hi"}' }]);
});

it.each(['X-HTTP-Method-Override', 'x-http-method', 'X-Method-Override'])(
  'a request whose header %s names another method is refused at every path, and sends nothing',
  async (name) => {
    const account = await server.createAccount();
    const webhook = discord.addWebhook();
    const json = { webhookUrl: webhook.url, payload: { content: 'hi' } };
    const post = (method: string) =>
      send(server, account, 'POST /hooks/send-chat-webhook', json, { [name]: method });
    const error = `The header ${name.toLowerCase()} names another method. Nothing was done: send the request with that method.`;
    for (const method of ['PATCH', 'delete', 'POST, PATCH'])
      expect(await post(method)).toMatchObject(errorText(400, error));
    for (const url of ['/', '/@jane', '/mcp', '/dashboard/', '/docs/', '/healthz', '/nowhere']) {
      const { headers } = await server.app.inject({ url, headers: { [name]: 'PUT' } });
      expect(headers['x-error-code'], url).toBe('methodOverridden');
    }
    expect(webhook.requests).toEqual([]);
    expect((await post('post')).status).toBe(200);
  },
);

it('the outgoing request needs two database queries and one for the key', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook();
  await server.send(account, webhook);
  const before = server.queryCount();
  await server.send(account, webhook);
  expect(server.queryCount() - before).toBe(3);
});

const respondSlowly: WebhookHandler = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
};
const respondEndlessly: WebhookHandler = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const write = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', write);
  write();
};
const respondHalf: WebhookHandler = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"id":"1"');
  setTimeout(() => response.destroy(), 10);
};
const large = { id: '1', x: 'x'.repeat(1_048_576) };
const failures: [string, WebhookHandler][] = [
  ['a reset', (response) => response.destroy()],
  ['a reset in the middle', respondHalf],
  ['204', (response) => response.writeHead(204).end()],
  ['200 without an id', (response) => respondJson(response, 200, { content: 'hi' })],
  ['200 with a number as id', (response) => respondJson(response, 200, { id: 1 })],
  ['200 with an id of another form', (response) => respondJson(response, 200, { id: '1/../2' })],
  ['200 with null', (response) => respondJson(response, 200, null)],
  ['HTML', (response) => response.writeHead(200).end('<h1>hello</h1>')],
  ['broken JSON', (response) => response.writeHead(200).end('{"id":"1"')],
  ['an endless body', respondEndlessly],
  ['more than 1 MiB', (response) => respondJson(response, 200, large)],
];

it('an invalid response that hangs or trickles is aborted at the timeout', async () => {
  const account = await impatientServer.createAccount();
  const hangingHandlers: WebhookHandler[] = [() => {}, respondSlowly];
  const responses = await Promise.all(
    hangingHandlers.map((handler) => impatientServer.send(account, discord.addWebhook(handler))),
  );
  for (const response of responses) expect(response).toMatchObject(UNKNOWN_OUTCOME);
});

it.each(failures)('%s gets 500 with an unknown outcome', async (_name, handler) => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook(handler);
  expect(await server.send(account, webhook)).toMatchObject(UNKNOWN_OUTCOME);
  expect(webhook.requests).toHaveLength(1);
  expect(await findLatestEvent(server, account.id)).toEqual({
    type: 'chat_message_sent',
    outcome: 'failed',
    detail: { platform_id: webhook.id, status: 500, code: 'outcomeUnknown' },
  });
});

it.each([
  ...[301, 302, 307, 308].map((status) => [status, undefined] as const),
  ...[
    'https://localhost:99999/',
    'ftp://localhost/',
    'http://evil.example/',
    '//evil.example',
    'x',
  ].map((location) => [302, location] as const),
])('a redirect (%i) to %s is not followed', async (status, location) => {
  const target = discord.addWebhook();
  const webhook = discord.addWebhook((response) =>
    response.writeHead(status, { location: location ?? target.url }).end(),
  );
  expect(await sendFromNewAccount(webhook)).toMatchObject(SENDING_FAILED);
  expect([webhook.requests.length, target.requests.length]).toEqual([1, 0]);
});

async function sendTo(host: string, options: Parameters<typeof startChatApp>[1] = {}) {
  const app = await startChatApp(discord, { hosts: [host], ...options }, server.database);
  const webhook = discord.addWebhook();
  webhook.url = webhook.url.replace(discord.host, host);
  const response = await app.send(await app.createAccount(), webhook);
  await app.close();
  expect(app.logText()).not.toContain(webhook.token);
  return { response, webhook, log: app.logText() };
}

it.each([
  ['an untrusted certificate', 'localhost', {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ["another host's certificate", 'other.example', { trusted: 1 }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
])(
  'a failed connection with %s gets 500',
  async (_what, name, { trusted }: { trusted?: number }, code) => {
    const other = await startFakeDiscord(name);
    const { response, log } = await sendTo(other.host, trusted ? { ca: other.ca } : {});
    expect(response).toMatchObject(SENDING_FAILED);
    expect(log).toContain(code);
    expect(other.inFlight.peak).toBe(0);
    await other.close();
  },
);

it.each([
  ['nobody listens', 'localhost:1', 'ECONNREFUSED'],
  ['the host is unknown', 'platform.invalid', 'ENOTFOUND'],
  ['the port is none', 'localhost:99999', 'ERR_INVALID_URL'],
  ['the literal address is private', '10.0.0.1:443', 'ADDRESS_NOT_PUBLIC'],
])('a failed connection because %s gets 500', async (_why, host, code) => {
  const { response, log } = await sendTo(host, {
    lookup: ((_name: string, _options: object, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }))) as never,
    ...(host.startsWith('localhost') && { lookup: undefined }),
  });
  expect(response.status).toBe(500);
  expect(log).toContain(code);
});

it('a failed connection is allowed only to public addresses, and to this machine if the operator listed it', () => {
  const isPublic = (address: string) => isAllowedAddress(address, false);
  const publicAddresses = ['8.8.8.8', '2606:4700::1', '::ffff:8.8.8.8', '2a00::1', '3ffe::1'];
  expect(publicAddresses.filter((address) => !isPublic(address))).toEqual([]);
  const others = `127.0.0.1 ::1 :: 0.0.0.0 10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 169.254.1.1
      224.0.0.1 255.255.255.255 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1:: fe80::1 fc00::1 ff02::1
      ::7f00:1 100:0:0:1::1 4000::1 2001:db8::1 3fff::1 fd00::1 ::ffff:a00:1 64:ff9b:1::a00:1
      2001:0:7f00:1:: nonsense`.split(/\s+/);
  expect(others.filter(isPublic)).toEqual([]);
  const listed = others.filter((address) => isAllowedAddress(address, true));
  expect(listed).toEqual(['127.0.0.1', '::1', '::ffff:7f00:1']);
});

it.each([
  [400, { code: 50_006, message: 'Cannot send an empty message' }],
  [403, { code: 50_005, message: 'Cannot edit a message authored by another user' }],
  [404, { code: 10_008, message: 'Unknown Message' }],
])(
  'a refusal of the platform (%i) gets 400 with its message; the webhook works on',
  async (status, body) => {
    const account = await server.createAccount();
    const webhook = discord.addWebhook((response) => respondJson(response, status, body));
    for (const _ of [1, 2]) {
      const response = await server.send(account, webhook, { messageId: '1' });
      expect(response).toMatchObject(errorText(400, `Discord answered: ${body.message}`));
    }
    expect(webhook.requests).toHaveLength(2);
    const failed = { outcome: 'failed', detail: { status: 400 } };
    expect(await findLatestEvent(server, account.id)).toMatchObject(failed);
  },
);

it.each([
  [
    'names the path of the invalid field',
    '{"message":"Invalid Form Body","errors":{"embeds":{"0":{"url":{"_errors":[{"message":"Not a URL."}]}}}}}',
    'Discord answered: Invalid Form Body (embeds.0.url: Not a URL.)',
  ],
  ['names the field in the older form', '{"embeds":["0"]}', 'Discord answered: embeds: 0'],
  ['without a message is reported by its status', '<p>no</p>', 'Discord answered: status 403'],
])('a refusal of the platform %s', async (_title, text, error) => {
  const webhook = discord.addWebhook((response) => response.writeHead(403).end(text));
  expect(await sendFromNewAccount(webhook)).toMatchObject(errorText(400, error));
});

it('a refusal of the platform is reported in one line of limited length, without the token', async () => {
  const webhook = discord.addWebhook((response, { url }) =>
    respondJson(response, 400, { message: `no\r\n\u0000 ${url} ${'x'.repeat(5_000)}` }),
  );
  const response = await sendFromNewAccount(webhook);
  const { error } = response.body as { error: string };
  expect(error).not.toContain(webhook.token);
  expect(error).toMatch(/^Discord answered: no \/api\/v10\/[ -~…]*$/);
  expect(error.length).toBeLessThan(600);
});

it.each([
  [401, { code: 50_027, message: 'Invalid Webhook Token' }],
  [404, { code: 10_015, message: 'Unknown Webhook' }],
])('a refusal of the platform (%i) of the webhook itself is cached', async (status, body) => {
  const webhook = discord.addWebhook((response) => respondJson(response, status, body));
  for (const error of [
    `Discord answered: ${body.message}`,
    'Discord does not know this webhook: it was deleted, or the token in its URL is wrong.',
  ])
    expect(await sendFromNewAccount(webhook)).toMatchObject(errorText(400, error));
  expect(webhook.requests).toHaveLength(1);
});

it.each([500, 502, 503, 504])('a failure of the platform (%i) is retried once', async (status) => {
  const webhook = discord.addWebhook((response, request, attempt) =>
    attempt === 1 ? respondJson(response, status, {}) : acceptMessage(response, request, attempt),
  );
  const response = await sendFromNewAccount(webhook);
  expect(response.body).toMatchObject({ success: true, messageId: messageId(webhook, 2) });
});

it.each<[string, number, string | undefined, object, number]>([
  ['is a gateway timeout, again, has an unknown outcome', 504, undefined, UNKNOWN_OUTCOME, 2],
  ['persists is reported after the second attempt', 503, '1', SENDING_FAILED, 2],
  ['asks to wait beyond the timeout is reported immediately', 503, '600', SENDING_FAILED, 1],
])('a failure of the platform that %s', async (_title, status, wait, expected, requests) => {
  const headers = wait === undefined ? {} : { 'retry-after': wait };
  const webhook = discord.addWebhook((response) => respondJson(response, status, {}, headers));
  expect(await sendFromNewAccount(webhook)).toMatchObject({ ...expected, headers });
  expect(webhook.requests).toHaveLength(requests);
});

it('no webhook token is in the log or the database', () =>
  expectNoTokenLeaks(server, impatientServer));
