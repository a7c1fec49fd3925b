import { safeLine } from '#contract/safe-line.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { SITE_TEXTS } from '#contract/shared/site-fields.ts';
import { SIGN_ON_REFUSALS } from '#contract/sign-on-refusals.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inSavepoint, inTransaction } from '#db/connections/transaction.ts';
import { inAccountTransaction } from '#db/queries/accounts.ts';
import { findIdentity, type IdentityAccount, insertIdentity } from '#db/queries/identities.ts';
import { findSessions } from '#db/queries/sessions.ts';
import type { Core } from '#server/core.ts';
import type { LoginContext } from '#server/platform/caller.ts';
import { requireLoginScope } from '#server/platform/http/access/recent-login.ts';
import { RefusalError, createRefuser } from '#server/platform/refusal.ts';
import { hashToken } from '#server/platform/secrets/token.ts';
import { insertNamedAccount } from '../accounts/create-account.ts';
import type { AllFeatures } from '../define-feature.ts';
import { type EventApp, storeEvent } from '../events/log-event.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { logInWithIdentity, type NewSession } from '../sessions/start-session.ts';
import { findGroupProblem, readGroups } from './groups.ts';
import { identityMail } from './identity-mail.ts';
import type { UserClaims, AuthenticatedUser } from './identity-provider.ts';
import { recordLeaver } from './leaver.ts';
import { syncOperator } from './operator-group.ts';
import { EMAIL_ADVICE, isEmailVerified, storeProviderEmail } from './provider-email.ts';
import { SignOnError } from './sign-on-error.ts';
import type { SignUpPolicy, SignOnProvider } from './sign-on.ts';
import { syncGroups } from './sync-groups.ts';

const MAX_LOGGED_GROUPS = 20;

const refuse = createRefuser(SIGN_ON_REFUSALS);

/**
 * Logs in to the account that is linked to the issuer and subject of the user. A user without an
 * account gets one if the policy allows it and `countSignUp` does not throw. If `accountId` is
 * given, refuses any other account.
 */
export async function signIn(
  db: Database,
  app: NameServices & Pick<Core, 'log'> & { features: Pick<AllFeatures, 'off'> },
  signOn: SignOnProvider,
  user: AuthenticatedUser,
  client: LoginContext,
  { accountId, countSignUp }: { accountId?: string | undefined; countSignUp: () => Promise<void> },
): Promise<NewSession> {
  const { name: provider, signUpPolicy } = signOn;
  let identity = await findIdentity(db, user);
  if (accountId !== undefined && identity?.account_id !== accountId)
    throw refuse('signOnOtherAccount', { provider });
  const problem = identity && (await findMemberProblem(user, signUpPolicy));
  if (!identity) {
    const claims = await user.loadClaims();
    assertMaySignUp(claims, signUpPolicy);
    // If only groups or domains can sign up, sign-ups are not counted, because a whole company may
    // share one IP address.
    if (signUpPolicy.allowsAnyone) await countSignUp();
    identity = await createLinkedAccount(db, app, user, claims, client);
  }
  const member = identity;
  const hasLeft = problem?.hasLeft ?? false;
  if (!problem || hasLeft) {
    const account = { accountId: member.account_id, hasLeft };
    await syncOperator(db, app, signOn, user, account);
    if (hasLeft)
      await inTransaction(db, (trx) =>
        recordLeaver(trx, app, member, { provider, suspends: signUpPolicy.suspendsLeavers }),
      );
    await syncGroups(db, app, signOn, user, account);
  }
  if (problem) throw problem.error;
  const { id: identityId, account_id } = member;
  const { authenticatedAt, sid } = user;
  const login = { accountId: account_id, identityId, authenticatedAt, sid };
  const result = await logInWithIdentity(db, login, client);
  if (!result) throw refuse('signOnExpired');
  if (!result.ok) throw refuse('signOnSuspended');
  await storeProviderEmail(db, app, user, member, signUpPolicy);
  return result;
}

class IdentityExistsError extends Error {
  override readonly name = 'IdentityExistsError';
}

/** Concurrent first logins of one user create only one account. */
async function createLinkedAccount(
  db: Database,
  app: NameServices,
  user: AuthenticatedUser,
  claims: UserClaims,
  { allowances, language }: LoginContext,
): Promise<IdentityAccount> {
  try {
    return await inTransaction(db, async (trx) => {
      const accountId = await insertAccountWithProposedName(trx, app, claims, language);
      const label = labelOf(claims);
      const { issuer, subject } = user;
      const id = await insertIdentity(trx, {
        accountId,
        issuer,
        subject,
        scope: 'operator',
        label,
      });
      if (id === undefined) throw new IdentityExistsError();
      const detail = { identity_id: id, issuer, label };
      await storeEvent(trx, { allowances }, { accountId, type: 'identity_linked', detail });
      return { id, account_id: accountId, scope: 'operator' };
    });
  } catch (error) {
    const identity = error instanceof IdentityExistsError && (await findIdentity(db, user));
    if (identity) return identity;
    throw error;
  }
}

async function insertAccountWithProposedName(
  trx: Transaction,
  app: NameServices,
  claims: UserClaims,
  language: LoginContext['language'],
): Promise<string> {
  const name = proposedName(claims);
  const page = { language, title: fullNameOf(claims) };
  if (name !== undefined)
    try {
      const named = await inSavepoint(trx, () => insertNamedAccount(trx, app, name, page));
      return named.account_id;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
  const { account_id } = await insertNamedAccount(trx, app, null, page);
  return account_id;
}

/**
 * Throws a refusal if the session has ended, the identity is linked to another account, or its user
 * could not sign in.
 */
export async function linkIdentity(
  app: Pick<EventApp, 'allowances'> & Pick<Core, 'db' | 'outbox'>,
  { accountId, sessionToken }: { accountId: string; sessionToken: string },
  user: AuthenticatedUser,
  { name: provider, signUpPolicy }: SignOnProvider,
): Promise<void> {
  const problem = await findMemberProblem(user, signUpPolicy);
  if (problem) throw problem.error;
  const label = labelOf(await user.loadClaims());
  const { issuer, subject } = user;
  await inAccountTransaction(app.db, accountId, async (trx) => {
    const hash = hashToken(sessionToken).toString('hex');
    const session = (await findSessions(trx, [hash])).get(hash);
    if (session?.account_id !== accountId) throw refuse('signOnExpired');
    const caller = { accountId, scope: session.scope ?? ('operator' as const) };
    const scope = await requireLoginScope(trx, caller);
    const id = await insertIdentity(trx, { accountId, issuer, subject, scope, label });
    if (id === undefined) {
      const identity = await findIdentity(trx, user);
      if (identity?.account_id === accountId) return;
      throw refuse('identityTaken', { provider });
    }
    const detail = { identity_id: id, issuer, label, by: session.id };
    await storeEvent(trx, app, { accountId, type: 'identity_linked', detail });
    await app.outbox.mailOwner(trx, identityMail, { accountId, provider });
  });
}

function assertMaySignUp(claims: UserClaims, policy: SignUpPolicy): void {
  const problem = policy.allowsAnyone ? undefined : findListProblem(claims, policy);
  const refusal = policy.takesApplications ? 'signOnNeedsApplication' : 'signOnNotAllowed';
  if (problem) throw new SignOnError(refusal, problem.reason, problem.details);
}

/** For users with an account. Without lists, each of them can sign in. */
async function findMemberProblem(user: AuthenticatedUser, policy: SignUpPolicy) {
  const { allowsAnyone, allowedGroups, allowedDomains } = policy;
  if (allowsAnyone || (allowedGroups.length === 0 && allowedDomains.length === 0)) return undefined;
  const problem = findListProblem(await user.loadClaims(), policy);
  if (!problem) return undefined;
  const { reason, details, hasLeft } = problem;
  return { hasLeft, error: new SignOnError('signOnNotMember', reason, details) };
}

/**
 * Returns undefined if the user is on a list. `hasLeft` is false if a claim is missing or not
 * readable, because a mistake at the provider must not look as if everyone left.
 */
function findListProblem(claims: UserClaims, policy: SignUpPolicy) {
  const { allowedGroups, allowedDomains } = policy;
  const reasons = [
    allowedGroups.length > 0 && findGroupProblem(claims['groups'], allowedGroups),
    allowedDomains.length > 0 && findEmailProblem(claims, policy),
  ];
  if (reasons.includes(undefined)) return undefined;
  const problems = reasons.filter((reason) => typeof reason === 'string');
  return {
    reason: problems.join(', ') || 'registration_invite',
    details: {
      groups: readGroups(claims['groups']).slice(0, MAX_LOGGED_GROUPS),
      ...(problems.at(-1)?.startsWith('email_verified') && { advice: EMAIL_ADVICE }),
    },
    hasLeft: problems.every((problem) => problem.endsWith('_not_allowed')),
  };
}

function findEmailProblem(claims: UserClaims, { allowedDomains, trustsEmail }: SignUpPolicy) {
  const { email } = claims;
  if (email === undefined) return 'email_missing';
  const domain = domainOf(email);
  if (domain === undefined) return 'email_invalid';
  if (!allowedDomains.includes(domain)) return 'email_not_allowed';
  if (isEmailVerified(claims, { trustsEmail })) return undefined;
  return claims['email_verified'] === undefined ? 'email_verified_missing' : 'email_verified_false';
}

/** An email address or name by which the owner recognizes the linked identity. */
function labelOf(claims: UserClaims): string | null {
  for (const name of ['email', 'preferred_username', 'name']) {
    const text = safeLine(textOf(claims[name]), LIMITS.keyLabel);
    if (text !== '') return text;
  }
  return null;
}

/** Some providers send the address as the name. Pages must not show it. */
function fullNameOf({ name }: UserClaims): string | null {
  const text = safeLine(textOf(name), SITE_TEXTS.display_name.max);
  return text === '' || text.includes('@') ? null : text;
}

/** The username without its domain, which some providers add. */
function proposedName(claims: UserClaims): string | undefined {
  const [name = ''] = textOf(claims['preferred_username']).split('@');
  return name.replace(/[._]+/g, '-').slice(0, 4 * LIMITS.displayNameMax) || undefined;
}

function domainOf(email: unknown): string | undefined {
  const [, domain] = /^[^@\s]+@([^@\s]+)$/.exec(textOf(email)) ?? [];
  return domain?.toLowerCase();
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}
