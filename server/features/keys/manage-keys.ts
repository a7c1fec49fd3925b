import { CREATE_KEY_REFUSALS } from '#contract/owner/keys.ts';
import type { Executor, Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  type ApiKeyRow,
  countApiKeys,
  insertApiKey,
  type KeyAttributes,
  revokeApiKey,
} from '#db/queries/api-keys.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { isOperator } from '#db/queries/operators.ts';
import type { Allowances } from '#server/platform/limits/allowances/allowances.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { type EventApp, logEvent } from '../events/log-event.ts';
import { generateApiKey, hashSecret } from './api-key.ts';

const refuse = createRefuser(CREATE_KEY_REFUSALS);

export interface NewApiKey extends ApiKeyRow {
  api_key: string;
}

export async function createApiKey(
  db: Executor,
  { accountId, ...attributes }: KeyAttributes & { accountId: string },
): Promise<NewApiKey> {
  const { id, secret } = generateApiKey();
  const key = await insertApiKey(db, {
    id,
    accountId,
    secretHash: hashSecret(secret),
    ...attributes,
  });
  return { ...key, api_key: `${id}.${secret}` };
}

export async function addApiKey(
  trx: Transaction,
  { by, ...key }: KeyAttributes & { accountId: string; by: string },
  app: EventApp & { allowances: Pick<Allowances, 'keyLimit'> },
): Promise<NewApiKey> {
  const { accountId, label } = key;
  const limit = app.allowances.keyLimit;
  // Serializes concurrent requests, so that together they cannot exceed the limit.
  await lockAccount(trx, accountId);
  if (limit > 0 && (await countApiKeys(trx, accountId)) >= limit)
    throw refuse('keyLimitReached', { limit });
  if (key.scope === 'operator' && !(await isOperator(trx, accountId)))
    throw refuse('operatorScopeForbidden');
  const created = await createApiKey(trx, key);
  const { key_id, scope, project_id } = created;
  const detail = { key_id, label, scope, ...(project_id && { project_id }), by };
  await logEvent(trx, app, { accountId, type: 'key_created', detail });
  return created;
}

/**
 * If the key was not revoked before, also deletes the login links of the account. Resolves to the time
 * when the key was first revoked, or to undefined if the key does not exist or belongs to another
 * account.
 */
export async function revokeKey(
  trx: Transaction,
  { keyId, accountId, by }: { keyId: string; accountId: string; by: string },
  app: EventApp,
): Promise<Date | undefined> {
  const key = await revokeApiKey(trx, keyId, accountId);
  if (!key?.newly_revoked) return key?.revoked_at;
  await deleteLoginLinks(trx, key.account_id);
  const detail = { key_id: keyId, label: key.label, by };
  await logEvent(trx, app, { accountId: key.account_id, type: 'key_revoked', detail });
  return key.revoked_at;
}
