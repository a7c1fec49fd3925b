import { beforeEach, expect, it } from 'vitest';
import { insertApiKey, revokeApiKey } from '#db/queries/api-keys.ts';
import { generateApiKey, hashSecret } from '#server/features/keys/api-key.ts';
import { createApiKey } from '#server/features/keys/manage-keys.ts';
import { call, type TestRequest } from '../support/call.ts';
import { coreEndpoints, jsonEndpoints, createValidBody } from '../support/endpoints.ts';
import { failWrites } from '../support/fail-writes.ts';
import { setSuspended } from '../support/suspend.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({
  account: true,
  mailEnabled: true,
  chat: { deliver: async () => '1' },
});
beforeEach(() => {
  server.log.length = 0;
});

const send = (request: TestRequest) => call(server.app, { key: account.key, ...request });

function keyIdOf(key: string): string {
  return key.split('.')[0]!;
}

function requestLines() {
  return server.log.filter(({ msg }) => msg === 'request');
}

it.each(jsonEndpoints)(
  "a request of $method $path is one line, with the response's request id",
  async (endpoint) => {
    const { method, path } = endpoint;
    const body = await createValidBody(server, account, endpoint);
    const payload = body && JSON.stringify(body);
    server.log.length = 0;
    const response = await send({ method, path, payload });
    expect(server.log).toEqual([
      {
        ...{ level: 30, time: expect.any(Number), msg: 'request', method, path, status: 200 },
        ...{ requestId: response.headers['x-request-id'], durationMs: expect.any(Number) },
        ...{ accountId: account.id, keyId: keyIdOf(account.key) },
      },
    ]);
  },
);

it('a request that is refused is logged with its status', async () => {
  await send({ path: '/site/get-site-status', key: 'wrong' });
  await send({ method: 'DELETE', path: '/site/get-site-status' });
  await send({ path: '/nowhere?token=secret' });
  await send({ method: 'POST', path: '/stats/ingest-metrics', payload: '{' });
  expect(
    requestLines().map(({ status, reason, accountId }) => [status, reason, accountId]),
  ).toEqual([
    [401, 'keyMalformed', undefined],
    [405, 'methodNotAllowed', undefined],
    [404, 'pathNotFound', undefined],
    [400, 'jsonMalformed', account.id],
  ]);
  expect(server.log).toHaveLength(4);
});

it('a request that is refused for its key is logged with the reason and the key id, if known', async () => {
  const { id } = await server.createAccount();
  const revokedKey = await createApiKey(server.db, { accountId: id, label: null });
  await revokeApiKey(server.db, revokedKey.key_id);
  const [wrongSecretKey, unknownKey] = [generateApiKey(), generateApiKey()];
  const secretHash = hashSecret('another secret');
  await insertApiKey(server.db, { id: wrongSecretKey.id, accountId: id, secretHash, label: null });
  const path = '/site/get-site-status';
  for (const key of [
    revokedKey.api_key,
    `${wrongSecretKey.id}.${wrongSecretKey.secret}`,
    `${unknownKey.id}.${unknownKey.secret}`,
  ])
    await call(server.app, { path, key });
  await call(server.app, { path });
  const suspended = await server.createAccount();
  await setSuspended(server, suspended.id);
  await call(server.app, { path, key: suspended.key });
  expect(requestLines().map(({ reason, keyId }) => [reason, keyId])).toEqual([
    ['keyRevoked', revokedKey.key_id],
    ['secretWrong', wrongSecretKey.id],
    ['keyUnknown', undefined],
    ['keyMissing', undefined],
    ['accountSuspended', keyIdOf(suspended.key)],
  ]);
  expect(JSON.stringify(server.log)).not.toContain(unknownKey.id);
});

it('a request that is refused by its endpoint is logged with the reason, even for a stored response', async () => {
  const write = { method: 'POST', path: '/account/update-display-name' };
  const refused = { ...write, payload: '{"display_name":"admin"}' };
  await send({ ...write, payload: '{}' });
  await send(refused);
  await send({ ...refused, headers: { 'idempotency-key': 'refused' } });
  await send({ ...refused, headers: { 'idempotency-key': 'refused' } });
  expect(requestLines().map(({ status, reason }) => [status, reason])).toEqual([
    [400, 'displayNameMissing'],
    [409, 'displayNameReserved'],
    [409, 'displayNameReserved'],
    [409, 'replayed'],
  ]);
});

it('a request that fails has another log line with its cause and the same id', async () => {
  const { id, key } = await server.createAccount();
  const stopFailing = await failWrites(server.db, 'INSERT sites', id);
  const path = '/site/toggle-site-visibility';
  const response = await send({ method: 'POST', path, key });
  await stopFailing();
  const requestId = response.headers['x-request-id'];
  expect(response.status).toBe(500);
  expect(server.log).toMatchObject([
    {
      ...{ level: 50, requestId, msg: 'The visibility could not be updated.' },
      err: { code: 'P0001', message: 'broken on purpose' },
    },
    { level: 30, requestId, msg: 'request', status: 500, reason: 'internalError' },
  ]);
});

it('the log contains no key, body, address or webhook, whatever the response is', async () => {
  const canary = 'canary-in-a-coal-mine';
  const email = 'canary@example.com';
  const webhook = `https://discord.com/api/webhooks/1/${canary}`;
  const bodies = [
    { display_name: canary },
    { display_name: `${canary} é` },
    { bio: canary, blocks: [{ type: canary }, { type: 'text', content: canary }] },
    { bio: canary, blocks: [{ type: 'BAD', content: canary }] },
    { avatar_url: `javascript:${canary}`, unknown: canary },
    { enabled: true, email },
    { enabled: true, email: `${email}, ${email}` },
    { projectId: canary, payload: { [canary]: canary } },
    { webhookUrl: webhook, messageId: '1', payload: { content: canary } },
    { webhookUrl: `${webhook}/slack`, messageId: '1', payload: { content: canary } },
    { webhookUrl: webhook, messageId: canary, payload: { embeds: [{ title: canary }] } },
  ];
  for (const endpoint of jsonEndpoints) {
    const { method, path } = endpoint;
    const jsons = coreEndpoints.includes(endpoint) ? bodies : [Object.assign({}, ...bodies)];
    for (const json of method === 'GET' ? [undefined] : jsons)
      await send({ method, path: `${path}?q=${canary}`, json });
  }
  await send({ method: 'POST', path: '/stats/ingest-metrics', payload: `{"${canary}` });
  await send({ path: `/${canary}` });
  await send({ path: '/site/get-site-status', key: `np_${canary}.${canary}` });
  await send({ path: '/site/get-site-status', headers: { cookie: canary, 'user-agent': canary } });
  const text = JSON.stringify(server.log);
  expect(requestLines().length).toBeGreaterThan(jsonEndpoints.length);
  expect(text).not.toContain(canary);
  expect(text).not.toContain(email);
  expect(text).not.toContain(account.key.split('.')[1]);
});
