import { HOUR_MS } from '../../contract/durations.ts';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../db/queries/accounts.ts';
import { revokeApiKey } from '../../db/queries/api-keys.ts';
import { deleteSessions } from '../../db/queries/sessions/sessions.ts';
import { REVOCATIONS } from '../../db/revocations.ts';
import type { Database } from '../../db/schema.ts';
import { suspendAccount } from '../../server/service/accounts/suspend-account.ts';
import { databaseForwarding } from '../../server/service/forwarding/forwarding.ts';
import { hearRevocations } from '../../server/service/sessions/authentication.ts';
import { eventually } from '../support/eventually.ts';
import { call, type Reply, send } from '../support/call.ts';
import { everyEndpoint } from '../support/endpoints.ts';
import { cookieOf, createSession } from '../support/session.ts';
import type { TestAccount, TestApp } from '../support/test-app.ts';
import { startTwoServers, type TwoServers } from './support/two-servers.ts';

const UNAUTHORIZED = { status: 401, body: { error: 'Unauthorized' } };
const SUSPENDED = {
  status: 403,
  body: { error: 'This account is suspended. Ask the operator of the service.' },
};

let servers: TwoServers;
let both: TestApp[];
let stopHearing: (() => Promise<void>)[];
beforeAll(async () => {
  // No test here lasts that long: what is refused was heard of.
  servers = await startTwoServers({ cacheMs: HOUR_MS });
  both = [servers.first, servers.second];
  stopHearing = both.map(({ authentication, database }) =>
    hearRevocations({ url: database.url, authentication, logger: { warn: () => {} } }),
  );
  await untilListening(both.length);
});
afterAll(async () => {
  await Promise.all(stopHearing.map((stop) => stop()));
  await servers.close();
});

async function untilListening(count: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'nameplate listener' AND query LIKE 'LISTEN%' AND state = 'idle'`.execute(
      servers.first.database.db,
    );
    expect(rows).toHaveLength(count);
  });
}

function useOnBoth(account: TestAccount): Promise<Reply[]> {
  return Promise.all(both.map((server) => send(server, account, 'GET /site/get-site-status')));
}

/** Uses the keys until both servers have cached them. */
async function untilRemembered(...accounts: TestAccount[]): Promise<void> {
  const queries = () => both.reduce((sum, server) => sum + server.queryCount(), 0);
  await eventually(async () => {
    const before = queries();
    for (const account of accounts)
      for (const { status } of await useOnBoth(account)) expect(status).toBe(200);
    // The read of the status alone.
    expect(queries() - before).toBe(accounts.length * both.length);
  });
}

async function expectRefusedOnBoth(account: TestAccount, refused = UNAUTHORIZED): Promise<void> {
  await eventually(async () => {
    for (const answer of await useOnBoth(account)) expect(answer).toMatchObject(refused);
  });
}

describe('all servers at once, however long they cache a key,', () => {
  it('refuse a key that is revoked, and accept the others as before', async () => {
    const [revoked, other] = await servers.createAccounts(2);
    await untilRemembered(revoked!, other!);
    await revokeApiKey(servers.first.database.db, revoked!.key.split('.')[0]!);
    await expectRefusedOnBoth(revoked!);
    const before = both.map((server) => server.queryCount());
    await useOnBoth(other!);
    expect(both.map((server) => server.queryCount())).toEqual(before.map((count) => count + 1));
  });

  it('refuse the key of an account that is deleted, and accept the others as before', async () => {
    const [deleted, other] = await servers.createAccounts(2);
    await untilRemembered(deleted!, other!);
    await servers.first.database.db.transaction().execute((trx) => deleteAccount(trx, deleted!.id));
    await expectRefusedOnBoth(deleted!);
    const before = both.map((server) => server.queryCount());
    await useOnBoth(other!);
    expect(both.map((server) => server.queryCount())).toEqual(before.map((count) => count + 1));
  });

  it('refuse the keys of an account that is suspended, at every endpoint, until it resumes', async () => {
    const [account, other] = await servers.createAccounts(2);
    const { db } = servers.first.database;
    const change = (suspended: boolean) =>
      suspendAccount(db, databaseForwarding('none', db), { account: account!.id, suspended });
    await untilRemembered(account!, other!);
    const { suspended_at } = await change(true);
    await expectRefusedOnBoth(account!, SUSPENDED);
    for (const server of both)
      for (const { method, path } of everyEndpoint) {
        const request = { method, path, key: account!.key, payload: 'not read' };
        expect(await call(server.app, request)).toMatchObject(SUSPENDED);
      }
    // Once more changes nothing, not even since when.
    expect(await change(true)).toMatchObject({ suspended_at });
    expect(await change(false)).toMatchObject({ suspended_at: null });
    await untilRemembered(account!, other!);
  });

  it.each<[how: string, end: (db: Kysely<Database>, account: TestAccount) => Promise<unknown>]>([
    ['itself is ended', (db, { id }) => deleteSessions(db, id)],
    ['key is revoked', (db, { key }) => revokeApiKey(db, key.split('.')[0]!)],
    [
      'account is suspended',
      (db, { id }) =>
        suspendAccount(db, databaseForwarding('none', db), { account: id, suspended: true }),
    ],
    [
      'account is deleted',
      (db, { id }) => db.transaction().execute((trx) => deleteAccount(trx, id)),
    ],
  ])('refuse a session whose %s', async (_how, end) => {
    const [account] = await servers.createAccounts(1);
    const { db } = servers.first.database;
    const session = await createSession(servers.first, { apiKey: account!.key });
    const headers = { cookie: cookieOf(session.headers) };
    const useOnBothServers = () =>
      Promise.all(both.map(({ app }) => call(app, { path: '/site/get-site-status', headers })));
    const queries = () => both.reduce((sum, server) => sum + server.queryCount(), 0);
    await eventually(async () => {
      const before = queries();
      for (const { status } of await useOnBothServers()) expect(status).toBe(200);
      expect(queries() - before).toBe(both.length);
    });
    await end(db, account!);
    await eventually(async () => {
      for (const answer of await useOnBothServers()) expect(answer).toMatchObject(UNAUTHORIZED);
    });
  });

  it('ask again for every key when they hear what only a later version understands', async () => {
    const [account] = await servers.createAccounts(1);
    const { db } = servers.first.database;
    await untilRemembered(account!);
    await db
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('account_id', '=', account!.id)
      .execute();
    await sql`SELECT pg_notify(${REVOCATIONS}, 'tenant 1')`.execute(db);
    await expectRefusedOnBoth(account!);
  });

  it('go on accepting a key whose revocation is rolled back', async () => {
    const [account, other] = await servers.createAccounts(2);
    const { db } = servers.first.database;
    await untilRemembered(account!, other!);
    const given = new Error('rolled back on purpose');
    const undone = db.transaction().execute(async (trx) => {
      await revokeApiKey(trx, account!.key.split('.')[0]!);
      throw given;
    });
    await expect(undone).rejects.toBe(given);
    // A later revocation was heard, so this one would have been, too.
    await revokeApiKey(db, other!.key.split('.')[0]!);
    await expectRefusedOnBoth(other!);
    const before = both.map((server) => server.queryCount());
    for (const { status } of await useOnBoth(account!)) expect(status).toBe(200);
    expect(both.map((server) => server.queryCount())).toEqual(before.map((count) => count + 1));
  });

  it('forget everything when they begin to hear again after a break', async () => {
    const [account] = await servers.createAccounts(1);
    const { db } = servers.first.database;
    await untilRemembered(account!);
    await db.transaction().execute(async (trx) => {
      // Nobody listens from here to the commit, which nobody therefore hears.
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'nameplate listener'`.execute(
        trx,
      );
      await trx
        .updateTable('api_keys')
        .set({ revoked_at: new Date() })
        .where('account_id', '=', account!.id)
        .execute();
    });
    await expectRefusedOnBoth(account!);
    await untilListening(both.length);
    const [next] = await servers.createAccounts(1);
    await untilRemembered(next!);
    await revokeApiKey(db, next!.key.split('.')[0]!);
    await expectRefusedOnBoth(next!);
  });
});
