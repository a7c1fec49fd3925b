import type { Transaction } from 'kysely';
import { refusal } from '../../../contract/refusal.ts';
import { lockAccount } from '../../../db/queries/accounts.ts';
import { countApiKeys } from '../../../db/queries/api-keys.ts';
import type { Database } from '../../../db/schema.ts';
import { refuserOf } from '../refusal.ts';
import { createApiKey, type NewApiKey } from './create-api-key.ts';

const refuse = refuserOf({
  keysFull: refusal(
    400,
    'The account has as many keys as the operator allows.',
    'The account has {most} keys, as many as it may have: revoke one, or raise KEYS_PER_ACCOUNT.',
    { most: 50 },
  ),
});

/** Makes another key for an account that has fewer than `most`; 0 is any number. */
export async function addApiKey(
  trx: Transaction<Database>,
  key: { accountId: string; label: string | null },
  most: number,
): Promise<NewApiKey> {
  // Others that are made at the same time are counted, too.
  await lockAccount(trx, key.accountId);
  if (most > 0 && (await countApiKeys(trx, key.accountId)) >= most)
    throw refuse('keysFull', { most });
  return createApiKey(trx, key);
}
