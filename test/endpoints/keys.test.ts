import { expect, it } from 'vitest';
import { insertApiKey } from '#db/queries/api-keys.ts';
import { generateApiKey, hashSecret, parseApiKey } from '#server/features/keys/api-key.ts';
import { call, send } from '../support/call.ts';
import { coreEndpoints, createValidBody } from '../support/endpoints.ts';
import { errorText } from '../support/expected-responses.ts';
import { failWrites } from '../support/fail-writes.ts';
import { logIn } from '../support/session.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: 'per test' });

function readStatus(key: string) {
  return call(server.app, { path: '/site/get-site-status', key });
}

it.each(['/site/get-site-status', '/owner/sessions/get-session'])(
  'a key in Authorization is accepted by %s',
  async (path) => {
    const { key } = await server.createAccount();
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer  ${key} ` },
      { authorization: `Bearer ${key}`, 'x-api-key': key },
    ])
      expect(await call(server.app, { path, headers })).toMatchObject({ status: 200 });
  },
);

it('a key in Authorization that differs from the one in X-API-KEY is refused with a challenge, even if one is valid', async () => {
  const path = '/account/get-display-name';
  const otherAccount = await server.createAccount();
  for (const bearer of [otherAccount.key, 'np_x.y', 'some.token'])
    for (const [first, second] of [
      [account.key, bearer],
      [bearer, account.key],
    ] as const)
      expect(
        await call(server.app, {
          path,
          key: first,
          headers: { authorization: `Bearer ${second}` },
        }),
      ).toMatchObject({
        ...errorText(
          401,
          'The headers X-API-KEY and Authorization have different API keys: send only one.',
        ),
        headers: {
          'www-authenticate': 'Bearer realm="nameplate"',
          'x-error-code': 'apiKeysDiffer',
        },
      });
});

it('a key in Authorization is ignored if it is not a key, for proxies that add it', async () => {
  const session = await logIn(server, account.id);
  const path = '/site/get-site-status';
  for (const authorization of ['Bearer some.token', 'Basic amFuZTp4', ''])
    for (const own of authorization.startsWith('Bearer') ? [session] : [session, account.headers])
      expect((await call(server.app, { path, headers: { ...own, authorization } })).status).toBe(
        200,
      );
});

const keys = Array.from({ length: 1_000 }, generateApiKey);

it('a generated key has the form <id>.<secret>, with an id that secret scanners recognize', () => {
  for (const { id, secret } of keys) {
    expect(id).toMatch(/^np_[A-Za-z0-9]{16}$/);
    expect(secret).toMatch(/^[A-Za-z0-9]{38}$/);
  }
});

it('a generated key has a secret of 190 random bits: 32 letters, each any of 62', () => {
  for (let index = 0; index < 32; index += 1)
    // With 1,000 random keys, missing 12 of the 62 characters is practically impossible.
    expect(new Set(keys.map(({ secret }) => secret.charAt(index))).size).toBeGreaterThan(50);
});

it('a generated key is refused with any one character changed, removed, doubled or swapped', () => {
  const { id, secret } = keys[0]!;
  const key = `${id}.${secret}`;
  for (let index = 0; index < key.length; index += 1) {
    const [start, letter, end] = [key.slice(0, index), key.charAt(index), key.slice(index + 1)];
    for (const replacement of ['A', 'b', '7', '_', '.', ' ', ''])
      if (replacement !== letter) expect(parseApiKey(start + replacement + end)).toBeUndefined();
    expect(parseApiKey(start + letter + letter + end)).toBeUndefined();
    const swappedKey = start + end.charAt(0) + letter + end.slice(1);
    if (swappedKey !== key) expect(parseApiKey(swappedKey)).toBeUndefined();
  }
});

it('a key that is revoked during its lookup is not cached', async () => {
  const { key } = await server.createAccount();
  const pendingRequest = readStatus(key);
  await server.sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${key.split('.')[0]!}`;
  await pendingRequest;
  expect(await readStatus(key)).toMatchObject({ status: 401 });
});

it.each(['updateSiteConfiguration', 'toggleSiteVisibility'])(
  'a key of an account that was just deleted writes nothing with %s',
  async (name) => {
    const endpoint = coreEndpoints.find((candidate) => candidate.name === name)!;
    const { method, path } = endpoint;
    const body = await createValidBody(server, account, endpoint);
    await readStatus(account.key);
    await server.db.deleteFrom('accounts').where('id', '=', account.id).execute();
    for (const headers of [{}, { 'idempotency-key': 'k' }])
      expect(
        await call(server.app, { method, path, key: account.key, headers, json: body }),
      ).toMatchObject(errorText(401, 'Unauthorized'));
  },
);

it('a key that is unknown is handled like one with a wrong secret: same queries, same response', async () => {
  const wrongSecret = generateApiKey();
  const unknownKey = generateApiKey();
  await insertApiKey(server.db, {
    id: unknownKey.id,
    accountId: account.id,
    secretHash: hashSecret('another secret'),
    label: null,
  });
  // No other requests use this server.
  const other = await openTestApp({}, server.database);
  const responses = [];
  for (const { id, secret } of [wrongSecret, unknownKey]) {
    const before = other.queryCount();
    const key = `${id}.${secret}`;
    const { status, text, headers } = await call(other.app, { path: '/site/get-site-status', key });
    const code = headers['x-error-code'];
    responses.push({ status, code, text, queries: other.queryCount() - before });
  }
  const text = '{"error":"Unauthorized"}';
  const refused = { status: 401, code: 'unauthorized', text, queries: 1 };
  expect(responses).toEqual([refused, refused]);
});

it.each([
  ['projects_account_id_fkey', 401],
  ['sessions_key_id_fkey', 500],
])('a write that violates %s is %i: only the account means the key', async (fkey, status) => {
  const repair = await failWrites(server.db, 'INSERT projects', account.id, fkey);
  const creation = await send(server, account, 'POST /owner/projects/create-project', {
    name: 'Shop',
  });
  expect(creation.status).toBe(status);
  await repair();
});
