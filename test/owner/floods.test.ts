import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '#server/features/keys/api-key.ts';
import { createToken } from '#server/token.ts';
import { type TestRequest, call, type TestResponse } from '../support/call.ts';
import {
  cookieHeader,
  createSession,
  createLoginLinkToken,
  SAME_ORIGIN_HEADERS,
} from '../support/session.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';

const STRANGER = '203.0.113.1';
const OWNER = '203.0.113.2';
/** Running and queued look-ups of one network. */
const ROOM = 104;

let server: TestApp;
let account: TestAccount;
beforeAll(async () => {
  const database = await openTestDatabase();
  server = await startTestApp({ mailEnabled: true }, database);
  account = await server.createAccount();
});
afterAll(() => server.close());

/** Starts another server on the same database, with empty caches. */
function startServer(refusedLogins = 0): Promise<TestApp> {
  const limits = { requestsPerMinute: 0, refusedLogins };
  return startTestApp({ mailEnabled: true, limits }, server.database);
}

const logIn = (json: object): TestRequest => ({
  method: 'POST',
  path: '/owner/session/create-session',
  headers: SAME_ORIGIN_HEADERS,
  json,
});
const madeUpKey = () => {
  const { id, secret } = generateApiKey();
  return `${id}.${secret}`;
};
const READ = '/site/get-site-status';

describe('while one IP address fills the queue', () => {
  it.each<[string, 'login_links' | 'api_keys', () => TestRequest, () => Promise<TestRequest>]>([
    [
      'with made-up login links, a login by link',
      'login_links',
      () => logIn({ link: createToken() }),
      async () => logIn({ link: await createLoginLinkToken(server, account.id) }),
    ],
    [
      'with made-up keys, a login by key',
      'api_keys',
      () => logIn({ apiKey: madeUpKey() }),
      async () => logIn({ apiKey: account.key }),
    ],
  ])('%s is answered to another one', async (_title, table, madeUp, right) => {
    const fresh = await startServer();
    const request = await right();
    const { promise: isFull, resolve: full } = Promise.withResolvers<void>();
    let answer: Promise<TestResponse> | undefined;
    let strangers: Promise<void>[] = [];
    await server.database.db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(trx);
      strangers = Array.from({ length: ROOM + 20 }, async () => {
        const { status } = await call(fresh.app, { ...madeUp(), remoteAddress: STRANGER });
        if (status === 503) full();
      });
      await isFull;
      answer = call(fresh.app, { ...request, remoteAddress: OWNER });
      // The request is in the queue.
      await call(fresh.app, { ...madeUp(), remoteAddress: STRANGER });
    });
    expect((await answer!).status).toBe(200);
    await Promise.all(strangers);
    await fresh.app.close();
  });
});

describe('while look-ups of one IP address are queued', () => {
  it.each<[string, 'api_keys' | 'sessions', () => TestRequest, () => Promise<TestRequest>]>([
    [
      'made-up keys, a key',
      'api_keys',
      () => ({ path: READ, key: madeUpKey() }),
      async () => ({ path: READ, key: account.key }),
    ],
    [
      'made-up cookies, a session',
      'sessions',
      () => ({ path: READ, headers: { cookie: `nameplate=${createToken()}` } }),
      async () => {
        const begun = await createSession(server, {
          link: await createLoginLinkToken(server, account.id),
        });
        return {
          path: READ,
          headers: { ...SAME_ORIGIN_HEADERS, cookie: cookieHeader(begun.headers) },
        };
      },
    ],
  ])('of %s of another address is answered', async (_title, table, madeUp, right) => {
    const request = await right();
    let answers: Promise<TestResponse>[] = [];
    await server.database.db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(trx);
      answers = Array.from({ length: 500 }, () =>
        call(server.app, { ...madeUp(), remoteAddress: STRANGER }),
      );
      answers.push(call(server.app, { ...request, remoteAddress: OWNER }));
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.pop()).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([401]));
  });
});

describe('an IP address with too many refused logins', () => {
  it('is checked one login at a time; further logins wait and are refused without a look-up', async () => {
    const limited = await startServer(2);
    const from = (json: object) => call(limited.app, { ...logIn(json), remoteAddress: STRANGER });
    for (const status of [401, 401, 429, 429])
      expect((await from({ link: createToken() })).status).toBe(status);
    let first: Promise<TestResponse> | undefined;
    await server.database.db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE login_links IN ACCESS EXCLUSIVE MODE`.execute(trx);
      const began = performance.now();
      const all = Array.from({ length: 20 }, () => from({ link: createToken() }));
      first = all.shift();
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      expect(statuses).toEqual(statuses.map(() => 429));
      // A minimum also holds on a slow machine.
      expect(performance.now() - began).toBeGreaterThan(990);
      const other = call(limited.app, { ...logIn({ apiKey: account.key }), remoteAddress: OWNER });
      expect((await other).status).toBe(200);
    });
    expect((await first!).status).toBe(429);
    expect((await from({ link: await createLoginLinkToken(server, account.id) })).status).toBe(200);
    await limited.app.close();
  });
});

describe('login links by mail', () => {
  it('are limited per IP address across all accounts, without affecting other addresses', async () => {
    const limited = await startServer(10);
    const askFrom = (remoteAddress: string, at = 0) =>
      call(limited.app, {
        method: 'POST',
        path: '/owner/session/mail-login-link',
        json: { email: `somebody-${at}@example.com` },
        headers: SAME_ORIGIN_HEADERS,
        remoteAddress,
      });
    for (let at = 0; at < 10; at += 1) expect((await askFrom(STRANGER, at)).status).toBe(200);
    const { status, body, headers } = await askFrom(STRANGER, 10);
    expect([status, body]).toEqual([
      429,
      {
        error: expect.stringMatching(
          /^Too many login links were requested from your network. Try again in (9|10) minutes\.$/,
        ) as string,
      },
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(500);
    expect((await askFrom(OWNER)).status).toBe(200);
    const login = { ...logIn({ apiKey: account.key }), remoteAddress: STRANGER };
    expect((await call(limited.app, login)).status).toBe(200);
    await limited.app.close();
  });
});
