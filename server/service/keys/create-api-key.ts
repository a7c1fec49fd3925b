import type { Kysely } from 'kysely';
import { insertApiKey } from '../../../db/queries/api-keys.ts';
import type { Database } from '../../../db/schema.ts';
import { generateApiKey, hashSecret } from './api-key.ts';

/** A key that was just made. Only here is it whole: a hash of its secret is all that is stored. */
export interface NewApiKey {
  key_id: string;
  api_key: string;
}

/** Makes a key for an account. */
export async function createApiKey(
  db: Kysely<Database>,
  { accountId, label }: { accountId: string; label: string | null },
): Promise<NewApiKey> {
  const { id, secret } = generateApiKey();
  await insertApiKey(db, { id, accountId, secretHash: hashSecret(secret), label });
  return { key_id: id, api_key: `${id}.${secret}` };
}
