import {
  type registration,
  REGISTRATION_REFUSALS,
  SIGN_UP_REFUSALS,
} from '#contract/owner/registration.ts';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { consumeInvitation, consumeInvitationByEmail } from '#db/queries/invitations.ts';
import { consumeSignUp } from '#db/queries/sign-ups.ts';
import type { Core } from '#server/core.ts';
import type { LoginContext } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { hashToken, isToken, tokenOf } from '#server/platform/secrets/token.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { withNameUnavailableError } from '../names/check-name.ts';
import { sanitizeDisplayName } from '../names/display-name.ts';
import { createLoginResponse } from '../sessions/session-response.ts';
import { type NewSession, startSession } from '../sessions/start-session.ts';
import { createConfirmedAccount } from './create-confirmed-account.ts';
import type { SignUpService } from './sign-up-service.ts';

export type SignUpServices = Core & NameServices & { signUp: SignUpService };

export function signUpRoutes(app: SignUpServices): Handlers<typeof registration> {
  const { sessionCookie, signUp } = app;
  return {
    checkRegistration: async ({
      request,
      body: { display_name: input, invitation_url, registration_url },
    }) => {
      const { name, isAvailable, suggestions } = await signUp.checkRegistration(request, {
        input,
        invitation: invitation_url && tokenOf(invitation_url),
        registration: registration_url && tokenOf(registration_url),
      });
      return { display_name: name, available: isAvailable, suggestions };
    },

    createRegistration: async ({
      request,
      body: { display_name: input, invitation_url, ...applicant },
    }) => {
      await signUp.createRegistration(request, {
        ...applicant,
        input,
        invitation: invitation_url && tokenOf(invitation_url),
      });
    },

    createAccount: async ({ db, loginClient, body, refuse }) => {
      if (signUp.isClosed) throw refuse('registrationClosed');
      const { registration_url: url, display_name: displayName } = body;
      const link = { token: tokenOf(url), displayName, isOpen: signUp.isOpen };
      const newSession = await createAccountFromLink(db, app, link, loginClient);
      return createLoginResponse(newSession, sessionCookie);
    },
  };
}

const refuse = createRefuser({ ...SIGN_UP_REFUSALS, ...REGISTRATION_REFUSALS });

/**
 * Unless sign-up is open, the link needs a valid invitation. A refused request uses up neither the
 * link nor the invitation.
 */
async function createAccountFromLink(
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
      const used =
        invitation_hash === null ? undefined : await consumeInvitation(trx, invitation_hash);
      if (!isOpen && invitation_hash === null) throw refuse('registrationClosed');
      if (!isOpen && !used) throw refuse('registrationInvalid');
      // Links without an address are not for one person, who may have an invitation of her own.
      const invitation = used?.email
        ? used
        : await consumeInvitationByEmail(trx, email, sanitizeDisplayName(displayName));
      const applicant = { displayName, email, language: client.language };
      const accountId = await createConfirmedAccount(trx, app, applicant, [used, invitation]);
      const newSession = await startSession(trx, { accountId, via: 'link' }, client);
      if (!newSession) throw refuse('registrationInvalid');
      const forward_to = invitation?.forward_to ?? null;
      if (forward_to !== null)
        await app.react(trx, 'addressConfirmed', {
          session: newSession.session,
          email,
          forward_to,
        });
      return newSession;
    }),
  );
}
