import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { claimNameForAccount } from '#db/queries/display-names.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import { closeAccount, enqueueAccountDeletion } from '#server/features/accounts/delete-account.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { finishDeletions } from '../support/run-jobs.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useTwoServers } from './support/two-servers.ts';

const servers = useTwoServers();
let db: Database;
beforeAll(() => {
  ({ db } = servers.first.database);
});

async function deleteAccount({ id }: TestAccount): Promise<void> {
  await inTransaction(db, async (trx) => {
    await closeAccount(trx, servers.first.nameplate, id);
    await enqueueAccountDeletion(trx, servers.first.jobs, id);
  });
  await finishDeletions(servers.first.database);
}

it('pending writes finish before their account is deleted, without a deadlock', async () => {
  const [account] = (await servers.createAccounts(1)) as [TestAccount];
  const { deletion } = await db.transaction().execute(async (trx) => {
    await lockForwardingSettings(trx, account.id);
    const pendingDeletion = deleteAccount(account);
    await waitForBlockedQuery(db);
    // The deletion has not locked the account yet, so rows can still reference it.
    await sql`SELECT FROM accounts WHERE id = ${account.id} FOR KEY SHARE NOWAIT`.execute(trx);
    const claim = { accountId: account.id, name: 'last-word', quarantineDays: 30 };
    expect(await claimNameForAccount(trx, claim)).toBe(true);
    return { deletion: pendingDeletion };
  });
  await deletion;
  expect(await servers.first.sql`SELECT FROM accounts WHERE id = ${account.id}`).toEqual([]);
});
