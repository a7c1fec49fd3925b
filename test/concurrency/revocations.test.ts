import { beforeAll, expect, it } from 'vitest';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { deleteAccount } from '#db/queries/accounts.ts';
import { revokeApiKey } from '#db/queries/api-keys.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import { call, type TestResponse, send } from '../support/call.ts';
import { authenticatedEndpoints } from '../support/endpoints.ts';
import { cookieHeader, createSession } from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';
import type { TestAccount, TestApp } from '../support/test-app.ts';
import { useTwoServers } from './support/two-servers.ts';

const UNAUTHORIZED = { status: 401, body: { error: 'Unauthorized' } };
const SUSPENDED = {
  status: 403,
  body: { error: 'This account is suspended. Ask the operator of the service.' },
};

const servers = useTwoServers();
let apps: TestApp[];
beforeAll(() => {
  apps = [servers.first, servers.second];
});

function callBothWithKey(account: TestAccount): Promise<TestResponse[]> {
  return Promise.all(apps.map((server) => send(server, account, 'GET /site/get-site-status')));
}

async function expectAcceptedOnBoth(account: TestAccount): Promise<void> {
  for (const { status } of await callBothWithKey(account)) expect(status).toBe(200);
}

async function expectRefusedOnBoth(account: TestAccount, expected = UNAUTHORIZED): Promise<void> {
  for (const response of await callBothWithKey(account)) expect(response).toMatchObject(expected);
}

it.each<[whose: string, end: (db: Database, account: TestAccount) => Promise<unknown>]>([
  ['a revoked key', (db, { key }) => revokeApiKey(db, key.split('.')[0]!)],
  ["a deleted account's key", (db, { id }) => inTransaction(db, (trx) => deleteAccount(trx, id))],
])('all servers at once refuse %s and still accept the others', async (_whose, end) => {
  const [ended, otherAccount] = await servers.createAccounts(2);
  await expectAcceptedOnBoth(ended!);
  await end(servers.first.db, ended!);
  await expectRefusedOnBoth(ended!);
  await expectAcceptedOnBoth(otherAccount!);
});

it("all servers at once refuse a suspended account's keys at every endpoint until it is resumed", async () => {
  const [account] = await servers.createAccounts(1);
  await expectAcceptedOnBoth(account!);
  const { suspended_at } = await setSuspended(servers.first, account!.id, true);
  await expectRefusedOnBoth(account!, SUSPENDED);
  for (const server of apps)
    for (const { method, path } of authenticatedEndpoints) {
      const request = { method, path, key: account!.key, payload: 'not read' };
      expect(await call(server.app, request)).toMatchObject(SUSPENDED);
    }
  // Suspending again does not change the time.
  expect(await setSuspended(servers.first, account!.id, true)).toMatchObject({ suspended_at });
  expect(await setSuspended(servers.first, account!.id, false)).toMatchObject({
    suspended_at: null,
  });
  await expectAcceptedOnBoth(account!);
});

it.each<[how: string, end: (db: Database, account: TestAccount) => Promise<unknown>]>([
  ['that was ended', (db, { id }) => deleteSessions(db, id)],
  ['whose key is revoked', (db, { key }) => revokeApiKey(db, key.split('.')[0]!)],
  ['whose account is suspended', (_db, { id }) => setSuspended(servers.first, id)],
  ['whose account is deleted', (db, { id }) => inTransaction(db, (trx) => deleteAccount(trx, id))],
])('all servers at once refuse a session %s', async (_how, revokeCurrentSession) => {
  const [account] = await servers.createAccounts(1);
  const { db } = servers.first;
  const session = await createSession(servers.first, { api_key: account!.key });
  const headers = { cookie: cookieHeader(session.headers) };
  const callBothWithSession = () =>
    Promise.all(apps.map(({ app }) => call(app, { path: '/site/get-site-status', headers })));
  for (const { status } of await callBothWithSession()) expect(status).toBe(200);
  await revokeCurrentSession(db, account!);
  for (const response of await callBothWithSession()) expect(response).toMatchObject(UNAUTHORIZED);
});
