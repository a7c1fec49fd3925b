import type { Kysely } from 'kysely';
import { setLoginAddress, takeRegistration } from '../../../db/queries/sessions/registrations.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { insertNamedAccount } from '../accounts/create-account.ts';
import type { Naming } from '../names/change-display-name.ts';
import { type NewSession, type Visitor, begin } from '../sessions/begin-session.ts';
import { hashToken, isToken } from '../token.ts';
import { claimingName } from './check-name.ts';

/**
 * Creates the account that a mailed link is for, and begins its first session; undefined if the link is
 * none any more. A name that is not available is refused, and does not use the link up.
 */
export async function createRegisteredAccount(
  db: Kysely<Database>,
  naming: Naming,
  { token, displayName }: { token: string; displayName: string },
  visitor: Visitor,
): Promise<NewSession | undefined> {
  if (!isToken(token)) return undefined;
  return claimingName(displayName, () =>
    inTransaction(db, async (trx) => {
      const email = await takeRegistration(trx, hashToken(token));
      if (email === undefined) return undefined;
      const { account_id } = await insertNamedAccount(trx, naming, displayName);
      await setLoginAddress(trx, account_id, email);
      return begin(trx, { accountId: account_id, via: 'link' }, visitor);
    }),
  );
}
