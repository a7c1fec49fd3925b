import type { Transaction } from 'kysely';
import { DISPLAY_NAME } from '../../../contract/account.ts';
import { claimDisplayName } from '../../../db/queries/display-names.ts';
import type { Database } from '../../../db/schema.ts';
import { refuserOf } from '../refusal.ts';
import { parseDisplayName } from './display-name.ts';

const refuse = refuserOf(DISPLAY_NAME);

/** Turns what was sent into a display name that is not reserved, or throws 400 or 409. */
export function parseFreeDisplayName(input: string, isReserved: (name: string) => boolean): string {
  const name = parseDisplayName(input, isReserved);
  if (isReserved(name)) throw refuse('displayNameReserved', { name });
  return name;
}

/** Gives a name to an account, or throws 409 if another has it or it is held back from others. */
export async function takeDisplayName(
  trx: Transaction<Database>,
  claim: { accountId: string; name: string; quarantineDays: number },
): Promise<void> {
  if (!(await claimDisplayName(trx, claim))) throw refuse('displayNameTaken', { name: claim.name });
}
