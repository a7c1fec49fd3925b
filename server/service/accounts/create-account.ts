import type { Kysely, Transaction } from 'kysely';
import { DISPLAY_NAME } from '../../../contract/account.ts';
import { insertAccount } from '../../../db/queries/accounts.ts';
import { takeDisplayName } from '../../../db/queries/display-names.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createApiKey } from '../keys/create-api-key.ts';
import type { Naming } from '../names/change-display-name.ts';
import { parseDisplayName } from '../names/display-name.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(DISPLAY_NAME);

/** An account that was just made. Only here is its key whole. */
export interface NewAccount {
  account_id: string;
  display_name: string | null;
  api_key: string;
}

/** Makes an account with its first key, and with a display name unless that is null. */
export async function createAccount(
  db: Kysely<Database>,
  { forwarding, isReserved, quarantineDays }: Naming,
  displayName: string | null,
): Promise<NewAccount> {
  const name = displayName === null ? null : parseDisplayName(displayName, isReserved);
  return inTransaction(db, async (trx) => {
    const { account_id, api_key } = await insertAccountWithKey(trx);
    if (name !== null) {
      if (!(await takeDisplayName(trx, { accountId: account_id, name, quarantineDays })))
        throw refuse('displayNameTaken', { name });
      await forwarding.queue(trx, name);
    }
    return { account_id, display_name: name, api_key };
  });
}

/** Makes an account with its first key and nothing else. */
export async function insertAccountWithKey(
  trx: Transaction<Database>,
): Promise<Omit<NewAccount, 'display_name'>> {
  const accountId = await insertAccount(trx);
  const { api_key } = await createApiKey(trx, { accountId, label: 'first key' });
  return { account_id: accountId, api_key };
}
