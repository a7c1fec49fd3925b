import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimDisplayName } from '#db/queries/display-names.ts';
import { lockForwardingSettings } from '#db/queries/forwarding/forwarding-settings.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { deleteAccount } from '#server/features/accounts/delete-account.ts';
import { databaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import type { TestAccount } from '../support/test-app.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { startTwoServers, type TwoServers } from './support/two-servers.ts';

/** Errors for an invalid key: of the site endpoints, and of all others. */
const REFUSED = [
  'Unauthorized',
  'The API key is missing or not valid: a valid key in the X-API-KEY header (or a login) is required.',
].map((error) => ({ status: 401, body: { error } }));

let servers: TwoServers;
let db: Kysely<Database>;
beforeAll(async () => {
  servers = await startTwoServers();
  ({ db } = servers.first.database);
});
afterAll(() => servers.close());

function deleteIt({ id }: TestAccount) {
  return deleteAccount(
    db,
    (_step, work) => inTransaction(db, work),
    { forwarding: databaseForwarding('none', db), outbox: servers.first.outbox },
    id,
  );
}

/** One write of each kind. */
async function writesOf(account: TestAccount) {
  const projectId = await servers.first.createProject(account);
  return [
    ['POST /email-forwarding/email-forwarding-toggle', { enabled: false }],
    ['POST /stats/ingest-metrics', { projectId, payload: {} }],
    ['POST /site/update-site-configuration', { bio: 'Potter', blocks: [] }],
    ['POST /account/update-display-name', { display_name: `name-${account.id.slice(0, 8)}` }],
    ['POST /site/toggle-site-visibility', undefined],
  ] as const;
}

/** Writes on both servers, half of it with idempotency keys, while `going` is true. */
async function keepWriting(account: TestAccount, clients: number, going: () => boolean) {
  const writes = await writesOf(account);
  const answers: { status: number; body: unknown }[] = [];
  const write = async (client: number) => {
    for (let count = client; going(); count += 1) {
      const [endpoint, body] = writes[count % writes.length]!;
      const headers: Record<string, string> =
        client % 4 === 3 ? {} : { 'idempotency-key': `${client}-${count}` };
      const server = servers.either(client);
      const { status, body: answer } = await send(server, account, endpoint, body, headers);
      answers.push({ status, body: answer });
      // Refusals are immediate here, so yield to the other clients.
      await nextTurn();
    }
  };
  const done = Promise.all(Array.from({ length: clients }, (_, client) => write(client)));
  return { answers, done };
}

it('an account is deleted while its clients keep writing, without affecting others', async () => {
  const [account, other] = (await servers.createAccounts(2)) as [TestAccount, TestAccount];
  let going = true;
  const writing = await keepWriting(account, 16, () => going);
  const others = await keepWriting(other, 2, () => going);
  try {
    await eventually(
      () => writing.answers.length,
      (count) => count > 200,
    );
    expect(await deleteIt(account)).toMatchObject({ account_id: account.id });
  } finally {
    going = false;
    await Promise.all([writing.done, others.done]);
  }
  const refused = writing.answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expect(REFUSED).toContainEqual(answer);
  expect(others.answers.filter(({ status }) => status !== 200)).toEqual([]);
});

it('pending writes finish before their account is deleted, without a deadlock', async () => {
  const [account] = (await servers.createAccounts(1)) as [TestAccount];
  const { deletion } = await db.transaction().execute(async (trx) => {
    await lockForwardingSettings(trx, account.id);
    const begun = deleteIt(account);
    await waitForBlockedQuery(db);
    // A separate transaction, so that rows can still reference the account.
    await sql`SELECT FROM accounts WHERE id = ${account.id} FOR KEY SHARE NOWAIT`.execute(trx);
    const taking = { accountId: account.id, name: 'last-word', quarantineDays: 30 };
    expect(await claimDisplayName(trx, taking)).toBe(true);
    return { deletion: begun };
  });
  expect(await deletion).toEqual({ account_id: account.id, display_name: 'last-word' });
});
