import type { Kysely } from 'kysely';
import { takeInvitation } from '#db/queries/sessions/invitations.ts';
import { REGISTRATION_REFUSALS, SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { setLoginEmail, consumeSignUp } from '#db/queries/sessions/sign-ups.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertNamedAccount } from '../accounts/create-account.ts';
import type { Naming } from '../names/change-display-name.ts';
import { type NewSession, type Visitor, begin } from '../sessions/begin-session.ts';
import { hashToken, isToken } from '#server/token.ts';
import { refuserOf } from '#server/refusal.ts';
import { claimingName } from './check-name.ts';

const refuse = refuserOf({ ...SIGN_UP_REFUSALS, ...REGISTRATION_REFUSALS });

/**
 * Creates the account for a mailed link, and begins its first session. Refuses a link that is no longer
 * valid, and one whose invitation is no longer valid if registration is not open. A refusal uses up neither.
 */
export async function createRegisteredAccount(
  db: Kysely<Database>,
  naming: Naming,
  { token, displayName, isOpen }: { token: string; displayName: string; isOpen: boolean },
  visitor: Visitor,
): Promise<NewSession> {
  if (!isToken(token)) throw refuse('registrationInvalid');
  return claimingName(displayName, () =>
    inTransaction(db, async (trx) => {
      const { email, invitation_hash = null } = (await consumeSignUp(trx, hashToken(token))) ?? {};
      if (email === undefined) throw refuse('registrationInvalid');
      const isInvited = invitation_hash !== null && (await takeInvitation(trx, invitation_hash));
      if (!isOpen && invitation_hash === null) throw refuse('registrationClosed');
      if (!isOpen && !isInvited) throw refuse('registrationInvalid');
      const { account_id } = await insertNamedAccount(trx, naming, displayName);
      await setLoginEmail(trx, account_id, email);
      const begun = await begin(trx, { accountId: account_id, via: 'link' }, visitor);
      if (!begun) throw refuse('registrationInvalid');
      return begun;
    }),
  );
}
