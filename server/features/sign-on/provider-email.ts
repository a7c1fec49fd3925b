import { emailParam } from '#contract/email.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import type { IdentityAccount } from '#db/queries/identities.ts';
import { findOwnerAddress, listAccountsByAddress } from '#db/queries/owner-mails.ts';
import { setLoginEmail } from '#db/queries/sign-ups.ts';
import type { Core } from '#server/core.ts';
import { SIGN_ON_ACTOR } from '#server/platform/caller.ts';
import { logEvent } from '../events/log-event.ts';
import { explainRefusedDomain } from '../forwarding/allowed-domains.ts';
import type { NameServices } from '../names/change-display-name.ts';
import type { AuthenticatedUser, UserClaims } from './identity-provider.ts';
import type { SignUpPolicy } from './sign-on.ts';

type EmailPolicy = Pick<SignUpPolicy, 'trustsEmail'>;

/** For the log. */
export const EMAIL_ADVICE =
  'The provider does not say that the address is verified. authentik, Pocket ID, Nextcloud and Entra ID do so only if you change a setting: see "By provider" in docs/single-sign-on.md.';

export function isEmailVerified(claims: UserClaims, { trustsEmail }: EmailPolicy): boolean {
  const { email_verified: isVerified = trustsEmail } = claims;
  return isVerified === true || isVerified === 'true';
}

/**
 * Gives an account without an address the one that the provider has verified, with the rights of
 * the identity. Leaves the account without one if sign-up would not accept the address.
 */
export async function storeProviderEmail(
  db: Database,
  app: NameServices & Pick<Core, 'log'>,
  user: AuthenticatedUser,
  { account_id: accountId, scope }: IdentityAccount,
  policy: EmailPolicy,
): Promise<void> {
  if ((await findOwnerAddress(db, accountId)) !== undefined) return;
  const claims = await user.loadClaims();
  const { data: email } = emailParam.safeParse(claims['email']);
  if (email === undefined) return;
  if (!isEmailVerified(claims, policy)) {
    const fields = { account: accountId, advice: EMAIL_ADVICE };
    return app.log.warn(fields, 'a single sign-on gave no verified address');
  }
  const { config } = app;
  if (explainRefusedDomain(email, config, config.REGISTRATION_REFUSED_DOMAINS)) return;
  await inTransaction(db, async (trx) => {
    const { address } = (await lockForwardingSettings(trx, accountId)) ?? {};
    // The owner may have entered another one, which is not confirmed yet.
    if (address?.kind !== 'none' || address.loginEmail !== null || address.waiting) return;
    const accounts = await listAccountsByAddress(trx, email);
    if (accounts.length >= LIMITS.accountsPerAddress) return;
    await setLoginEmail(trx, { accountId, email, email_scope: scope });
    const detail = { enabled: false, destination_changed: true, by: SIGN_ON_ACTOR };
    await logEvent(trx, app, { accountId, type: 'forwarding_updated', detail });
  });
}
