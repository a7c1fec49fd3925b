import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { generateApiKey } from '#server/features/keys/api-key.ts';
import { createToken } from '#server/platform/secrets/token.ts';
import { type TestRequest, call, type TestResponse } from '../support/call.ts';
import { errorText } from '../support/expected-responses.ts';
import {
  sessionHeaders,
  createSession,
  createLoginLinkToken,
  SAME_ORIGIN_HEADERS,
} from '../support/session.ts';
import { type TestApp, startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const STRANGER = '203.0.113.1';
const OWNER = '203.0.113.2';
/** Maximum number of running and queued lookups per network. */
const MAX_LOOKUPS = 104;

const { server, account } = useServer({ account: true, mailEnabled: true });

/** Starts another server on the same database, with empty caches. */
function startServer(refusedLogins = 0): Promise<TestApp> {
  const rateLimitOptions = { requestsPerMinute: 0, refusedLogins };
  return startTestApp({ mailEnabled: true, rateLimitOptions }, server.database);
}

const logIn = (json: object): TestRequest => ({
  method: 'POST',
  path: '/owner/sessions/create-session',
  headers: SAME_ORIGIN_HEADERS,
  json,
});
const createUnknownKey = () => {
  const { id, secret } = generateApiKey();
  return `${id}.${secret}`;
};
const READ_PATH = '/site/get-site-status';

it.each<[string, 'login_links' | 'api_keys', () => TestRequest, () => Promise<TestRequest>]>([
  [
    'with made-up login links, a login by link',
    'login_links',
    () => logIn({ login_url: createToken() }),
    async () => logIn({ login_url: await createLoginLinkToken(server, account.id) }),
  ],
  [
    'with made-up keys, a login by key',
    'api_keys',
    () => logIn({ api_key: createUnknownKey() }),
    async () => logIn({ api_key: account.key }),
  ],
])(
  'while one IP address fills the queue %s from another address still succeeds',
  async (_title, table, createFake, createValid) => {
    const newServer = await startServer();
    const request = await createValid();
    const { promise: queueFull, resolve: resolveQueueFull } = Promise.withResolvers<void>();
    let response: Promise<TestResponse> | undefined;
    let attackRequests: Promise<void>[] = [];
    await server.db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(trx);
      attackRequests = Array.from({ length: MAX_LOOKUPS + 20 }, async () => {
        const { status } = await call(newServer.app, { ...createFake(), remoteAddress: STRANGER });
        if (status === 503) resolveQueueFull();
      });
      await queueFull;
      response = call(newServer.app, { ...request, remoteAddress: OWNER });
      // The request is in the queue.
      await call(newServer.app, { ...createFake(), remoteAddress: STRANGER });
    });
    expect((await response!).status).toBe(200);
    await Promise.all(attackRequests);
    await newServer.app.close();
  },
);

it.each<[string, 'api_keys' | 'sessions', () => TestRequest, () => Promise<TestRequest>]>([
  [
    'made-up keys, a key',
    'api_keys',
    () => ({ path: READ_PATH, key: createUnknownKey() }),
    async () => ({ path: READ_PATH, key: account.key }),
  ],
  [
    'made-up cookies, a session',
    'sessions',
    () => ({ path: READ_PATH, headers: { cookie: `nameplate=${createToken()}` } }),
    async () => {
      const link = await createLoginLinkToken(server, account.id);
      return {
        path: READ_PATH,
        headers: sessionHeaders(await createSession(server, { login_url: link })),
      };
    },
  ],
])(
  'while one IP address queues lookups of %s from another address gets a response',
  async (_title, table, createFake, createValid) => {
    const request = await createValid();
    let responses: Promise<TestResponse>[] = [];
    await server.db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(trx);
      responses = Array.from({ length: 500 }, () =>
        call(server.app, { ...createFake(), remoteAddress: STRANGER }),
      );
      responses.push(call(server.app, { ...request, remoteAddress: OWNER }));
    });
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.pop()).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([401]));
  },
);

it('after too many refused logins, an IP address is checked one login at a time, and others are refused', async () => {
  const limitedServer = await startServer(2);
  const logInFromStranger = (json: object) =>
    call(limitedServer.app, { ...logIn(json), remoteAddress: STRANGER });
  for (const status of [401, 401, 429])
    expect((await logInFromStranger({ login_url: createToken() })).status).toBe(status);
  const refused = await logInFromStranger({ api_key: createUnknownKey() });
  const error = /^Too many requests without a valid key. Try again in (9|10) minutes.$/;
  expect(refused).toMatchObject(errorText(429, expect.stringMatching(error)));
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500);
  let first: Promise<TestResponse> | undefined;
  await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE login_links IN ACCESS EXCLUSIVE MODE`.execute(trx);
    const startedAt = performance.now();
    const logins = Array.from({ length: 20 }, () =>
      logInFromStranger({ login_url: createToken() }),
    );
    first = logins.shift();
    const statuses = (await Promise.all(logins)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 429));
    // There is no upper bound, because machines can be slow.
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    const other = { ...logIn({ api_key: account.key }), remoteAddress: OWNER };
    expect((await call(limitedServer.app, other)).status).toBe(200);
  });
  expect((await first!).status).toBe(429);
  expect(
    (await logInFromStranger({ login_url: await createLoginLinkToken(server, account.id) })).status,
  ).toBe(200);
  await limitedServer.app.close();
});

it('login links by mail are limited per IP address across all accounts', async () => {
  const limitedServer = await startServer(10);
  const requestLink = (remoteAddress: string, count = 0) =>
    call(limitedServer.app, {
      ...{ ...logIn({ email: `somebody-${count}@example.com` }), remoteAddress },
      path: '/owner/sessions/send-login-link',
    });
  for (let count = 0; count < 10; count += 1)
    expect((await requestLink(STRANGER, count)).status).toBe(200);
  const { status, body, headers } = await requestLink(STRANGER, 10);
  const error =
    /^Too many login links were requested from your network. Try again in (9|10) minutes.$/;
  expect({ status, body }).toEqual(errorText(429, expect.stringMatching(error)));
  expect(Number(headers['retry-after'])).toBeGreaterThan(500);
  expect((await requestLink(OWNER)).status).toBe(200);
  const login = { ...logIn({ api_key: account.key }), remoteAddress: STRANGER };
  expect((await call(limitedServer.app, login)).status).toBe(200);
  await limitedServer.app.close();
});
