import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { claimDisplayName } from '#db/queries/display-names.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { deleteAccount } from '#server/features/accounts/delete-account.ts';
import { createDatabaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import type { TestAccount } from '../support/test-app.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { useTwoServers } from './support/two-servers.ts';

/** Responses to an invalid key: from the site endpoints, and from all others. */
const INVALID_KEY_RESPONSES = [
  'Unauthorized',
  'The API key is missing or not valid: a valid key in the X-API-KEY header (or a login) is required.',
].map((error) => ({ status: 401, body: { error } }));

const servers = useTwoServers();
let db: Database;
beforeAll(() => {
  ({ db } = servers.first.database);
});

function deleteTestAccount({ id }: TestAccount) {
  return deleteAccount(
    db,
    (_step, work) => inTransaction(db, work),
    { forwarding: createDatabaseForwarding('none', db), outbox: servers.first.outbox },
    id,
  );
}

/** Writes on both servers, mostly with idempotency keys, while `isRunning` returns true. */
async function keepWriting(account: TestAccount, clients: number, isRunning: () => boolean) {
  const projectId = await servers.first.createProject(account);
  /** One write of each kind. */
  const writes = [
    ['POST /email-forwarding/email-forwarding-toggle', { enabled: false }],
    ['POST /stats/ingest-metrics', { projectId, payload: {} }],
    ['POST /site/update-site-configuration', { bio: 'Potter', blocks: [] }],
    ['POST /account/update-display-name', { display_name: `name-${account.id.slice(0, 8)}` }],
    ['POST /site/toggle-site-visibility', undefined],
  ] as const;
  const responses: { status: number; body: unknown }[] = [];
  const write = async (client: number) => {
    for (let count = client; isRunning(); count += 1) {
      const [endpoint, json] = writes[count % writes.length]!;
      const headers: Record<string, string> =
        client % 4 === 3 ? {} : { 'idempotency-key': `${client}-${count}` };
      const server = servers.serverAt(client);
      const { status, body } = await send(server, account, endpoint, json, headers);
      responses.push({ status, body });
      // Refusals resolve without I/O, so let the other clients run.
      await nextTurn();
    }
  };
  const finished = Promise.all(Array.from({ length: clients }, (_, client) => write(client)));
  return { responses, finished };
}

it('an account is deleted while its clients keep writing, without affecting others', async () => {
  const [account, otherAccount] = (await servers.createAccounts(2)) as [TestAccount, TestAccount];
  let isRunning = true;
  const clients = await keepWriting(account, 16, () => isRunning);
  const otherClients = await keepWriting(otherAccount, 2, () => isRunning);
  try {
    await eventually(
      () => clients.responses.length,
      (count) => count > 200,
    );
    expect(await deleteTestAccount(account)).toMatchObject({ account_id: account.id });
  } finally {
    isRunning = false;
    await Promise.all([clients.finished, otherClients.finished]);
  }
  const refusals = clients.responses.filter(({ status }) => status !== 200);
  expect(refusals.length).toBeGreaterThan(0);
  // A name change that has passed authentication finds no profile.
  const profileNotFound = {
    status: 404,
    body: { error: 'The profile could not be found; the session may be stale.' },
  };
  for (const response of refusals)
    expect([...INVALID_KEY_RESPONSES, profileNotFound]).toContainEqual(response);
  expect(otherClients.responses.filter(({ status }) => status !== 200)).toEqual([]);
});

it('pending writes finish before their account is deleted, without a deadlock', async () => {
  const [account] = (await servers.createAccounts(1)) as [TestAccount];
  const { deletion } = await db.transaction().execute(async (trx) => {
    await lockForwardingSettings(trx, account.id);
    const pendingDeletion = deleteTestAccount(account);
    await waitForBlockedQuery(db);
    // The deletion has not locked the account yet, so rows can still reference it.
    await sql`SELECT FROM accounts WHERE id = ${account.id} FOR KEY SHARE NOWAIT`.execute(trx);
    const claim = { accountId: account.id, name: 'last-word', quarantineDays: 30 };
    expect(await claimDisplayName(trx, claim)).toBe(true);
    return { deletion: pendingDeletion };
  });
  expect(await deletion).toEqual({ account_id: account.id, display_name: 'last-word' });
});
