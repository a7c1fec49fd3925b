import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { REQUEST_TIME_LIMITS } from '#db/connections/postgres.ts';
import { send } from '../support/call.ts';
import { startTestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  LONG_TIME_LIMITS,
} from '../support/test-database.ts';
import { startDatabaseProxy } from './support/database-proxy.ts';

const POOL_SIZE = 3;
const READ_CONNECTIONS = 2;

/** Starts an app that connects through a proxy, and opens all pool connections. */
async function startBehindProxy() {
  const proxy = await startDatabaseProxy(await createPostgresDatabase('nameplate_template'));
  const { query_timeout } = REQUEST_TIME_LIMITS;
  const server = await startTestApp(
    {},
    connectPostgresDatabase(proxy.url, {
      max: POOL_SIZE,
      timeLimits: { ...LONG_TIME_LIMITS, query_timeout },
    }),
  );
  const accounts = await Promise.all(Array.from({ length: POOL_SIZE }, server.createAccount));
  for (let round = 0; round < 2; round += 1)
    await Promise.all(
      accounts.map((account) => send(server, account, 'GET /site/get-site-status')),
    );
  return {
    proxy,
    server,
    accounts,
    close: async () => {
      await server.close();
      await proxy.close();
    },
  };
}

function runStatements(executor: ReadDatabase, count: number) {
  return Promise.allSettled(Array.from({ length: count }, () => sql`SELECT 1`.execute(executor)));
}

describe.concurrent('half-open connections', () => {
  it('half-open connections fail one request each, and the next ones succeed', async () => {
    const { proxy, server, accounts, close } = await startBehindProxy();
    proxy.freeze();
    // Metrics would share one connection through group commit. Site updates use one each.
    const changeAll = () =>
      Promise.all(
        accounts.map((account) =>
          send(server, account, 'POST /site/update-site-configuration', { bio: 'new' }),
        ),
      );
    const readStatus = () => send(server, accounts[0]!, 'GET /site/get-site-status');
    // Reads have their own connections, and one account may use two of them at once.
    const [failedWrites, ...failedReads] = await Promise.all([
      changeAll(),
      readStatus(),
      readStatus(),
    ]);
    expect(failedReads.map(({ status }) => status)).toEqual([500, 500]);
    for (const { status, body, headers } of failedWrites)
      expect({ status, body, retry: headers['retry-after'] }).toEqual({
        status: 500,
        body: { error: 'Failed to update site details.' },
        retry: '1',
      });
    // Some requests failed when they looked up their API key, before they used a connection of `db`.
    // These statements find the remaining broken connections.
    const { db, readDb } = server.database;
    await Promise.all([runStatements(db, POOL_SIZE), runStatements(readDb, READ_CONNECTIONS)]);
    for (const { status, body } of await changeAll())
      expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    await close();
  });

  it('half-open connections do not delay shutdown', async () => {
    const { proxy, server } = await startBehindProxy();
    proxy.freeze();
    await server.close();
    await proxy.close();
  });

  it.each([{}, { 'idempotency-key': 'once' }])(
    'half-open connections roll back a transaction, and the response names the failed step (headers %j)',
    async (headers) => {
      const { proxy, server, accounts, close } = await startBehindProxy();
      proxy.freezeAt('INTO blocks');
      const update = { bio: 'lost', blocks: [{ type: 'text', content: 'lost' }] };
      expect(
        await send(server, accounts[0]!, 'POST /site/update-site-configuration', update, headers),
      ).toMatchObject({ status: 500, body: { error: 'Failed to save content blocks.' } });
      // Connects directly, not through the proxy.
      const { db, close: closeDirect } = connectPostgresDatabase(proxy.target);
      expect(await db.selectFrom('sites').selectAll().execute()).toEqual([]);
      await closeDirect();
      await close();
    },
  );
});
