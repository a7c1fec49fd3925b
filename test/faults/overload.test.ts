import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { REQUEST_TIME_LIMITS, type TimeLimits } from '#db/connections/postgres.ts';
import { GATES } from '#server/platform/limits/overloaded-error.ts';
import { type TestResponse, send } from '../support/call.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

const OVERLOADED = {
  status: 503,
  body: { error: 'The service is overloaded. Try again in a moment.' },
  headers: { 'retry-after': '1' },
};

let server: TestApp | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function startWithOneConnection(maxWaitingWrites: number, timeLimits?: TimeLimits) {
  const url = await createPostgresDatabase('nameplate_template');
  server = await startTestApp(
    {},
    connectPostgresDatabase(url, { max: 1, timeLimits }, { maxWaitingWrites }),
  );
  return server;
}

/** Occupies the only connection until the returned function is called. */
async function occupyConnection({ database }: TestApp): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: acquired, resolve: markAcquired } = Promise.withResolvers<void>();
  const connection = database.db.connection().execute(() => {
    markAcquired();
    return released;
  });
  await acquired;
  return async () => {
    release();
    await connection;
  };
}

/** Creates an account whose key was just used, so that the next requests record no use. */
async function createActiveAccount(testApp: TestApp): Promise<TestAccount> {
  const account = await testApp.createAccount();
  await send(testApp, account, 'GET /site/get-site-status');
  return account;
}

it('when all database connections are busy, a limited number of writes wait, and the others get 503 at once', async () => {
  const testApp = await startWithOneConnection(5);
  const accounts: TestAccount[] = [];
  for (let count = 0; count < 20; count += 1) accounts.push(await createActiveAccount(testApp));
  const release = await occupyConnection(testApp);
  // One request waits for the connection, and five more are queued.
  const responses: TestResponse[] = [];
  const { promise: refused, resolve } = Promise.withResolvers<void>();
  const requests = accounts.map(async (account) => {
    responses.push(await send(testApp, account, 'POST /site/toggle-site-visibility'));
    if (responses.length === 14) resolve();
  });
  await refused;
  for (const response of responses) expect(response).toMatchObject(OVERLOADED);
  const gates = testApp.log.filter(({ msg }) => msg === 'request').map(({ gate }) => gate);
  expect(gates.filter((gate) => gate === 'writes')).toHaveLength(14);
  await release();
  await Promise.all(requests);
  for (const { status, body } of responses.slice(14))
    expect({ status, body }).toEqual({ status: 200, body: { success: true, newStatus: true } });
  expect(await send(testApp, accounts[0]!, 'POST /site/toggle-site-visibility')).toMatchObject({
    status: 200,
  });
});

it('when all database connections are busy, a write gives up after two seconds', async () => {
  const testApp = await startWithOneConnection(5, REQUEST_TIME_LIMITS);
  const account = await createActiveAccount(testApp);
  const release = await occupyConnection(testApp);
  expect(await send(testApp, account, 'POST /site/toggle-site-visibility')).toMatchObject(
    OVERLOADED,
  );
  await release();
  expect(await send(testApp, account, 'POST /site/toggle-site-visibility')).toMatchObject({
    status: 200,
  });
});

it('when all database connections are busy, a limited number of reads wait for a blocked database', async () => {
  const url = await createPostgresDatabase('nameplate_template');
  server = await startTestApp({}, connectPostgresDatabase(url, {}, { maxWaitingReads: 60 }));
  const testApp = server;
  const readProjects = () => send(testApp, account, 'GET /stats/get-projects');
  const account = await createActiveAccount(testApp);
  const responses: TestResponse[] = [];
  const { promise: refused, resolve } = Promise.withResolvers<void>();
  const requests = await testApp.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE projects IN ACCESS EXCLUSIVE MODE`.execute(trx);
    await send(testApp, account, 'GET /site/get-site-status');
    // Two run and 30 wait: one account gets at most half of the slots and of the queue.
    const waiting = Array.from({ length: 45 }, async () => {
      responses.push(await readProjects());
      if (responses.length === 13) resolve();
    });
    await refused;
    return waiting;
  });
  await Promise.all(requests);
  for (const response of responses.slice(0, 13)) expect(response).toMatchObject(OVERLOADED);
  for (const { status } of responses.slice(13)) expect(status).toBe(200);
  expect(await readProjects()).toMatchObject({ status: 200 });
});

it('when all database connections are busy, reads succeed, also with a key that is not cached', async () => {
  const testApp = await startWithOneConnection(5);
  const account = await testApp.createAccount();
  const release = await occupyConnection(testApp);
  expect(await send(testApp, account, 'GET /account/get-display-name')).toMatchObject({
    status: 200,
    body: { display_name: '' },
  });
  await release();
});

it('when all database connections are busy, readiness checks without a key use no slots of other requests', async () => {
  const testApp = await startWithOneConnection(5);
  const account = await createActiveAccount(testApp);
  const release = await occupyConnection(testApp);
  const readiness = Array.from(
    { length: 50 },
    async () => (await testApp.app.inject('/readyz')).statusCode,
  );
  const response = send(testApp, account, 'POST /site/toggle-site-visibility');
  await release();
  expect(await response).toMatchObject({ status: 200 });
  expect(await Promise.all(readiness)).toEqual(readiness.map(() => 200));
});

it('docs/limits.md describes every gate', () => {
  const document = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  const rows = document.matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) /gm);
  const documentedGates = [...rows].flatMap(([, cell]) => cell!.replaceAll('`', '').split(', '));
  expect(documentedGates.toSorted()).toEqual(GATES.toSorted());
});
