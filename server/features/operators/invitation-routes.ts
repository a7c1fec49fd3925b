import type { operatorInvitations } from '#contract/owner/operator-invitations.ts';
import {
  deleteInvitation,
  hasInvitation,
  type InvitationRow,
  listInvitations,
} from '#db/queries/sessions/invitations.ts';
import type { Handlers } from '#server/http/contract/register-contract.ts';
import { createInvitation } from '../accounts/invitation.ts';
import { createOperatorAuditedRunner } from './audited-runner.ts';
import { paginate } from '#server/paginate.ts';

export function operatorInvitationsRoutes(
  getOrigin: () => string,
  isOpen: boolean,
): Handlers<typeof operatorInvitations> {
  return {
    listInvitations: async ({ readDb, query: { limit, after }, refuse }) => {
      if (after !== undefined && !(await hasInvitation(readDb, after)))
        throw refuse('cursorInvalid');
      const rows = await listInvitations(readDb, { limit: limit + 1, after });
      const { entries, next } = paginate(rows, {
        limit,
        idOf: ({ id }) => id,
        toEntry: serializeInvitation,
      });
      return { status: 200, body: { invitations: entries, next } };
    },

    createInvitation: async ({ accountId, db, body: { days, note = null }, refuse }) => {
      if (!isOpen) throw refuse('registrationClosed');
      const runAudited = await createOperatorAuditedRunner(db, accountId);
      return runAudited('invite', async (trx, audit) => {
        audit({ detail: { days, ...(note !== null && { note }) } });
        const { invitation_link, ...created } = await createInvitation(
          trx,
          getOrigin(),
          days,
          note,
        );
        return { status: 200, body: { invitation: serializeInvitation(created), invitation_link } };
      });
    },

    revokeInvitation: async ({ accountId, db, body: { invitationId }, refuse }) => {
      const runAudited = await createOperatorAuditedRunner(db, accountId);
      return runAudited('invitations revoke', async (trx, audit) => {
        audit({ detail: { invitation: invitationId } });
        if (!(await deleteInvitation(trx, invitationId))) throw refuse('invitationNotFound');
        return { status: 200, body: { success: true } };
      });
    },
  };
}

function serializeInvitation({ created_at, expires_at, ...invitation }: InvitationRow) {
  return {
    ...invitation,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
