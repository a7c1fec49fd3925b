import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestResponse, send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { fetchJson, spawnServer } from '../support/server-process.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  type TestDatabase,
} from '../support/test-database.ts';
import { terminateConnections } from './support/terminate-connections.ts';

const POOL_SIZE = 3;

let DATABASE_URL: string;
let separateConnections: TestDatabase;
beforeAll(async () => {
  DATABASE_URL = await createPostgresDatabase('nameplate_template');
  separateConnections = connectPostgresDatabase(DATABASE_URL);
});
afterAll(() => separateConnections.close());

/** Makes new connections read-only or writable, as in a failover to a standby. */
async function makeReadOnly(readOnly: boolean): Promise<void> {
  const database = sql.id(new URL(DATABASE_URL).pathname.slice(1));
  const setting = readOnly
    ? sql`SET default_transaction_read_only = on`
    : sql`RESET default_transaction_read_only`;
  await separateConnections.db.connection().execute(async (connection) => {
    await sql`SET default_transaction_read_only = off`.execute(connection);
    await sql`ALTER DATABASE ${database} ${setting}`.execute(connection);
  });
}

async function readReadiness({ app }: TestApp): Promise<[status: number, body: unknown]> {
  const { statusCode, body } = await app.inject('/readyz');
  return [statusCode, JSON.parse(body)];
}

it('a database that becomes read-only and writable again needs no restart, and reads continue', async () => {
  const server = await startTestApp({}, connectPostgresDatabase(DATABASE_URL, { max: POOL_SIZE }));
  const accounts: TestAccount[] = [];
  for (let count = 0; count < POOL_SIZE; count += 1) accounts.push(await server.createAccount());
  const toggleAll = (): Promise<TestResponse[]> =>
    Promise.all(
      accounts.map((account) => send(server, account, 'POST /site/toggle-site-visibility')),
    );
  const readStatus = () => send(server, accounts[0]!, 'GET /site/get-site-status');
  await toggleAll();

  await makeReadOnly(true);
  await terminateConnections(separateConnections);
  // The first request on each terminated connection fails.
  for (let count = 0; count < 2; count += 1)
    await Promise.all([toggleAll(), readStatus(), readStatus()]);
  for (const { status, body, headers } of await toggleAll())
    expect({ status, body, retry: headers['retry-after'] }).toEqual({
      status: 500,
      body: { error: 'The visibility could not be updated.' },
      retry: '1',
    });
  expect(await readStatus()).toMatchObject({ status: 200, body: { enabled: true } });
  expect(await readReadiness(server)).toEqual([503, { error: 'The service is not ready.' }]);

  // A server that is not ready gets no writes, so it must detect the recovery itself.
  await makeReadOnly(false);
  expect(await readReadiness(server)).toEqual([200, { status: 'ready' }]);
  for (const { status, body } of await toggleAll())
    expect({ status, body }).toEqual({ status: 200, body: { success: true, newStatus: false } });
  await server.close();
});

it('a server that starts on a read-only database reports it, and becomes ready once it is writable', async () => {
  await makeReadOnly(true);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawnServer({ DATABASE_URL, PORT: String(port) });
  await server.waitFor(
    /^The PostgreSQL server of DATABASE_URL is read-only\. It may be a standby\. Retrying in 1 s\.$/m,
  );
  expect((await fetchJson(`${url}/readyz`)).status).toBe(503);
  const expectedLog =
    '"problem":"The PostgreSQL server of DATABASE_URL is read-only. It may be a standby.","msg":"the database cannot be used yet"';
  await eventually(() => expect(server.stdout()).toContain(expectedLog));
  await makeReadOnly(false);
  await server.waitFor(/^Ready\./m);
  expect((await fetchJson(`${url}/readyz`)).status).toBe(200);
});
