import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answered, send } from '../support/send.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
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
  async function startSmall(maxWaiting: number) {
    const url = await createPostgresDatabase('nameplate_template');
    server = await startTestApp({}, connectPostgresDatabase(url, { max: 1, maxWaiting }));
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

  it('a bounded number of requests wait, and the others are told at once to come back', async () => {
    const small = await startSmall(5);
    const accounts = await Promise.all(Array.from({ length: 5 }, () => small.createAccount()));
    const more = [];
    for (let count = 0; count < 15; count += 1) more.push(await small.createAccount());
    const release = await occupy(small);
    const answers: Answered[] = [];
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const requests = [...accounts, ...more].map(async (account) => {
      answers.push(await send(small, account, 'GET /site/get-site-status'));
      if (answers.length === 15) resolve();
    });
    await refused;
    for (const answer of answers) expect(answer).toMatchObject(OVERLOADED);
    await release();
    await Promise.all(requests);
    for (const { status, body } of answers.slice(15))
      expect({ status, body }).toEqual({ status: 200, body: { enabled: false } });
    expect(await send(small, accounts[0]!, 'POST /site/toggle-site-visibility')).toMatchObject({
      status: 200,
    });
  });

  it('nobody waits for ever: a request gives up after two seconds', async () => {
    const small = await startSmall(5);
    const account = await small.createAccount();
    const release = await occupy(small);
    expect(await send(small, account, 'GET /account/get-display-name')).toMatchObject({
      status: 500,
      body: { error: 'The display name could not be fetched.' },
      headers: { 'retry-after': '1' },
    });
    await release();
    expect(await send(small, account, 'GET /account/get-display-name')).toMatchObject({
      status: 200,
    });
  });
});

describe('when the event loop was blocked', () => {
  it('requests are refused at once, and a moment later served again', async () => {
    server = await startTestApp({
      limits: { requestsPerMinute: 0, corsOrigins: [], maxEventLoopDelayMs: 1_000 },
    });
    const account = await server.createAccount();
    const read = () => send(server!, account, 'GET /site/get-site-status');
    while ((await read()).status !== 200) await sleep(20);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    expect(await read()).toMatchObject(OVERLOADED);
    const health = await server.app.inject('/healthz');
    expect(health.statusCode).toBe(200);
    while ((await read()).status !== 200) await sleep(20);
  });
});
