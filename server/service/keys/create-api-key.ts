import type { Kysely } from 'kysely';
import { type ApiKeyRow, insertApiKey, type KeyPurpose } from '../../../db/queries/api-keys.ts';
import type { Database } from '../../../db/schema.ts';
import { generateApiKey, hashSecret } from './api-key.ts';

/** A key that was just made. Only here is it whole: a hash of its secret is all that is stored. */
export interface NewApiKey extends ApiKeyRow {
  api_key: string;
}

/** Makes a key for an account. */
export async function createApiKey(
  db: Kysely<Database>,
  { accountId, ...purpose }: KeyPurpose & { accountId: string },
): Promise<NewApiKey> {
  const { id, secret } = generateApiKey();
  const key = await insertApiKey(db, {
    id,
    accountId,
    secretHash: hashSecret(secret),
    ...purpose,
  });
  return { ...key, api_key: `${id}.${secret}` };
}
