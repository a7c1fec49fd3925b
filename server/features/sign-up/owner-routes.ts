import type { registration } from '#contract/owner/registration.ts';
import type { Handlers } from '#server/http/contract/adapter.ts';
import type { SessionCookie } from '#server/http/access/session-cookie.ts';
import type { SignUps } from './sign-up-limits.ts';
import type { Naming } from '../names/change-display-name.ts';
import { createRegisteredAccount } from './create-registered-account.ts';
import type { VisitorContext } from '#server/http/access/run-unauthenticated.ts';
import { begunSession } from '../sessions/session-fields.ts';
import type { invitations } from '#contract/owner/invitations.ts';
import { acceptInvitation } from '../accounts/invitation.ts';

export function registrationRoutes(
  naming: Naming,
  cookie: SessionCookie,
  signUps: SignUps,
): Handlers<typeof registration, VisitorContext> {
  return {
    checkName: async ({ request, body: { display_name: input, invitation } }) => {
      const { name, isAvailable, suggestions } = await signUps.checkName(request, {
        input,
        invitation,
      });
      return { status: 200, body: { display_name: name, available: isAvailable, suggestions } };
    },

    requestAccount: async ({ request, body: { display_name: input, email, invitation } }) => {
      await signUps.requestAccount(request, { input, email, invitation });
      return { status: 200, body: { success: true } };
    },

    createAccount: async ({ db, visitor, body, refuse }) => {
      if (signUps.areClosed) throw refuse('registrationClosed');
      const { registration: token, display_name: displayName } = body;
      const link = { token, displayName, isOpen: signUps.areOpen };
      return begunSession(await createRegisteredAccount(db, naming, link, visitor), cookie);
    },
  };
}

export function invitationsRoutes(
  naming: Naming,
  cookie: SessionCookie,
  { isOpen, needsEmail }: { isOpen: boolean; needsEmail: boolean },
): Handlers<typeof invitations, VisitorContext> {
  return {
    acceptInvitation: async ({ db, visitor, body, refuse }) => {
      if (!isOpen) throw refuse('registrationClosed');
      if (needsEmail) throw refuse('invitationNeedsEmail');
      const { invitation: token, display_name: displayName = null } = body;
      const begun = await acceptInvitation(db, naming, { token, displayName }, visitor);
      if (!begun) throw refuse('invitationInvalid');
      return begunSession(begun, cookie);
    },
  };
}
