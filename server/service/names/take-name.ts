import type { Transaction } from 'kysely';
import { DISPLAY_NAME } from '../../../contract/account.ts';
import { takeDisplayName } from '../../../db/queries/display-names.ts';
import type { Database } from '../../../db/schema.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(DISPLAY_NAME);

/** Gives an account a display name; refuses a name that is not free. */
export async function takeName(
  trx: Transaction<Database>,
  taking: { accountId: string; name: string; quarantineDays: number },
): Promise<void> {
  if (!(await takeDisplayName(trx, taking)))
    throw refuse('displayNameTaken', { name: taking.name });
}
