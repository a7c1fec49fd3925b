import type { Kysely, Transaction } from 'kysely';
import { SIGN_ON_REFUSALS } from '#contract/sign-on-refusals.ts';
import { inSavepoint, inTransaction } from '#db/connections/transaction.ts';
import { findIdentity, insertIdentity, touchIdentity } from '#db/queries/sessions/identities.ts';
import type { Database } from '#db/schema.ts';
import { insertNamedAccount } from '../accounts/create-account.ts';
import { logEvent } from '../events/log-event.ts';
import type { Naming } from '../names/change-display-name.ts';
import { RefusalError, refuserOf } from '#server/refusal.ts';
import { beginByIdentity, type NewSession, type Visitor } from '../sessions/begin-session.ts';
import type { Profile, SignedOn } from './provider.ts';
import type { Admission, SignOn } from './sign-on.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { findSessions } from '#db/queries/sessions/sessions.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { hashToken } from '#server/token.ts';
import { LIMITS } from '#contract/limits.ts';

const refuse = refuserOf(SIGN_ON_REFUSALS);

/**
 * Begins a session of the account that a user is linked to, by issuer and subject alone. An admitted user
 * without an account gets a new one, unless `countSignUp` refuses. With `accountId`, any other account is
 * refused.
 */
export async function signIn(
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

/** Another window created the account of this user first. */
class AlreadyRegisteredError extends Error {
  override readonly name = 'AlreadyRegisteredError';
}

/** Creates the account of a user, only once if several first logins run at a time. */
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

/** Creates an account with the name that the provider proposes, or without a name if that one is refused. */
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

/** Links a user to an account; refuses if the session has ended. */
export async function linkIdentity(
  db: Kysely<Database>,
  outbox: Outbox,
  { accountId, sessionToken }: { accountId: string; sessionToken: string },
  user: SignedOn,
  { name: provider, eventLimit }: { name: string; eventLimit: number },
): Promise<void> {
  const label = labelOf(await user.profile());
  const { issuer, subject } = user;
  await inTransaction(db, async (trx) => {
    await lockAccount(trx, accountId);
    const hash = hashToken(sessionToken).toString('hex');
    const session = (await findSessions(trx, [hash])).get(hash);
    if (session?.account_id !== accountId) throw refuse('signOnExpired');
    const id = await insertIdentity(trx, { accountId, issuer, subject, label });
    if (id === undefined) {
      const known = await findIdentity(trx, user);
      if (known?.account_id === accountId) return;
      throw refuse('identityTaken', { provider });
    }
    const detail = { identity_id: id, issuer, label, by: session.id };
    await logEvent(trx, { accountId, type: 'identity_linked', detail }, eventLimit);
    await outbox.send(trx, { kind: 'identity', accountId, about: provider });
  });
}

/** Whether a user without an account gets one. */
function isAdmitted(profile: Profile, { everybody, groups, domains }: Admission): boolean {
  const memberships = new Set<unknown>([profile['groups']].flat());
  const domain = profile['email_verified'] === true ? domainOf(profile['email']) : undefined;
  return (
    everybody ||
    groups.some((group) => memberships.has(group)) ||
    (domain !== undefined && domains.includes(domain))
  );
}

/** Name or address of a user, for the owner to know which login is linked; null if there is none. */
function labelOf(profile: Profile): string | null {
  for (const claim of ['email', 'preferred_username', 'name']) {
    const text = textOf(profile[claim]).replace(/\p{C}/gu, '').trim();
    if (text !== '') return [...text].slice(0, LIMITS.keyLabel).join('');
  }
  return null;
}

/** Display name to propose for a new account: the user name, without the domain that some have. */
function proposedName(profile: Profile): string | undefined {
  const [name = ''] = textOf(profile['preferred_username']).split('@');
  return name.replace(/[._]+/g, '-').slice(0, 4 * LIMITS.displayNameMax) || undefined;
}

function domainOf(email: unknown): string | undefined {
  const [, domain] = /^[^@\s]+@([^@\s]+)$/.exec(textOf(email)) ?? [];
  return domain?.toLowerCase();
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}
