import { type LookupAddress, type lookup as systemLookup } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { createReceivers } from '#server/features/connections/receivers.ts';
import { createOperator } from '../support/endpoints.ts';
import { startHttpsServer } from '../support/https-server.ts';
import { listen } from '../support/listen.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';
import { connect, logEvents, runDeliveries, useConnections } from './support/connection-app.ts';

const TIMEOUT_MS = 1_500;
const NO_ANSWER =
  'The receiver did not answer. Check its address, its certificate, and that it answers within 10 seconds.';
const { receiver, server } = await useConnections({ timeoutMs: TIMEOUT_MS });
const account = await server.createAccount();
const { connections } = account.owner;

/** Sends a test to a connection that is created for it. */
async function sendTest(url: string, app: TestApp = server) {
  const owner = app === server ? account : await app.createAccount();
  const { id } = await connect(owner, url);
  const { delivery } = await owner.owner.connections.sendTestEvent({
    connection_id: id,
  });
  await owner.owner.connections.deleteConnection({ connection_id: id });
  return delivery;
}

it.each([
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://10.0.0.1/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0x7f.1/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
])('a receiver at a private address is refused as %s', async (url) => {
  await expect(connect(account, url)).rejects.toMatchObject({
    code: expect.stringMatching(/^connectionUrl(?:Invalid|Insecure|Private)$/),
  });
});

it('a receiver at a private address is refused on another port or scheme of an origin that the operator named', async () => {
  const { port } = new URL(receiver.origin);
  for (const url of [`https://127.0.0.1:${port}/`, 'http://127.0.0.1:1/', 'http://127.0.0.1/'])
    await expect(connect(account, url)).rejects.toMatchObject({ code: 'connectionUrlPrivate' });
});

it('a receiver at a private address tells operators and members the setting that allows the origin', async () => {
  const setting = 'CONNECTION_PRIVATE_ORIGINS=http://ntfy.lan:8080';
  const member = await server.createAccount();
  const refusal = connect(member, 'http://ntfy.lan:8080/alerts', { kind: 'ntfy' });
  await expect(refusal).rejects.toMatchObject({
    code: 'connectionUrlInsecure',
    message: `url must begin with https://. A server in your own network can be an exception: Ask an operator to add ${setting} to the settings of the server and to restart it.`,
  });
  const operator = await createOperator(server);
  await expect(connect(operator, 'http://10.0.0.1/hook')).rejects.toMatchObject({
    code: 'connectionUrlPrivate',
    message: `url leads to a private network, which this server calls only if its settings allow it. Add CONNECTION_PRIVATE_ORIGINS=${receiver.origin},http://10.0.0.1 to the settings of the server and restart it.`,
  });
});

it('a receiver at a private address is not called if its name leads there at the moment of the connection', async () => {
  let calls = 0;
  const https = await startHttpsServer(() => {
    calls += 1;
  }, 'rebinding.example');
  afterAll(https.close);
  const answers = [
    ['127.0.0.1'],
    ['10.0.0.1', '::1'],
    ['::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fd00::1', '100.64.0.1'],
  ];
  const attempts = answers.length;
  const lookup = ((_name, _options, callback: (error: null, found: LookupAddress[]) => void) => {
    const addresses = answers.shift() ?? ['127.0.0.1'];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as typeof systemLookup;
  const receivers = createReceivers(
    { CONNECTION_PRIVATE_ORIGINS: [] },
    { ca: https.ca, lookup, timeoutMs: TIMEOUT_MS },
  );
  const app = await openTestApp({ connections: receivers }, server.database);
  const url = `https://rebinding.example:${https.host.split(':')[1]}/hook`;
  for (let count = 0; count < attempts; count += 1)
    expect(await sendTest(url, app)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(`CONNECTION_PRIVATE_ORIGINS=${new URL(url).origin} `),
    });
  expect(calls).toBe(0);
});

it('a receiver at a private address is no longer called when the operator no longer names it', async () => {
  const hook = receiver.addHook();
  const { id } = await connect(account, hook.url);
  const other = await openTestApp({ CONNECTION_PRIVATE_ORIGINS: [] }, server.database);
  await logEvents(server, account, 1);
  await runDeliveries(other, undefined, other.nameplate);
  expect(hook.requests).toEqual([]);
  const { deliveries } = await connections.listDeliveries({ connection_id: id });
  expect(deliveries[0]!.error).toBe(
    'The server cannot read the address: its encryption key or its settings have changed. The connection works again once an operator restores them.',
  );
  await connections.deleteConnection({ connection_id: id });
});

it('a hostile receiver cannot redirect', async () => {
  const target = receiver.addHook();
  for (const status of [301, 302, 307, 308]) {
    const hook = receiver.addHook((response) =>
      response.writeHead(status, { location: target.url }).end(),
    );
    expect(await sendTest(hook.url)).toMatchObject({
      ...{ status: 'failed', response_status: status },
      error: expect.stringContaining('redirects are not followed'),
    });
  }
  expect(target.requests).toEqual([]);
});

it('a hostile receiver cannot keep a server waiting with a slow body', async () => {
  const hook = receiver.addHook((response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(timer));
  });
  const delivery = await sendTest(hook.url);
  expect(delivery).toMatchObject({
    status: 'failed',
    error: NO_ANSWER,
  });
  expect(delivery.duration_ms).toBeGreaterThanOrEqual(TIMEOUT_MS - 10);
});

it('a hostile receiver cannot fill memory with a huge response', async () => {
  let sent = 0;
  const hook = receiver.addHook((response) => {
    response.writeHead(200);
    const chunk = 'x'.repeat(65_536);
    const write = () => {
      while (sent < 100_000_000 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
    };
    write();
  });
  expect(await sendTest(hook.url)).toMatchObject({
    status: 'failed',
    error: 'The answer of the receiver is longer than 64 KB.',
  });
  expect(sent).toBeLessThan(20_000_000);
});

it('a hostile receiver cannot put control characters or secrets into its stored response', async () => {
  const owner = await server.createAccount();
  let secret = '';
  const hook = receiver.addHook((response) =>
    response
      .writeHead(500)
      .end(`\u0000\u001b[31mred\u202e ${secret} ${hook.url} ${'ä'.repeat(1_000)}`),
  );
  const created = await connect(owner, hook.url);
  ({ secret } = created);
  const { delivery } = await owner.owner.connections.sendTestEvent({
    connection_id: created.id,
  });
  expect(delivery.response).toMatch(/^\[31mred … … ä+$/);
  expect([...delivery.response!]).toHaveLength(500);
});

it('a hostile receiver cannot make the server show a part of its address or credentials', async () => {
  const owner = await server.createAccount();
  const path = '/services/T0canary%20x/b0canary/s-cnry?token=q-canary&next=%2Fcanary-next&k=k-cnry';
  const echo = receiver.addHook((response, requests) => {
    const { headers, path: own } = requests.at(-1)!;
    const { authorization = '' } = headers;
    const plain = Buffer.from(authorization.slice('Basic '.length), 'base64');
    const parts = own.split(/[/?&=]/).map((part) => `<${part}> <${decodeURIComponent(part)}>`);
    const text = [
      own,
      own.toLowerCase(),
      own.replace('&', '&amp;'),
      authorization,
      plain,
      ...parts,
    ];
    response.writeHead(404).end(`Cannot POST ${text.join(' ')}`);
  });
  receiver.replaceHook(path, echo.path);
  const url = `${receiver.origin}${path}`.replace('://', '://us-canary:p%C3%A4-canary@');
  const { id } = await connect(owner, url);
  await logEvents(server, owner, 1);
  await runDeliveries(server);
  expect(echo.requests[0]!.headers.authorization).toBe(
    `Basic ${Buffer.from('us-canary:pä-canary').toString('base64')}`,
  );
  const { connections: api } = owner.owner;
  const listed = [await api.listConnections(), await api.listDeliveries({ connection_id: id })];
  const text = JSON.stringify([listed, server.log, await server.sql`SELECT * FROM deliveries`]);
  expect(text).toContain('Cannot POST …');
  expect(text.match(/.{20}(canary|cnry)/i)).toBeNull();
  expect(text).not.toContain(Buffer.from('us-canary').toString('base64'));
});

it.each(['garbage', 'nothing'])(
  'a receiver that answers %s is a failure like others',
  async (answer) => {
    const raw: Server = createServer();
    raw.on('connection', (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(answer === 'garbage' ? 'HTTP/9.9 what\r\n\r\n' : ''));
    });
    const { url: origin } = await listen(raw);
    afterAll(() => raw.close());
    const app = await openTestApp({ CONNECTION_PRIVATE_ORIGINS: [origin] }, server.database);
    expect(await sendTest(`${origin}/`, app)).toMatchObject({
      status: 'failed',
      error: NO_ANSWER,
    });
  },
);

it('connections of another account cannot be read by copying their row', async () => {
  const [hook, otherHook] = [receiver.addHook(), receiver.addHook()];
  const { id } = await connect(account, hook.url);
  const other = await server.createAccount();
  const { id: otherId } = await connect(other, otherHook.url);
  await server.sql`UPDATE connections SET encrypted_url = source.encrypted_url,
      encrypted_secret = source.encrypted_secret
      FROM connections AS source WHERE source.id = ${id} AND connections.id = ${otherId}`;
  const { delivery } = await other.owner.connections.sendTestEvent({
    connection_id: otherId,
  });
  expect(delivery).toMatchObject({ status: 'failed', response_status: null });
  expect([...hook.requests, ...otherHook.requests]).toEqual([]);
  const { connections: listed } = await other.owner.connections.listConnections();
  expect(listed[0]).toMatchObject({ target: null });
});

it('a closed port looks like one that does not answer, and attempts by hand are limited to 20 an hour', async () => {
  const owner = await server.createAccount();
  const closed = await listen(createServer());
  await closed.close();
  const app = await openTestApp({ CONNECTION_PRIVATE_ORIGINS: [closed.url] }, server.database);
  expect(await sendTest(`${closed.url}/`, app)).toMatchObject({ error: NO_ANSWER, response: null });
  const hook = receiver.addHook();
  const api = owner.owner.connections;
  for (let count = 0; count < 18; count += 1) {
    // A new connection does not start a new count.
    const { id } = await connect(owner, hook.url);
    const { delivery } = await api.sendTestEvent({ connection_id: id });
    if (count < 17) {
      await api.deleteConnection({ connection_id: id });
      continue;
    }
    await logEvents(server, owner, 1);
    await runDeliveries(server);
    const { deliveries } = await api.listDeliveries({ connection_id: id });
    const sent = deliveries.find(({ type }) => type !== 'test')!;
    await api.sendDelivery({ delivery_id: sent.id });
    await api.sendFailedDeliveries({ connection_id: id });
    for (const attempt of [
      () => api.sendTestEvent({ connection_id: id }),
      () => api.sendDelivery({ delivery_id: delivery.id }),
      () => api.sendDelivery({ delivery_id: sent.id }),
      () => api.sendFailedDeliveries({ connection_id: id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 429, code: 'testRateLimited' });
  }
  expect(hook.requests).toHaveLength(20);
});

it('no response, log line or table contains a URL, a token or a key', async () => {
  const owner = await server.createAccount();
  const secretUrl = `${receiver.origin}/canary-topic`;
  const { secret } = await connect(owner, secretUrl, { kind: 'webhook' });
  await connect(owner, secretUrl, { kind: 'ntfy', token: 'canary-token' });
  await logEvents(server, owner, 1);
  await runDeliveries(server);
  const rows = await server.sql`SELECT encode(encrypted_url, 'escape'),
    encode(encrypted_secret, 'escape') FROM connections`;
  const listed = await owner.owner.connections.listConnections();
  const text = JSON.stringify([rows, listed, server.log]);
  expect(text).not.toContain('canary');
  expect(text).not.toContain(secret.slice('whsec_'.length));
});

it('a connection is limited to 20 per account, and needs an encryption key', async () => {
  const owner = await server.createAccount();
  const hook = receiver.addHook();
  const results = await Promise.allSettled(
    Array.from({ length: 24 }, () => connect(owner, hook.url)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  const keyless = await openTestApp(
    { ENCRYPTION_KEY: undefined, CONNECTION_PRIVATE_ORIGINS: [receiver.origin] },
    server.database,
  );
  const other = await keyless.createAccount();
  await expect(connect(other, hook.url)).rejects.toMatchObject({ code: 'connectionsNotStored' });
  expect((await other.owner.connections.listConnections()).available).toBe(false);
});
