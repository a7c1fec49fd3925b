import type { Transaction } from 'kysely';
import { KEY_ALLOWANCE } from '../../../contract/owner/keys.ts';
import { lockAccount } from '../../../db/queries/accounts.ts';
import { countApiKeys, type KeyPurpose } from '../../../db/queries/api-keys.ts';
import type { Database } from '../../../db/schema.ts';
import { refuserOf } from '../refusal.ts';
import { createApiKey, type NewApiKey } from './create-api-key.ts';

const refuse = refuserOf(KEY_ALLOWANCE);

/** Makes another key for an account that has fewer than `most`; 0 is any number. */
export async function addApiKey(
  trx: Transaction<Database>,
  key: KeyPurpose & { accountId: string },
  most: number,
): Promise<NewApiKey> {
  // Others that are made at the same time are counted, too.
  await lockAccount(trx, key.accountId);
  if (most > 0 && (await countApiKeys(trx, key.accountId)) >= most)
    throw refuse('keysFull', { most });
  return createApiKey(trx, key);
}
