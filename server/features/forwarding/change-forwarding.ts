import type { Kysely, Transaction } from 'kysely';
import { FORWARDING_REFUSALS } from '#contract/email-forwarding.ts';
import { chooseDestination } from '#db/queries/forwarding/forwarding-destinations.ts';
import { listForwarding } from '#db/queries/forwarding/provider-aliases.ts';
import { deleteLoginLinks } from '#db/queries/sessions/login-links.ts';
import {
  lockForwardingSettings,
  updateForwarding,
} from '#db/queries/forwarding/forwarding-settings.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Allowances } from '#server/limits/allowances/allowances.ts';
import { waiting } from '#server/limits/allowances/waiting.ts';
import { type Caller, idOf } from '#server/caller.ts';
import { logEvent } from '../events/log-event.ts';
import { refuserOf } from '#server/refusal.ts';
import { demandFreshProof, demandProofToAddLogin } from '../sessions/fresh-proof.ts';
import { askDestination, isRefusedDomain, isWithin } from './destinations.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import type { Forwarding, NameState } from './forwarding.ts';

const refuse = refuserOf(FORWARDING_REFUSALS);

/** Dependencies of changes of forwarding. */
export interface ForwardingRules {
  forwarding: Forwarding;
  outbox: Outbox;
  mailDomain: string;
  /** Domains that no mail is forwarded to, beside those of special use. */
  refusedDomains: readonly string[];
  /** Different addresses that an account may choose in a day; 0 for any number. */
  destinationsPerDay: number;
  allowances: Pick<Allowances, 'events'>;
}

/** The forwarding of an account after a change. */
interface ChangedForwarding {
  name: string | null;
  /** The address that is stored now. */
  email: string | null;
  /** How far forwarding is; undefined if the name never had mail. */
  stage: NameState['stage'] | undefined;
}

/** Turns the forwarding of an account on or off. */
export async function changeForwarding(
  db: Kysely<Database>,
  rules: ForwardingRules,
  wanted: Pick<Caller, 'accountId' | 'via' | 'scope'> & {
    enabled: boolean;
    email?: string | null | undefined;
  },
): Promise<ChangedForwarding> {
  const { accountId, enabled, via, scope } = wanted;
  return inTransaction(db, async (trx) => {
    const profile = await lockForwardingSettings(trx, accountId);
    if (!profile) throw refuse('profileNotFound');
    const { display_name: name, forwarding_email: stored } = profile;
    const email = wanted.email ?? stored;
    // A stored address, too: the domains are settings, which may have changed.
    if (enabled || wanted.email) refuseDomain(email, rules);
    if (enabled && name === null) throw refuse('displayNameNotSet');
    if (enabled && email === null) throw refuse('forwardingAddressMissing');
    if (email !== null && email !== stored) {
      // With a mail server, login links are sent to the address.
      const demand = rules.outbox.isAvailable ? demandProofToAddLogin : demandFreshProof;
      await demand(trx, { accountId, via, scope });
      await choose(trx, rules, { accountId, email });
    }
    const change = { accountId, from: profile, email, enabled };
    const confirmed = await askDestination(trx, rules.outbox, change);
    await updateForwarding(trx, accountId, { enabled, email, confirmed });
    if (name !== null) await rules.forwarding.queue(trx, name);
    const destination_changed = email !== stored;
    if (destination_changed && stored !== null) await deleteLoginLinks(trx, accountId);
    if (destination_changed || enabled !== profile.forwarding_enabled) {
      // The address itself would stay in the list of events after it is gone.
      const detail = { enabled, destination_changed, by: idOf(via) };
      await logEvent(
        trx,
        { accountId, type: 'forwarding_updated', detail },
        rules.allowances.events,
      );
    }
    const [state] = name === null ? [] : await listForwarding(trx, name);
    return { name, email, stage: state && rules.forwarding.staged(state).stage };
  });
}

function refuseDomain(email: string | null, { mailDomain, refusedDomains }: ForwardingRules): void {
  const domain = email?.toLowerCase().split('@')[1] ?? '';
  if (isWithin(domain, [mailDomain])) throw refuse('forwardingLoop', { domain });
  if (isRefusedDomain(domain, refusedDomains))
    throw refuse('forwardingAddressNotAllowed', { domain });
}

/** An address that is new may get mail from us or from the provider: nobody makes us write to many. */
async function choose(
  trx: Transaction<Database>,
  { destinationsPerDay }: ForwardingRules,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  const { chosen, seconds } = await chooseDestination(trx, accountId, email);
  if (destinationsPerDay === 0 || chosen <= destinationsPerDay) return;
  throw refuse('forwardingAddressLimitReached', waiting(seconds * 1_000));
}
