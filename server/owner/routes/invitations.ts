import type { invitations } from '../../../contract/owner/invitations.ts';
import type { Handlers } from '../../http/contract/adapter.ts';
import type { SessionCookie } from '../../http/access/session-cookie.ts';
import { acceptInvitation } from '../../service/accounts/invitation.ts';
import type { Naming } from '../../service/names/change-display-name.ts';
import type { VisitorContext } from '../run-unauthenticated.ts';
import { begunSession } from '../session-fields.ts';

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
