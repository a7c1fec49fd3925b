import type { Kysely } from 'kysely';
import { revokeApiKey } from '../../../db/queries/api-keys.ts';
import { deleteLoginLinks } from '../../../db/queries/sessions/login-links.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { logEvent } from '../events/log-event.ts';

/**
 * Revokes a key for good, ends the login links of its account, and returns since when it is revoked: one
 * that is revoked already stays so since then. Undefined if there is none, or it is not the account's for which it is revoked.
 */
export function revokeKey(
  db: Kysely<Database>,
  { keyId, accountId, by }: { keyId: string; accountId?: string; by: string },
  eventLimit: number,
): Promise<Date | undefined> {
  return inTransaction(db, async (trx) => {
    const key = await revokeApiKey(trx, keyId, accountId);
    if (!key?.is_new) return key?.revoked_at;
    await deleteLoginLinks(trx, key.account_id);
    const detail = { key_id: keyId, label: key.label, by };
    await logEvent(trx, { accountId: key.account_id, type: 'key_revoked', detail }, eventLimit);
    return key.revoked_at;
  });
}
