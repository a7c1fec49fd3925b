import { registerHooks } from 'node:module';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { REQUEST_LIMITS, type TimeLimits } from '../../db/connections/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { call, type Reply, send } from '../support/call.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

const OVERLOADED = {
  status: 503,
  body: { error: 'The service is overloaded; try again in a moment.' },
  headers: { 'retry-after': '1' },
};

let server: TestApp | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('when all connections to the database are taken', () => {
  async function startSmall(waitingWrites: number, timeLimits?: TimeLimits) {
    const url = await createPostgresDatabase('nameplate_template');
    server = await startTestApp(
      {},
      connectPostgresDatabase(url, { max: 1, timeLimits }, { waitingWrites }),
    );
    return server;
  }

  /** Takes the only connection, until it is given back. */
  async function occupy({ database }: TestApp): Promise<() => Promise<void>> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const held = database.db.connection().execute(() => {
      take();
      return over;
    });
    await taken;
    return async () => {
      end();
      await held;
    };
  }

  /** An account whose key was used a moment ago, of which no note need be made again. */
  async function createActiveAccount(small: TestApp): Promise<TestAccount> {
    const account = await small.createAccount();
    await send(small, account, 'GET /site/get-site-status');
    return account;
  }

  it('a bounded number of writes wait, and the others are told at once to come back', async () => {
    const small = await startSmall(5);
    const accounts: TestAccount[] = [];
    for (let count = 0; count < 20; count += 1) accounts.push(await createActiveAccount(small));
    const release = await occupy(small);
    // One has the place for the connection that is taken, five wait for it.
    const answers: Reply[] = [];
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const requests = accounts.map(async (account) => {
      answers.push(await send(small, account, 'POST /site/toggle-site-visibility'));
      if (answers.length === 14) resolve();
    });
    await refused;
    for (const answer of answers) expect(answer).toMatchObject(OVERLOADED);
    const gates = small.log.filter(({ msg }) => msg === 'request').map(({ gate }) => gate);
    expect(gates.filter((gate) => gate === 'writes')).toHaveLength(14);
    await release();
    await Promise.all(requests);
    for (const { status, body } of answers.slice(14))
      expect({ status, body }).toEqual({ status: 200, body: { success: true, newStatus: true } });
    expect(await send(small, accounts[0]!, 'POST /site/toggle-site-visibility')).toMatchObject({
      status: 200,
    });
  });

  it('nobody waits for ever: a write gives up after two seconds', async () => {
    const small = await startSmall(5, REQUEST_LIMITS);
    const account = await createActiveAccount(small);
    const release = await occupy(small);
    expect(await send(small, account, 'POST /site/toggle-site-visibility')).toMatchObject({
      status: 500,
      body: { error: 'The visibility could not be updated.' },
      headers: { 'retry-after': '1' },
    });
    await release();
    expect(await send(small, account, 'POST /site/toggle-site-visibility')).toMatchObject({
      status: 200,
    });
  });

  it('a bounded number of reads wait for a database that holds them up', async () => {
    const url = await createPostgresDatabase('nameplate_template');
    server = await startTestApp({}, connectPostgresDatabase(url, {}, { readsAtOnce: 5 }));
    const small = server;
    const { db } = small.database;
    const read = () => send(small, account, 'GET /stats/get-projects');
    const account = await createActiveAccount(small);
    const answers: Reply[] = [];
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const requests = await db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE projects IN ACCESS EXCLUSIVE MODE`.execute(trx);
      await send(small, account, 'GET /site/get-site-status');
      // Three are on their way, and 30 wait: as many as leave the same room to other accounts.
      const waiting = Array.from({ length: 45 }, async () => {
        answers.push(await read());
        if (answers.length === 12) resolve();
      });
      await refused;
      return waiting;
    });
    await Promise.all(requests);
    for (const answer of answers.slice(0, 12)) expect(answer).toMatchObject(OVERLOADED);
    for (const { status } of answers.slice(12)) expect(status).toBe(200);
    expect(await read()).toMatchObject({ status: 200 });
  });

  it('what only reads is answered all the same, also with a key that is not remembered', async () => {
    const small = await startSmall(5);
    const account = await small.createAccount();
    const release = await occupy(small);
    expect(await send(small, account, 'GET /account/get-display-name')).toMatchObject({
      status: 200,
      body: { display_name: '' },
    });
    await release();
  });

  it('those who ask without a key whether the server is ready take no place from others', async () => {
    const small = await startSmall(5);
    const account = await createActiveAccount(small);
    const release = await occupy(small);
    const readiness = Array.from(
      { length: 50 },
      async () => (await small.app.inject('/readyz')).statusCode,
    );
    const answer = send(small, account, 'POST /site/toggle-site-visibility');
    await release();
    expect(await answer).toMatchObject({ status: 200 });
    expect(await Promise.all(readiness)).toEqual(readiness.map(() => 200));
  });
});

/** Blocks the event loop, in milliseconds. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

describe('when the event loop was blocked', () => {
  it('requests are refused at once, and a moment later served again', async () => {
    server = await startTestApp({
      limits: { requestsPerMinute: 0, maxEventLoopDelayMs: 1_000 },
    });
    const account = await server.createAccount();
    const read = () => send(server!, account, 'GET /site/get-site-status');
    await eventually(read, ({ status }) => status === 200);
    block(2_000);
    expect(await read()).toMatchObject(OVERLOADED);
    const health = await server.app.inject('/healthz');
    expect(health.statusCode).toBe(200);
    await eventually(read, ({ status }) => status === 200);
  });

  it.each(['/docs/', '/openapi.json', '/docs/js/scalar.js'])(
    '%s, which nobody needs a key for, is refused before anybody with a key',
    async (path) => {
      server = await startTestApp({
        limits: { requestsPerMinute: 0, maxEventLoopDelayMs: 8_000 },
      });
      const account = await server.createAccount();
      block(2_200);
      expect(await call(server.app, { path })).toMatchObject(OVERLOADED);
      expect(await send(server, account, 'GET /site/get-site-status')).toMatchObject({
        status: 200,
      });
      const get = () => server!.app.inject(path);
      await eventually(get, ({ statusCode }) => statusCode === 200);
    },
  );

  it('a page is refused as a page, as soon as all else that nobody needs a key for', async () => {
    server = await startTestApp({
      limits: { requestsPerMinute: 0, maxEventLoopDelayMs: 8_000 },
    });
    const open = () => server!.app.inject({ method: 'GET', url: '/confirm/x' });
    block(2_200);
    const { statusCode, headers, payload } = await open();
    expect({ statusCode, headers }).toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': '1', 'content-type': 'text/html; charset=utf-8' },
    });
    expect(payload).toContain('<h1>Back in a moment</h1>');
    await eventually(open, (answer) => answer.statusCode === 404);
  });

  it('by loading what shows pages, which happens once, no request is refused', async () => {
    server = await startTestApp({
      limits: { requestsPerMinute: 0, maxEventLoopDelayMs: 8_000 },
    });
    const open = async (url: string) => (await server!.app.inject({ url })).statusCode;
    const { promise: meanwhile, resolve } = Promise.withResolvers<number>();
    const hooks = registerHooks({
      // Another test may have loaded it before.
      resolve: (specifier, context, next) => {
        const found = next(specifier, context);
        return specifier.endsWith('/site-pages.ts') ? { ...found, url: `${found.url}?new` } : found;
      },
      load: (url, context, next) => {
        if (url.endsWith('/site-pages.ts?new')) {
          setImmediate(() => void open('/confirm/x').then(resolve));
          block(2_200);
        }
        return next(url, context);
      },
    });
    onTestFinished(() => hooks.deregister());
    const first = open('/@nobody');
    expect(await meanwhile).toBe(404);
    expect(await first).toBe(404);
  });

  it('the document of the dashboard is refused, and not the files of one that came before', async () => {
    server = await startTestApp({
      limits: { requestsPerMinute: 0, maxEventLoopDelayMs: 8_000 },
    });
    const open = async (url: string) =>
      (await server!.app.inject({ method: 'GET', url })).statusCode;
    const document = (await server.app.inject({ url: '/dashboard/' })).payload;
    const files = [...document.matchAll(/"(\/dashboard\/assets\/[^"]+)"/g)].map(
      ([, file]) => file!,
    );
    expect(files.length).toBeGreaterThan(2);
    block(2_200);
    expect(await open('/dashboard/')).toBe(503);
    for (const file of files) expect([file, await open(file)]).toEqual([file, 200]);
  });
});
