import { LIMITS } from '#contract/shared/limits.ts';
import type { Language } from '#contract/shared/languages.ts';
import { SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { listAccountsByAddress } from '#db/queries/owner-mails.ts';
import { insertSignUp, type SignUp } from '#db/queries/sign-ups.ts';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Outbox } from '#server/features/mails/outbox.ts';
import { explainRefusedDomain } from '../forwarding/destinations.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { mailLoginLinks } from '../sessions/login-link.ts';

const refuse = createRefuser(SIGN_UP_REFUSALS);

export function requireAllowedEmailDomain(email: string, config: Config): void {
  const problem = explainRefusedDomain(email, config, config.REGISTRATION_REFUSED_DOMAINS);
  if (problem) throw refuse('emailDomainRefused', { problem });
}

/**
 * Emails a sign-up link. If the accounts of the address are suspended, or as many as one address can
 * have, emails what a login would.
 */
export async function mailSignUpLink(
  db: Database,
  outbox: Outbox,
  { language, ...signUp }: SignUp & { language: Language },
): Promise<void> {
  const accounts = await listAccountsByAddress(db, signUp.email);
  const isFull = accounts.length >= LIMITS.accountsPerAddress;
  if (isFull || (accounts.length > 0 && accounts.every(({ is_suspended }) => is_suspended)))
    return mailLoginLinks(db, outbox, signUp.email);
  await inTransaction(db, async (trx) => {
    const id = await insertSignUp(trx, signUp);
    if (id !== undefined) await outbox.enqueue(trx, { kind: 'sign-up', signUpId: id, language });
  });
}
