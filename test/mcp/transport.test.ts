import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { jsonRpcRequest, callTool, connectMcpClient, postMcpMessage } from '../support/mcp.ts';
import { logIn } from '../support/session.ts';
import { useFrozenDate } from '../support/use-frozen-date.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true, PUBLIC_URL: 'https://names.example.org' });
const LIST_TOOLS_REQUEST = jsonRpcRequest('tools/list');

it('a key is required; a session cookie is not enough', async () => {
  const session = await logIn(server, account.id);
  for (const headers of [
    {},
    session,
    { authorization: `Basic ${account.key}` },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${account.key}x` },
    { ...session, authorization: 'Bearer np_x.y' },
    { 'x-api-key': '', authorization: `Bearer ${account.key}` },
  ])
    expect(await postMcpMessage(server, {}, LIST_TOOLS_REQUEST, { headers })).toMatchObject({
      status: 401,
      // Without a key, clients read where to get a token.
      headers: {
        'www-authenticate': JSON.stringify(headers).includes('np_')
          ? 'Bearer realm="nameplate"'
          : expect.stringMatching(/^Bearer resource_metadata="/),
      },
    });
});

it('a key that is mistyped is called mistyped, not missing', async () => {
  for (const key of ['bad', account.key.slice(3), `np_${account.key}`]) {
    const headers = { authorization: `Bearer ${key}` };
    expect(await postMcpMessage(server, {}, LIST_TOOLS_REQUEST, { headers })).toMatchObject({
      status: 401,
      headers: { 'x-error-code': 'apiKeyMalformed' },
    });
  }
});

it('a key is never logged', async () => {
  await connectMcpClient(server, account);
  await callTool(server, account, 'site_getSiteStatus');
  await postMcpMessage(server, {}, LIST_TOOLS_REQUEST, {
    headers: { authorization: `Bearer ${account.key}x` },
  });
  expect(JSON.stringify(server.log)).not.toContain(account.key.split('.')[1]);
});

it('requests from another origin are refused, even with a key', async () => {
  for (const [origin, status] of [
    ['https://evil.example', 403],
    ['http://names.example.org', 403],
    ['null', 403],
    ['https://names.example.org', 200],
  ] as const)
    expect([
      origin,
      (await postMcpMessage(server, account, LIST_TOOLS_REQUEST, { headers: { origin } })).status,
    ]).toEqual([origin, status]);
});

it('there are no sessions: only POST is allowed', async () => {
  for (const method of ['GET', 'DELETE', 'OPTIONS']) {
    const response = await call(server.app, { method, path: '/mcp', key: account.key });
    expect([method, response.status, response.headers['allow']]).toEqual([method, 405, 'POST']);
  }
  const { headers } = await postMcpMessage(server, account, LIST_TOOLS_REQUEST);
  expect(headers).not.toHaveProperty('mcp-session-id');
});

it('a body must contain a single message', async () => {
  const error = 'The request body must be one JSON-RPC message.';
  for (const message of [[], [LIST_TOOLS_REQUEST], null, 'x', 7, undefined])
    expect(await postMcpMessage(server, account, message)).toMatchObject({
      status: 400,
      body: { jsonrpc: '2.0', id: null, error: { code: -32_600, message: error } },
    });
});

it('a body that cannot be read gets a JSON-RPC error', async () => {
  expect(await postMcpMessage(server, account, undefined, { payload: '{"broken' })).toMatchObject({
    status: 400,
    body: {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_700, message: expect.stringContaining('JSON') },
    },
  });
});

it('a body has the same limits and validation as in the HTTP API', async () => {
  const payloads: [number, string][] = [
    [413, 'x'.repeat(1_048_577)],
    [400, '{"broken'],
    [400, '{"__proto__":{}}'],
    [400, JSON.stringify({ ...LIST_TOOLS_REQUEST, params: { a: '\0' } })],
    [400, '{"params":'.repeat(70) + '1' + '}'.repeat(70)],
  ];
  for (const [status, payload] of payloads)
    expect(await postMcpMessage(server, account, undefined, { payload })).toMatchObject({
      status,
    });
  const headers = { 'content-type': 'text/plain' };
  expect(await postMcpMessage(server, account, LIST_TOOLS_REQUEST, { headers })).toMatchObject({
    status: 415,
  });
});

it('a body that asks for what does not exist gets a JSON-RPC error without details', async () => {
  for (const message of [
    jsonRpcRequest('tools/call', { name: 'no_such' }),
    jsonRpcRequest('tools/call', { name: 'toString' }),
    jsonRpcRequest('resources/read', { uri: 'file:///etc/passwd' }),
  ])
    expect(await postMcpMessage(server, account, message)).toMatchObject({
      status: 200,
      body: {
        error: { code: -32602, message: expect.not.stringMatching(/\.ts\b|node_modules/) },
      },
    });
});

it('subscriptions are refused', async () => {
  const client = await connectMcpClient(server, account, 'auto');
  expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
  await expect(
    client.request({ method: 'subscriptions/listen', params: { notifications: {} } } as never),
  ).rejects.toThrow();
});

describe('rate limits', () => {
  useFrozenDate();
  const limitedFixture = useServer({
    account: true,
    rateLimitOptions: { requestsPerMinute: 4 },
  });

  it('rate limits apply per account, and a tool call counts as one request', async () => {
    const owner = limitedFixture.account;
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await callTool(limitedFixture.server, owner, 'site_getSiteStatus')).status);
    statuses.push((await postMcpMessage(limitedFixture.server, owner, LIST_TOOLS_REQUEST)).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(await callTool(limitedFixture.server, owner, 'site_getSiteStatus')).toMatchObject({
      status: 429,
      code: 'rateLimited',
      text: expect.stringContaining('retry_after_seconds'),
    });
    expect(await postMcpMessage(limitedFixture.server, owner, LIST_TOOLS_REQUEST)).toMatchObject({
      status: 429,
    });
  });

  it.each([
    ['an unknown tool', 'tools/call', { name: 'nothing' }],
    ['a tool call with invalid arguments', 'tools/call', { name: 'page_updatePage', arguments: 7 }],
    ['an unknown resource', 'resources/read', { uri: 'nameplate://other' }],
  ])('rate limits also count %s', async (_what, method, params) => {
    const owner = await limitedFixture.server.createAccount();
    const statuses = [];
    for (let count = 0; count < 6; count += 1)
      statuses.push(
        (await postMcpMessage(limitedFixture.server, owner, jsonRpcRequest(method, params))).status,
      );
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });
});

describe('behind a proxy', () => {
  const proxied = useServer({
    account: true,
    TRUST_PROXY: ['127.0.0.1'],
    LOG_ADDRESSES: 'full',
  });
  beforeAll(() => {
    proxied.server.log.length = 0;
  });

  it('a tool call is logged with the client address of the MCP request', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-request-id': 'one' };
    const message = jsonRpcRequest('tools/call', { name: 'site_getSiteStatus' });
    await postMcpMessage(proxied.server, proxied.account, message, { headers });
    const keyId = proxied.account.key.split('.')[0];
    const fields = { requestId: 'one', address: '198.51.100.7', keyId, status: 200 };
    expect(proxied.server.log).toMatchObject([
      { ...fields, path: '/site/get-site-status' },
      { ...fields, path: '/mcp' },
    ]);
  });
});
