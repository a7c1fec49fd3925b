import type { Kysely } from 'kysely';
import { findDisplayName, releaseDisplayName } from '../../../db/queries/display-names.ts';
import { lockProfile } from '../../../db/queries/profiles.ts';
import { deleteAccount as deleteRow } from '../../../db/queries/accounts.ts';
import type { Database } from '../../../db/schema.ts';
import type { Forwarding } from '../forwarding/service.ts';
import { withAccount } from './with-account.ts';

/**
 * Deletes an account with all that it has. A name that had mail stays out of reach of others, and
 * its alias is removed.
 */
export function deleteAccount(
  db: Kysely<Database>,
  forwarding: Forwarding,
  nameOrId: string,
): Promise<{ account_id: string; display_name: string | null }> {
  return withAccount(db, nameOrId, async (trx, { account_id }) => {
    // The profile first, as every change of the name does: else the two could lock each other out.
    await lockProfile(trx, account_id);
    const name = await findDisplayName(trx, account_id);
    if (name !== undefined) {
      await releaseDisplayName(trx, account_id, name);
      await forwarding.queue(trx, name);
    }
    await deleteRow(trx, account_id);
    return { account_id, display_name: name ?? null };
  });
}
