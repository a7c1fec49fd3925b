import type { Transaction } from 'kysely';
import { KEY_ALLOWANCE } from '../../../contract/owner/keys.ts';
import { lockAccount } from '../../../db/queries/accounts.ts';
import { countApiKeys, type KeyPurpose } from '../../../db/queries/api-keys.ts';
import { isOperator } from '../../../db/queries/operators.ts';
import type { Database } from '../../../db/schema.ts';
import type { Allowances } from '../allowances/allowances.ts';
import { logEvent } from '../events/log-event.ts';
import { refuserOf } from '../refusal.ts';
import { createApiKey, type NewApiKey } from './create-api-key.ts';

const refuse = refuserOf(KEY_ALLOWANCE);

/** Makes another key for an account that may have one more; 0 keys are any number. */
export async function addApiKey(
  trx: Transaction<Database>,
  { by, ...key }: KeyPurpose & { accountId: string; by: string },
  allowances: Pick<Allowances, 'keys' | 'events'>,
): Promise<NewApiKey> {
  const { accountId, label } = key;
  const limit = allowances.keys;
  // Others that are made at the same time are counted, too.
  await lockAccount(trx, accountId);
  if (limit > 0 && (await countApiKeys(trx, accountId)) >= limit)
    throw refuse('keyLimitReached', { limit });
  if (key.scope === 'operator' && !(await isOperator(trx, accountId)))
    throw refuse('operatorScopeForbidden');
  const made = await createApiKey(trx, key);
  const { key_id, scope } = made;
  const detail = { key_id, label, scope, by };
  await logEvent(trx, { accountId, type: 'key_created', detail }, allowances.events);
  return made;
}
