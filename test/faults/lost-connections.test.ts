import { createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REQUEST_TIME_LIMITS } from '#db/connections/postgres.ts';
import { type TestResponse, send } from '../support/call.ts';
import { listBlockedPids } from '../support/database-locks.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/listen.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  type TestDatabase,
} from '../support/test-database.ts';

const POOL_SIZE = 3;

let server: TestApp;
let separateConnections: TestDatabase;
let account: TestAccount;
beforeAll(async () => {
  const url = await createPostgresDatabase('nameplate_template');
  server = await startTestApp({}, connectPostgresDatabase(url, { max: POOL_SIZE }));
  separateConnections = connectPostgresDatabase(url);
  account = await server.createAccount();
});
afterAll(async () => {
  await server.close();
  await separateConnections.close();
});

/** Expects at most one failure for each lost connection, then success. */
async function expectRecovery(maxFailures: number): Promise<void> {
  let failures = 0;
  for (const endpoint of ['GET /site/get-site-configuration', 'GET /stats/get-projects'] as const)
    while ((await send(server, account, endpoint)).status !== 200) failures += 1;
  while ((await send(server, account, 'POST /site/update-site-configuration', {})).status !== 200)
    failures += 1;
  expect(failures).toBeLessThanOrEqual(maxFailures);
}

it('when the database terminates all connections, running requests fail with a specific message and may be retried', async () => {
  // Two accounts, because writes of one account wait for each other.
  const other = await server.createAccount();
  let responses: Promise<TestResponse[]> | undefined;
  await separateConnections.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE sites IN ACCESS EXCLUSIVE MODE`.execute(trx);
    responses = Promise.all([
      send(server, other, 'POST /site/toggle-site-visibility'),
      send(server, account, 'POST /site/update-site-configuration', { bio: 'lost' }),
      send(server, account, 'GET /site/get-site-status'),
    ]);
    const waiting = await eventually(
      () => listBlockedPids(trx, 'sites'),
      ({ length }) => length === 3,
    );
    await sql`SELECT pg_terminate_backend(pid) FROM unnest(${waiting}::integer[]) AS pid`.execute(
      trx,
    );
  });
  const summaries = (await responses!).map(({ status, body, headers }) => [
    status,
    (body as { error: string }).error,
    headers['retry-after'],
  ]);
  expect(summaries).toEqual([
    [500, 'The visibility could not be updated.', '1'],
    [500, 'Failed to update site details.', '1'],
    [500, 'The site status could not be fetched.', '1'],
  ]);
  await expectRecovery(POOL_SIZE + 2);
  const { body } = await send(server, account, 'GET /site/get-site-configuration');
  expect(body).toMatchObject({ site: { bio: null } });
  const otherStatus = await send(server, other, 'GET /site/get-site-status');
  expect(otherStatus).toMatchObject({ body: { enabled: false } });
});

it('requests fail as overloaded when the database does not accept connections in time', async () => {
  const silentServer = createServer();
  const { port } = await listen(silentServer);
  const waitingServer = await startTestApp(
    {},
    connectPostgresDatabase(`postgres://127.0.0.1:${port}/x`, { timeLimits: REQUEST_TIME_LIMITS }),
  );
  expect(await send(waitingServer, account, 'GET /site/get-site-status')).toMatchObject({
    status: 503,
    body: { error: 'The service is overloaded. Try again in a moment.' },
    headers: { 'retry-after': '1' },
  });
  await waitingServer.close();
  silentServer.close();
});
