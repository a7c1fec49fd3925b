import type { Kysely } from 'kysely';
import { refusal } from '../../../contract/refusal.ts';
import { revokeApiKey } from '../../../db/queries/api-keys.ts';
import type { Database } from '../../../db/schema.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf({
  keyUnknown: refusal(404, 'No key has the id.', 'There is no key {key}.', { key: 'np_abc' }),
});

/** Revokes a key for good, or refuses if there is none; one that is revoked already stays so since then. */
export async function revokeKey(
  db: Kysely<Database>,
  keyId: string,
): Promise<{ key_id: string; revoked_at: Date }> {
  const revokedAt = await revokeApiKey(db, keyId);
  if (!revokedAt) throw refuse('keyUnknown', { key: keyId });
  return { key_id: keyId, revoked_at: revokedAt };
}
