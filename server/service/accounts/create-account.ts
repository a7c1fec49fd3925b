import type { Kysely } from 'kysely';
import { insertAccount } from '../../../db/queries/accounts.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createApiKey } from '../keys/create-api-key.ts';
import type { Naming } from '../names/change-display-name.ts';
import { parseFreeDisplayName, takeDisplayName } from '../names/claim-display-name.ts';

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
  const name = displayName === null ? null : parseFreeDisplayName(displayName, isReserved);
  return inTransaction(db, async (trx) => {
    const accountId = await insertAccount(trx);
    if (name !== null) {
      await takeDisplayName(trx, { accountId, name, quarantineDays });
      await forwarding.queue(trx, name);
    }
    const { api_key } = await createApiKey(trx, { accountId, label: 'first key' });
    return { account_id: accountId, display_name: name, api_key };
  });
}
