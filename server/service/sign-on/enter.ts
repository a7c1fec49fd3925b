import type { Kysely, Transaction } from 'kysely';
import { SIGN_ON } from '../../../contract/sign-on-refusals.ts';
import { inSavepoint, inTransaction } from '../../../db/connections/transaction.ts';
import {
  findIdentity,
  insertIdentity,
  touchIdentity,
} from '../../../db/queries/sessions/identities.ts';
import type { Database } from '../../../db/schema.ts';
import { insertNamedAccount } from '../accounts/create-account.ts';
import { logEvent } from '../events/log-event.ts';
import type { Naming } from '../names/change-display-name.ts';
import { RefusalError, refuserOf } from '../refusal.ts';
import { beginByIdentity, type NewSession, type Visitor } from '../sessions/begin-session.ts';
import { isAdmitted, labelOf, proposedName } from './profile.ts';
import type { Profile, SignedOn } from './provider.ts';
import type { SignOn } from './sign-on.ts';

const refuse = refuserOf(SIGN_ON);

/**
 * Begins a session of the account that a user is linked to, by issuer and subject alone. An admitted user
 * without an account gets a new one, unless `countSignUp` refuses. With `accountId`, any other account is
 * refused.
 */
export async function enter(
  db: Kysely<Database>,
  naming: Naming,
  { name: provider, admission }: SignOn,
  user: SignedOn,
  visitor: Visitor,
  { accountId, countSignUp }: { accountId?: string | undefined; countSignUp: () => Promise<void> },
): Promise<NewSession> {
  let known = await findIdentity(db, user);
  if (accountId !== undefined && known?.account_id !== accountId)
    throw refuse('signOnOtherAccount', { provider });
  if (!known) {
    const profile = await user.profile();
    if (!isAdmitted(profile, admission)) throw refuse('signOnNotAllowed', { provider });
    // Not counted if only groups or domains are admitted, because a whole company may share one address.
    if (admission.everybody) await countSignUp();
    known = await register(db, naming, user, profile, visitor);
  }
  const { id: identityId, account_id } = known;
  const { authenticatedAt } = user;
  const begun = await inTransaction(db, async (trx) => {
    await touchIdentity(trx, identityId);
    return beginByIdentity(trx, { accountId: account_id, identityId, authenticatedAt }, visitor);
  });
  if (!begun) throw refuse('signOnSuspended');
  return begun;
}

/** A user whose first login in another window was faster. */
class AlreadyRegisteredError extends Error {
  override readonly name = 'AlreadyRegisteredError';
}

/** Makes the account of a user, once however many of their first logins there are at a time. */
async function register(
  db: Kysely<Database>,
  naming: Naming,
  user: SignedOn,
  profile: Profile,
  { eventLimit }: Visitor,
): Promise<{ id: string; account_id: string }> {
  try {
    return await inTransaction(db, async (trx) => {
      const accountId = await insertProposedAccount(trx, naming, profile);
      const label = labelOf(profile);
      const { issuer, subject } = user;
      const id = await insertIdentity(trx, { accountId, issuer, subject, label });
      if (id === undefined) throw new AlreadyRegisteredError();
      const detail = { identity_id: id, issuer, label };
      await logEvent(trx, { accountId, type: 'identity_linked', detail }, eventLimit);
      return { id, account_id: accountId };
    });
  } catch (error) {
    const known = error instanceof AlreadyRegisteredError && (await findIdentity(db, user));
    if (known) return known;
    throw error;
  }
}

/** Makes an account with the name that the provider proposes, or without one if that cannot be had. */
async function insertProposedAccount(
  trx: Transaction<Database>,
  naming: Naming,
  profile: Profile,
): Promise<string> {
  const name = proposedName(profile);
  if (name !== undefined)
    try {
      const named = await inSavepoint(trx, () => insertNamedAccount(trx, naming, name));
      return named.account_id;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
  const { account_id } = await insertNamedAccount(trx, naming, null);
  return account_id;
}
