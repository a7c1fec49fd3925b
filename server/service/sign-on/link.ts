import type { Kysely } from 'kysely';
import { SIGN_ON } from '../../../contract/sign-on-refusals.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { lockAccount } from '../../../db/queries/accounts.ts';
import { findIdentity, insertIdentity } from '../../../db/queries/sessions/identities.ts';
import { findSession } from '../../../db/queries/sessions/sessions.ts';
import type { Database } from '../../../db/schema.ts';
import { logEvent } from '../events/log-event.ts';
import type { Forwarding } from '../forwarding/service.ts';
import { tellOwner } from '../notices/tell-owner.ts';
import { refuserOf } from '../refusal.ts';
import { hashToken } from '../token.ts';
import { labelOf } from './profile.ts';
import type { SignedOn } from './provider.ts';

const refuse = refuserOf(SIGN_ON);

/** Links a user to the account of an owner, whose session must still be open. */
export async function linkIdentity(
  db: Kysely<Database>,
  forwarding: Forwarding,
  { accountId, sessionToken }: { accountId: string; sessionToken: string },
  user: SignedOn,
  { name: provider, eventLimit }: { name: string; eventLimit: number },
): Promise<void> {
  const label = labelOf(await user.profile());
  const { issuer, subject } = user;
  await inTransaction(db, async (trx) => {
    await lockAccount(trx, accountId);
    const session = await findSession(trx, hashToken(sessionToken));
    if (session?.account_id !== accountId) throw refuse('signOnExpired');
    const id = await insertIdentity(trx, { accountId, issuer, subject, label });
    if (id === undefined) {
      const known = await findIdentity(trx, user);
      if (known?.account_id === accountId) return;
      throw refuse('identityTaken', { provider });
    }
    const detail = { identity_id: id, issuer, label, by: session.id };
    await logEvent(trx, { accountId, type: 'identity_linked', detail }, eventLimit);
    await tellOwner(trx, forwarding, { accountId, kind: 'identity', about: provider });
  });
}
