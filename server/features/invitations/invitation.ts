import {
  INVITATION_REFUSALS,
  INVITATION_NEEDS_EMAIL_REFUSALS,
} from '#contract/owner/invitations.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import type { Database, Executor } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  consumeInvitation,
  type InvitationRow,
  insertInvitation,
  setInvitationAccount,
} from '#db/queries/invitations.ts';
import { deleteSignUps, setLoginEmail } from '#db/queries/sign-ups.ts';
import type { LoginContext } from '#server/platform/caller.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { createToken, hashToken, isToken } from '#server/platform/secrets/token.ts';
import { insertNamedAccount } from '../accounts/create-account.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { sanitizeDisplayName } from '../names/display-name.ts';
import { type NewSession, startSession } from '../sessions/start-session.ts';
import { invitationLink } from './invitation-link.ts';

const refuse = createRefuser({ ...INVITATION_REFUSALS, ...INVITATION_NEEDS_EMAIL_REFUSALS });

export async function createInvitationLink(
  db: Executor,
  publicUrl: string,
  {
    note = null,
    maxUses = 1,
    ...until
  }: { note?: string | null; maxUses?: number } & ({ days: number } | { expiresAt: Date }),
): Promise<InvitationRow & { invitation_url: string }> {
  const token = createToken();
  const expiresAt = 'days' in until ? new Date(Date.now() + until.days * DAY_MS) : until.expiresAt;
  const invitation = await insertInvitation(db, hashToken(token), { expiresAt, note, maxUses });
  return { ...invitation, invitation_url: invitationLink(publicUrl, token) };
}

/** A refused request does not use up the invitation. */
export async function acceptInvitation(
  db: Database,
  app: NameServices,
  { token, displayName }: { token: string; displayName: string | null },
  loginClient: LoginContext,
): Promise<NewSession> {
  if (!isToken(token)) throw refuse('invitationInvalid');
  return inTransaction(db, async (trx) => {
    const invitation = await consumeInvitation(trx, hashToken(token));
    if (!invitation) throw refuse('invitationInvalid');
    if (app.outbox.isAvailable && invitation.mailed_to === null)
      throw refuse('invitationNeedsEmail');
    const { account_id: accountId } = await insertNamedAccount(trx, app, displayName, {
      language: loginClient.language,
      title: invitation.name,
    });
    await setInvitationAccount(trx, invitation.id, accountId);
    const newSession = await startSession(trx, { accountId, via: 'link' }, loginClient);
    if (!newSession) throw refuse('invitationInvalid');
    const { mailed_to, email, forward_to } = invitation;
    if (mailed_to !== null) {
      await setLoginEmail(trx, { accountId, email: mailed_to });
      if (displayName !== null)
        await deleteSignUps(trx, mailed_to, sanitizeDisplayName(displayName));
    }
    if (email !== null) {
      const { session } = newSession;
      await app.react(trx, 'addressConfirmed', { session, email, forward_to });
    }
    await app.react(trx, 'invitationAccepted', { invitationId: invitation.id, accountId });
    return newSession;
  });
}
