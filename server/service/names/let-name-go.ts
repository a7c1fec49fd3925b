import type { Transaction } from 'kysely';
import { RELEASE_NAME } from '../../../contract/owner/operator-accounts.ts';
import { letGoDisplayName } from '../../../db/queries/display-names.ts';
import type { Database } from '../../../db/schema.ts';
import { refuserOf } from '../refusal.ts';
import { sanitizeDisplayName } from './display-name.ts';

const refuse = refuserOf(RELEASE_NAME);

/** Frees a name that is held back for everybody; refuses while mail to it would go to its last owner. */
export async function letNameGo(
  trx: Transaction<Database>,
  typed: string,
): Promise<{ name: string; last_account_id: string | null }> {
  const name = sanitizeDisplayName(typed);
  const held = await letGoDisplayName(trx, name);
  if (!held) throw refuse('nameNotHeldBack', { name });
  if (!held.let_go) throw refuse('aliasLeft', { name });
  return { name, last_account_id: held.last_account_id };
}
