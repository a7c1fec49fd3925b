import type { Transaction } from 'kysely';
import { findDisplayName, lockProfile, releaseDisplayName } from '../../../db/queries/account.ts';
import {
  type AccountRow,
  deleteAccount,
  insertAccount,
  listAccounts,
} from '../../../db/queries/accounts.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../http/adapter.ts';
import { parseFreeDisplayName, takeDisplayName } from '../../service/names/claim-display-name.ts';
import { createApiKey } from '../../service/keys/create-api-key.ts';
import type { Forwarding } from '../../service/forwarding/service.ts';
import type { AdminContext } from '../context.ts';
import type { adminContract } from '../contract/index.ts';
import { findAccountOrRefuse } from './find-account.ts';

export const accountsRoutes: Handlers<typeof adminContract.accounts, AdminContext> = {
  createAccount: async ({ body, db, forwarding, isReserved, quarantineDays }) => {
    const name =
      body.display_name === undefined ? null : parseFreeDisplayName(body.display_name, isReserved);
    const account = await inTransaction(db, async (trx) => {
      const accountId = await insertAccount(trx);
      if (name !== null) {
        await takeDisplayName(trx, { accountId, name, quarantineDays });
        await forwarding.queue(trx, name);
      }
      const { api_key } = await createApiKey(trx, { accountId, label: 'first key' });
      return { account_id: accountId, display_name: name, api_key };
    });
    return { status: 200, body: account };
  },

  listAccounts: async ({ db }) => ({
    status: 200,
    body: (await listAccounts(db)).map(toAccount),
  }),

  findAccount: async ({ query, db }) => ({
    status: 200,
    body: toAccount(await inTransaction(db, (trx) => findAccountOrRefuse(trx, query.account))),
  }),

  deleteAccount: async ({ body, db, forwarding, forgetKeys }) => {
    const deleted = await inTransaction(db, async (trx) => {
      const { account_id } = await findAccountOrRefuse(trx, body.account);
      return { account_id, display_name: await deleteWithName(trx, account_id, forwarding) };
    });
    forgetKeys();
    return { status: 200, body: deleted };
  },
};

/** A name that had mail stays out of reach of others, and its alias is removed. */
async function deleteWithName(
  trx: Transaction<Database>,
  accountId: string,
  forwarding: Forwarding,
): Promise<string | null> {
  // The profile first, as every change of the name does: else the two could lock each other out.
  await lockProfile(trx, accountId);
  const name = await findDisplayName(trx, accountId);
  if (name !== undefined) {
    await releaseDisplayName(trx, accountId, name);
    await forwarding.queue(trx, name);
  }
  await deleteAccount(trx, accountId);
  return name ?? null;
}

function toAccount({ created_at, ...account }: AccountRow) {
  return { ...account, created_at: created_at.toISOString() };
}
