import type { Kysely } from 'kysely';
import {
  type InvitationRow,
  insertInvitation,
  takeInvitation,
} from '#db/queries/sessions/invitations.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Naming } from '../names/change-display-name.ts';
import { type NewSession, type Visitor, begin } from '../sessions/begin-session.ts';
import { createToken, hashToken, isToken } from '#server/token.ts';
import { insertNamedAccount } from './create-account.ts';

/** A link by which one person makes an account, within so many days. Its token is sent to nobody by a browser. */
export async function createInvitation(
  db: Kysely<Database>,
  address: string,
  days: number,
  note: string | null = null,
): Promise<InvitationRow & { invitation_link: string }> {
  const token = createToken();
  const invitation = await insertInvitation(db, hashToken(token), { days, note });
  return { ...invitation, invitation_link: `${address}/dashboard/invitation#${token}` };
}

/**
 * Makes an account for who was invited, and begins its first session; undefined if the invitation is
 * none any more. A name that cannot be had is refused, and does not use it up.
 */
export async function acceptInvitation(
  db: Kysely<Database>,
  naming: Naming,
  accepted: { token: string; displayName: string | null },
  visitor: Visitor,
): Promise<NewSession | undefined> {
  const { token, displayName } = accepted;
  if (!isToken(token)) return undefined;
  return inTransaction(db, async (trx) => {
    if (!(await takeInvitation(trx, hashToken(token)))) return undefined;
    const { account_id } = await insertNamedAccount(trx, naming, displayName);
    return begin(trx, { accountId: account_id, via: 'link' }, visitor);
  });
}
