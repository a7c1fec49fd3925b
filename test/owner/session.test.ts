import { beforeAll, describe, expect, it } from 'vitest';
import { revokeApiKey } from '#db/queries/api-keys.ts';
import { createApiKey } from '#server/features/keys/manage-keys.ts';
import { createToken } from '#server/platform/secrets/token.ts';
import { call, type TestRequest } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { errorCode, errorText, okBody } from '../support/expected-responses.ts';
import {
  cookieHeader,
  createSession,
  createLoginLinkToken,
  logIn,
  postFromPage,
  SAME_ORIGIN_HEADERS,
} from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';
import { type TestAccount, openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const LOGIN_REFUSED = errorText(
  401,
  'This link or key is not valid. Create a new link, or use another key.',
);
const SUSPENDED = errorText(403, 'This account is suspended. Ask the operator of the service.');
const CROSS_SITE = errorCode(403, 'crossSiteRequest');
const UNAUTHORIZED = errorText(401, 'Unauthorized');
const STATUS = '/site/get-site-status';
const TOGGLE = { method: 'POST', path: '/site/toggle-site-visibility' };
const SUCCESS = { status: 200, body: { success: true } };

const { server, account } = useServer({ account: true });

const send = (request: TestRequest) => call(server.app, request);
const readStatus = (headers: Record<string, string>) => send({ path: STATUS, headers });
const keyIdOf = ({ key }: TestAccount) => key.split('.')[0]!;
const sessionToken = (headers: Record<string, string>) => headers['cookie']!.split('=')[1]!;

async function readSessionId(headers: Record<string, string>): Promise<string> {
  const { body } = await send({ path: '/owner/sessions/get-session', headers });
  return (body as { session: { id: string } }).session.id;
}

/** Updates a session's row directly in the database. */
async function updateSession(id: string, values: Record<string, Date | null>): Promise<void> {
  await server.db.updateTable('sessions').set(values).where('id', '=', id).execute();
}

/** Waits until the last use of a session is recorded, which happens after the response. */
async function waitForLastUse(id: string): Promise<void> {
  await eventually(async () =>
    expect(
      await server.sql`SELECT FROM sessions WHERE id = ${id} AND last_seen_at > ${daysAgo(0.5)}`,
    ).toHaveLength(1),
  );
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

it('a login by link starts a session, once', async () => {
  const link = await createLoginLinkToken(server, account.id);
  const headers = { ...SAME_ORIGIN_HEADERS, 'user-agent': 'A browser' };
  const response = await createSession(server, { login_url: link }, headers);
  expect(response).toMatchObject(
    okBody({
      account_id: account.id,
      key_id: null,
      session: { via: 'link', key_id: null, agent: 'A browser', current: true },
    }),
  );
  expect(await createSession(server, { login_url: link })).toMatchObject(LOGIN_REFUSED);
  const cookie = cookieHeader(response.headers);
  expect((await readStatus({ cookie })).status).toBe(200);
});

it('a login by the same link in parallel starts one session', async () => {
  const link = await createLoginLinkToken(server, account.id);
  const requests = Array.from({ length: 8 }, () => createSession(server, { login_url: link }));
  const responses = await Promise.all(requests);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 401)).toHaveLength(7);
});

it('a login by an expired link is refused after ten minutes', async () => {
  const link = await createLoginLinkToken(server, account.id);
  await server.sql`UPDATE login_links SET expires_at = ${new Date(Date.now() - 1)}
      WHERE account_id = ${account.id}`;
  expect(await createSession(server, { login_url: link })).toMatchObject(LOGIN_REFUSED);
});

it('a login gets the same error for an unknown, malformed, wrong or revoked link or key', async () => {
  const revoked = await server.createAccount();
  await revokeApiKey(server.db, keyIdOf(revoked));
  const otherAccount = await server.createAccount();
  for (const credentials of [
    { login_url: createToken() },
    { login_url: '' },
    { login_url: 'x' },
    { api_key: '' },
    { api_key: 'np_x.y' },
    { api_key: `${keyIdOf(account)}.${otherAccount.key.split('.')[1]}` },
    { api_key: revoked.key },
  ]) {
    const response = await createSession(server, credentials);
    expect([credentials, response]).toMatchObject([credentials, LOGIN_REFUSED]);
    expect(response.headers).not.toHaveProperty('set-cookie');
  }
});

it('a login says that a valid key has another scope, but not to others', async () => {
  const options = { accountId: account.id, label: null, scope: 'metrics' } as const;
  const { api_key, key_id } = await createApiKey(server.db, options);
  expect(await createSession(server, { api_key })).toMatchObject({
    ...errorText(403, 'A key with the scope metrics cannot sign in. Use one with the scope all.'),
    headers: { 'x-error-code': 'keyNotForLogin', 'x-error-field': 'api_key' },
  });
  await server.sql`UPDATE api_keys SET secret_hash = sha256('another') WHERE id = ${key_id}`;
  expect(await createSession(server, { api_key })).toMatchObject(LOGIN_REFUSED);
});

it('a login requires exactly one credential', async () => {
  for (const json of [{}, { login_url: 'x', api_key: 'y' }, { login_url: 1 }, [], 'x', undefined])
    expect(await createSession(server, json)).toMatchObject(
      errorText(400, 'Send either login_url, a login link, or api_key.'),
    );
});

it('a login stores neither link tokens nor session tokens', async () => {
  const link = await createLoginLinkToken(server, account.id);
  const unusedToken = await createLoginLinkToken(server, account.id);
  const { headers } = await createSession(server, { login_url: link });
  const rows = await server.sql<{ text: string }>`SELECT to_json(s)::text AS text FROM sessions s
      UNION ALL SELECT to_json(l)::text FROM login_links l`;
  const storedText = rows.map(({ text }) => text).join('\n');
  for (const token of [link, unusedToken, cookieHeader(headers).split('=')[1]!]) {
    expect(storedText).not.toContain(token);
    expect(storedText).not.toContain(Buffer.from(token).toString('hex'));
  }
});

it('a login keeps the fifty most recently used sessions', async () => {
  const busyAccount = await server.createAccount();
  const first = await logIn(server, busyAccount.id);
  const id = await readSessionId(first);
  await updateSession(id, { last_seen_at: daysAgo(1) });
  for (let count = 0; count < 49; count += 1) await logIn(server, busyAccount.id);
  expect(await readStatus(first)).toMatchObject({ status: 200 });
  await waitForLastUse(id);
  await updateSession(id, { last_seen_at: daysAgo(1) });
  await logIn(server, busyAccount.id);
  expect(await readStatus(first)).toMatchObject(UNAUTHORIZED);
});

const loginAt = async (publicUrl: string | undefined, host = '127.0.0.1') => {
  const other = await openTestApp({ PUBLIC_URL: publicUrl, HOST: host }, server.database);
  const link = await createLoginLinkToken(other, account.id);
  const { headers } = await createSession(other, { login_url: link });
  return headers['set-cookie']!.replace(/=[\w-]{43};/, '=TOKEN;');
};
const attributes = 'Max-Age=7776000; Path=/; HttpOnly';

it('the cookie of a session is bound to the host, to TLS and to the site', async () => {
  for (const url of ['https://example.com', 'https://localhost', 'http://192.0.2.7:3000'])
    expect(await loginAt(url), url).toBe(
      `__Host-nameplate=TOKEN; ${attributes}; Secure; SameSite=Strict`,
    );
  expect(await loginAt(undefined, '0.0.0.0')).toMatch(/^__Host-nameplate=TOKEN; /);
});

it('the cookie of a session has no __Host- prefix only on loopback without TLS', async () => {
  for (const url of [undefined, 'http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:3000'])
    expect(await loginAt(url), url).toBe(`nameplate=TOKEN; ${attributes}; SameSite=Strict`);
});

it('the cookie of a session never reuses a token that the browser sent', async () => {
  const oldToken = createToken();
  const { headers } = await createSession(
    server,
    { login_url: await createLoginLinkToken(server, account.id) },
    { ...SAME_ORIGIN_HEADERS, cookie: `nameplate=${oldToken}` },
  );
  expect(cookieHeader(headers)).not.toContain(oldToken);
  expect(await readStatus({ cookie: `nameplate=${oldToken}` })).toMatchObject(UNAUTHORIZED);
});

describe('a request with the cookie of a session', () => {
  let headers: Record<string, string>;
  beforeAll(async () => {
    headers = await logIn(server, account.id);
  });

  it('a request with the cookie of a session and an API key is authenticated by the key', async () => {
    const otherAccount = await server.createAccount();
    expect(
      await send({ path: '/owner/sessions/get-session', key: otherAccount.key, headers }),
    ).toMatchObject({ status: 200, body: { account_id: otherAccount.id, session: null } });
    expect(await send({ path: STATUS, key: 'malformed', headers })).toMatchObject(UNAUTHORIZED);
    expect(await send({ path: STATUS, key: '', headers })).toMatchObject(UNAUTHORIZED);
  });

  it('a request with the cookie of a session is refused with an unknown token, and without a query if it is malformed', async () => {
    const token = sessionToken(headers);
    expect(await readStatus({ cookie: `nameplate=${createToken()}` })).toMatchObject(UNAUTHORIZED);
    const before = server.queryCount();
    const twoTokens = `${token} ${token} `;
    for (const invalidToken of ['', 'x', `${token}x`, token.slice(1), `"${token}"`, twoTokens])
      expect(await readStatus({ cookie: `nameplate=${invalidToken}` })).toMatchObject(UNAUTHORIZED);
    expect(await readStatus({ cookie: `__Host-nameplate=${token}` })).toMatchObject(UNAUTHORIZED);
    expect(server.queryCount()).toBe(before);
  });

  it.each([
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost.evil.example' },
    { origin: 'http://localhost:8080' },
    { referer: 'http://localhost/' },
  ])(
    'a request with the cookie of a session is refused from another site: %j',
    async (other: Record<string, string>) => {
      const { cookie } = headers as { cookie: string };
      const before = await readStatus(headers);
      for (const body of [{}, { payload: '{"broken' }, { payload: 'x'.repeat(2_000_000) }])
        expect(await send({ ...TOGGLE, ...body, headers: { cookie, ...other } })).toMatchObject(
          CROSS_SITE,
        );
      expect(await readStatus({ cookie, ...other })).toMatchObject(okBody(before.body));
    },
  );

  it('a request with the cookie of a session is accepted from the same origin, by Sec-Fetch-Site or Origin', async () => {
    const { cookie } = headers as { cookie: string };
    for (const sameOriginHeaders of [SAME_ORIGIN_HEADERS, { origin: 'http://localhost' }])
      expect(await send({ ...TOGGLE, headers: { cookie, ...sameOriginHeaders } })).toMatchObject({
        status: 200,
      });
  });

  it("a request with the cookie of a session is checked against the server's public URL, not its Host header", async () => {
    const PUBLIC_URL = 'https://example.com/nameplate';
    const other = await openTestApp({ PUBLIC_URL }, server.database);
    const { cookie } = (await logIn(other, account.id)) as { cookie: string };
    const toggle = (origin: string) =>
      call(other.app, { ...TOGGLE, headers: { cookie, origin, host: 'evil.example' } });
    expect(await toggle('https://example.com')).toMatchObject({ status: 200 });
    for (const origin of ['https://evil.example', 'http://evil.example', 'http://localhost'])
      expect(await toggle(origin)).toMatchObject(CROSS_SITE);
  });

  it('a request with the cookie of a session is logged with the session id, never with the token', async () => {
    const id = await readSessionId(headers);
    expect(server.log.at(-1)).toMatchObject({ accountId: account.id, sessionId: id });
    expect(JSON.stringify(server.log)).not.toContain(sessionToken(headers));
  });
});

it('a session ends on logout, also for a copied cookie', async () => {
  const headers = await logIn(server, account.id);
  expect(
    await send({ method: 'POST', path: '/owner/sessions/revoke-current-session', headers }),
  ).toMatchObject({
    ...SUCCESS,
    headers: {
      'set-cookie': 'nameplate=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
      'clear-site-data': '"cache", "storage"',
    },
  });
  expect(await readStatus(headers)).toMatchObject(UNAUTHORIZED);
});

it('a session ends 14 days after its last use and 90 days after its start', async () => {
  const headers = await logIn(server, account.id);
  const id = await readSessionId(headers);
  for (const [values, status] of [
    [{ last_seen_at: daysAgo(13.9) }, 200],
    [{ last_seen_at: daysAgo(14.1) }, 401],
    [{ last_seen_at: new Date(), created_at: daysAgo(89.9) }, 200],
    [{ last_seen_at: new Date(), created_at: daysAgo(90.1) }, 401],
  ] as const) {
    await updateSession(id, values);
    expect([values, (await readStatus(headers)).status]).toEqual([values, status]);
    if (status === 200) await waitForLastUse(id);
  }
  const { body } = await send({ path: '/owner/sessions/list-sessions', key: account.key });
  expect(JSON.stringify(body)).not.toContain(id);
});

it('a session ends with the key that started it, and not with another', async () => {
  const addKey = () => createApiKey(server.db, { accountId: account.id, label: null });
  const [sessionKey, otherKey] = [await addKey(), await addKey()];
  const { headers } = await createSession(server, { api_key: sessionKey.api_key });
  const cookie = { cookie: cookieHeader(headers) };
  await revokeApiKey(server.db, otherKey.key_id);
  expect(await readStatus(cookie)).toMatchObject({ status: 200 });
  await revokeApiKey(server.db, sessionKey.key_id);
  expect(await readStatus(cookie)).toMatchObject(UNAUTHORIZED);
});

it('a session ends permanently with the suspension of its account, which also invalidates login links', async () => {
  const suspendedAccount = await server.createAccount();
  const headers = await logIn(server, suspendedAccount.id);
  const link = await createLoginLinkToken(server, suspendedAccount.id);
  await setSuspended(server, suspendedAccount.id);
  expect(await readStatus(headers)).toMatchObject(UNAUTHORIZED);
  // Only valid credentials get this explanation.
  const newLink = await createLoginLinkToken(server, suspendedAccount.id);
  for (const credentials of [{ login_url: newLink }, { api_key: suspendedAccount.key }])
    expect(await createSession(server, credentials)).toMatchObject(SUSPENDED);
  await setSuspended(server, suspendedAccount.id, false);
  expect(await readStatus(headers)).toMatchObject(UNAUTHORIZED);
  expect(await createSession(server, { login_url: link })).toMatchObject(LOGIN_REFUSED);
});

it('the sessions of an account are listed by last use, and can be ended one by one or all together', async () => {
  const owner = await server.createAccount();
  const olderSession = await logIn(server, owner.id);
  const newerSession = await logIn(server, owner.id);
  const olderId = await readSessionId(olderSession);
  await updateSession(olderId, { last_seen_at: daysAgo(1) });
  const list = { path: '/owner/sessions/list-sessions' };
  expect(await send({ ...list, headers: newerSession })).toMatchObject(
    okBody({
      sessions: [
        { id: await readSessionId(newerSession), current: true },
        { id: olderId, current: false },
      ],
    }),
  );
  const post = (action: string, json?: object) =>
    postFromPage(server, `/owner/sessions/${action}`, json, newerSession);
  expect(await post('revoke-session', { session_id: olderId })).toMatchObject(SUCCESS);
  expect(await readStatus(olderSession)).toMatchObject(UNAUTHORIZED);
  const nextSession = await logIn(server, owner.id);
  expect(await post('revoke-all-sessions')).toMatchObject({
    ...SUCCESS,
    headers: { 'set-cookie': expect.stringMatching(/^nameplate=; Max-Age=0; /) },
  });
  for (const headers of [newerSession, nextSession])
    expect(await readStatus(headers)).toMatchObject(UNAUTHORIZED);
  expect(await send({ ...list, key: owner.key })).toMatchObject(okBody({ sessions: [] }));
});

it('logins that are refused count together with refused keys per IP address, then get 429', async () => {
  const rateLimitOptions = { requestsPerMinute: 3 };
  const limitedServer = await openTestApp({ rateLimitOptions }, server.database);
  const logInFrom = (remoteAddress: string) =>
    call(limitedServer.app, {
      ...{ method: 'POST', path: '/owner/sessions/create-session', remoteAddress },
      ...{ json: { login_url: createToken() }, headers: SAME_ORIGIN_HEADERS },
    });
  const [first, second] = ['203.0.113.9', '203.0.113.10'] as const;
  for (const _ of [1, 2]) expect((await logInFrom(first)).status).toBe(401);
  const withoutKey = { path: STATUS, remoteAddress: first };
  expect(await call(limitedServer.app, withoutKey)).toMatchObject(UNAUTHORIZED);
  const response = await logInFrom(first);
  expect(response.status).toBe(429);
  expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect((await logInFrom(second)).status).toBe(401);
});
