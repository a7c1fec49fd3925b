import type { Kysely } from 'kysely';
import { SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { insertSignUp, hasAccountWithEmail, type SignUp } from '#db/queries/sessions/sign-ups.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { isRefusedDomain, isWithin } from '../forwarding/destinations.ts';
import { refuserOf } from '#server/refusal.ts';
import { mailLoginLinks } from '../sessions/login-link.ts';

const refuse = refuserOf(SIGN_UP_REFUSALS);

/** Domains whose addresses get no account. */
export interface AddressRules {
  mailDomain: string;
  /** Domains that no mail is forwarded to. */
  refusedDomains: readonly string[];
  /** Domains of addresses that cannot sign up, such as those that anybody can read. */
  registrationRefusedDomains: readonly string[];
}

/** Refuses an address that gets no account, by its domain alone. */
export function refuseAddress(
  email: string,
  { mailDomain, refusedDomains, registrationRefusedDomains }: AddressRules,
): void {
  const domain = email.toLowerCase().split('@')[1] ?? '';
  const isRefused =
    isWithin(domain, [mailDomain, ...registrationRefusedDomains]) ||
    isRefusedDomain(domain, refusedDomains);
  if (isRefused) throw refuse('emailDomainRefused', { domain });
}

/**
 * Has a link mailed that creates an account; or, if the address has one, a link that logs in to it. A
 * suspended account gets neither.
 */
export async function mailRegistration(
  db: Kysely<Database>,
  outbox: Outbox,
  wanted: SignUp,
): Promise<void> {
  if (await hasAccountWithEmail(db, wanted.email)) return mailLoginLinks(db, outbox, wanted.email);
  await inTransaction(db, async (trx) => {
    const id = await insertSignUp(trx, wanted);
    if (id !== undefined) await outbox.send(trx, { kind: 'registration', registrationId: id });
  });
}
