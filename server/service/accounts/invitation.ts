import type { Kysely } from 'kysely';
import { insertInvitation, takeInvitation } from '../../../db/queries/sessions/invitations.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import type { Naming } from '../names/change-display-name.ts';
import { type NewSession, type Visitor, begin } from '../sessions/begin-session.ts';
import { createToken, hashToken, isToken } from '../token.ts';
import { insertNamedAccount } from './create-account.ts';

/** A link by which one person makes an account, within so many days. Its token is sent to nobody by a browser. */
export async function createInvitation(
  db: Kysely<Database>,
  address: string,
  days: number,
): Promise<{ invitation_link: string; expires_at: Date }> {
  const token = createToken();
  const expires_at = await insertInvitation(db, hashToken(token), days);
  return { invitation_link: `${address}/dashboard/invitation#${token}`, expires_at };
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
