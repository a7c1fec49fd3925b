import type { Kysely } from 'kysely';
import { revokeApiKey } from '../../../db/queries/api-keys.ts';
import type { Database } from '../../../db/schema.ts';
import { RequestError } from '../request-error.ts';

/** Revokes a key for good, or throws 404; one that is revoked already stays so since then. */
export async function revokeKey(
  db: Kysely<Database>,
  keyId: string,
): Promise<{ key_id: string; revoked_at: Date }> {
  const revokedAt = await revokeApiKey(db, keyId);
  if (!revokedAt) throw new RequestError(404, `There is no key ${keyId}.`);
  return { key_id: keyId, revoked_at: revokedAt };
}
