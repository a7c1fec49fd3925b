import type { Kysely } from 'kysely';
import {
  type InvitationRow,
  insertInvitation,
  consumeInvitation,
} from '#db/queries/sessions/invitations.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { DisplayNameDeps } from '../names/change-display-name.ts';
import { type NewSession, type LoginClient, startSession } from '../sessions/start-session.ts';
import { createToken, hashToken, isToken } from '#server/token.ts';
import { insertNamedAccount } from './create-account.ts';

/** The token is in the URL fragment, because browsers do not send fragments to the server. */
export async function createInvitation(
  db: Kysely<Database>,
  publicUrl: string,
  days: number,
  note: string | null = null,
): Promise<InvitationRow & { invitation_link: string }> {
  const token = createToken();
  const invitation = await insertInvitation(db, hashToken(token), { days, note });
  return { ...invitation, invitation_link: `${publicUrl}/dashboard/invitation#${token}` };
}

/**
 * Resolves to undefined if the invitation does not exist, is used or has expired. Throws if the
 * display name is not available; the invitation then stays valid.
 */
export async function acceptInvitation(
  db: Kysely<Database>,
  nameDeps: DisplayNameDeps,
  { token, displayName }: { token: string; displayName: string | null },
  loginClient: LoginClient,
): Promise<NewSession | undefined> {
  if (!isToken(token)) return undefined;
  return inTransaction(db, async (trx) => {
    if (!(await consumeInvitation(trx, hashToken(token)))) return undefined;
    const { account_id } = await insertNamedAccount(trx, nameDeps, displayName);
    return startSession(trx, { accountId: account_id, via: 'link' }, loginClient);
  });
}
