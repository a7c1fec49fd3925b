import {
  consumeInvitation,
  findInvitedName,
  setInvitationAccount,
} from '#db/queries/invitations.ts';
import { REGISTRATION_REFUSALS, SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { setLoginEmail, consumeSignUp } from '#db/queries/sign-ups.ts';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertNamedAccount } from '../accounts/create-account.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { type NewSession, type LoginContext, startSession } from '../sessions/start-session.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { withNameUnavailableError } from './check-name.ts';

const refuse = createRefuser({ ...SIGN_UP_REFUSALS, ...REGISTRATION_REFUSALS });

/**
 * Unless sign-up is open, the link needs a valid invitation. A refused request uses up neither the
 * link nor the invitation.
 */
export async function createAccountFromLink(
  db: Database,
  app: NameServices,
  { token, displayName, isOpen }: { token: string; displayName: string; isOpen: boolean },
  client: LoginContext,
): Promise<NewSession> {
  if (!isToken(token)) throw refuse('registrationInvalid');
  return withNameUnavailableError(displayName, () =>
    inTransaction(db, async (trx) => {
      const { email, invitation_hash = null } = (await consumeSignUp(trx, hashToken(token))) ?? {};
      if (email === undefined) throw refuse('registrationInvalid');
      const invitation =
        invitation_hash === null ? undefined : await consumeInvitation(trx, invitation_hash);
      if (!isOpen && invitation_hash === null) throw refuse('registrationClosed');
      if (!isOpen && !invitation) throw refuse('registrationInvalid');
      const { account_id } = await insertNamedAccount(trx, app, displayName, {
        language: client.language,
        title: invitation?.name ?? (await findInvitedName(trx, email)),
      });
      await setLoginEmail(trx, account_id, email);
      if (invitation) await setInvitationAccount(trx, invitation.id, account_id);
      const newSession = await startSession(trx, { accountId: account_id, via: 'link' }, client);
      if (!newSession) throw refuse('registrationInvalid');
      return newSession;
    }),
  );
}
