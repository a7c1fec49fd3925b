import type { registration } from '#contract/owner/registration.ts';
import type { App } from '#server/app.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createAccountFromLink } from './create-account-from-link.ts';
import { createLoginResponse } from '../sessions/session-response.ts';
import type { invitations } from '#contract/owner/invitations.ts';
import { acceptInvitation } from '../invitations/invitation.ts';
import { findInvitationState, findOpenInvitation } from '#db/queries/invitations.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';

export function signUpRoutes(app: App): Handlers<typeof registration> {
  const { cookie, signUps } = app;
  return {
    checkName: async ({ request, body: { display_name: input, invitation, registration } }) => {
      const { name, isAvailable, suggestions } = await signUps.checkName(request, {
        input,
        invitation,
        registration,
      });
      return { status: 200, body: { display_name: name, available: isAvailable, suggestions } };
    },

    requestAccount: async ({ request, body: { display_name: input, email, invitation } }) => {
      await signUps.requestAccount(request, { input, email, invitation });
      return { status: 200, body: { success: true } };
    },

    createAccount: async ({ db, loginClient, body, refuse }) => {
      if (signUps.isClosed) throw refuse('registrationClosed');
      const { registration: token, display_name: displayName } = body;
      const signUp = { token, displayName, isOpen: signUps.isOpen };
      return createLoginResponse(await createAccountFromLink(db, app, signUp, loginClient), cookie);
    },
  };
}

export function invitationsRoutes(app: App): Handlers<typeof invitations> {
  const { cookie, readDb, signUps } = app;
  return {
    lookUpInvitation: async ({ body: { invitation: token }, refuse }) => {
      if (signUps.isClosed) throw refuse('registrationClosed');
      if (!isToken(token)) throw refuse('invitationInvalid');
      const tokenHash = hashToken(token);
      const invitation = await findOpenInvitation(readDb, tokenHash);
      if (!invitation) {
        const state = await findInvitationState(readDb, tokenHash);
        if (state === 'expired') throw refuse('invitationExpired');
        throw refuse(state === 'accepted' ? 'invitationUsed' : 'invitationInvalid');
      }
      const { is_mailed: mailed, ...fields } = invitation;
      return { status: 200, body: { ...fields, mailed } };
    },

    acceptInvitation: async ({ db, loginClient, body, refuse }) => {
      if (signUps.isClosed) throw refuse('registrationClosed');
      const { invitation: token, display_name: displayName = null } = body;
      const newSession = await acceptInvitation(db, app, { token, displayName }, loginClient);
      return createLoginResponse(newSession, cookie);
    },
  };
}
