import { FORWARDING_REFUSALS } from '#contract/email-forwarding.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  type Confirmation,
  cancelConfirmations,
  findConfirmation,
  isDestinationConfirmed,
  setDestinationConfirmed,
} from '#db/queries/confirmations.ts';
import {
  type LockedForwardingSettings,
  lockForwardingSettings,
  updateForwarding,
} from '#db/queries/forwarding-settings.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Translator } from '#translations/translator.ts';
import type { Outbox } from '#server/features/mails/outbox.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { logEvent } from '../events/log-event.ts';
import { changeMail, confirmationMail, mailDestination } from './destination-mails.ts';
import { enqueueAccountSync, type ForwardingService } from './forwarding.ts';
import type { Core } from '#server/core.ts';

const refuse = createRefuser(FORWARDING_REFUSALS);

/** Top-level domains that do not exist on the internet. */
export const RESERVED_TLDS = [
  'arpa',
  'internal',
  'invalid',
  'local',
  'localdomain',
  'localhost',
  'onion',
];

/** Domains that cannot receive mail from the internet. */
const SPECIAL_USE_DOMAINS = [...RESERVED_TLDS, 'example', 'lan', 'test'];

export function domainOf(email: string): string {
  return email.toLowerCase().split('@')[1] ?? '';
}

type DomainRules = Pick<Config, 'MAIL_DOMAIN' | 'FORWARDING_REFUSED_DOMAINS'>;

/** Explains why the server sends no mail to the address. Undefined if it does. */
export function explainRefusedDomain(
  email: string,
  { MAIL_DOMAIN, FORWARDING_REFUSED_DOMAINS }: DomainRules,
  refusedDomains: readonly string[] = [],
): ((t: Translator) => string) | undefined {
  const domain = domainOf(email);
  if (isSameOrSubdomain(domain, [MAIL_DOMAIN]))
    return (t) => t('Addresses at {domain} belong to this server. Use another one.', { domain });
  const ending = SPECIAL_USE_DOMAINS.find((parent) => isSameOrSubdomain(domain, [parent]));
  if (ending !== undefined)
    return (t) => t('Addresses that end in .{ending} do not exist on the internet.', { ending });
  return isSameOrSubdomain(domain, [...FORWARDING_REFUSED_DOMAINS, ...refusedDomains])
    ? (t) => t('The operator of this server excludes addresses at {domain}.', { domain })
    : undefined;
}

export function isSameOrSubdomain(domain: string, parents: readonly string[]): boolean {
  return parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}

/** The confirmed address, or a destination from before the server could send mail. */
export function currentEmail(settings: LockedForwardingSettings): string | null {
  const { forwarding_email, forwarding_confirmed, forwarding_enabled, login_email } = settings;
  return (forwarding_confirmed ?? forwarding_enabled) ? forwarding_email : login_email;
}

interface DestinationChange {
  accountId: string;
  from: LockedForwardingSettings;
  email: string | null;
  enabled: boolean;
  /** Asks for the confirmation of `email` although forwarding is off. */
  isNewlySent: boolean;
  /** Name of the operator who entered the address. Null if the operator has none. */
  operator?: string | null | undefined;
}

/**
 * Resolves to whether `email` is confirmed. Resolves to null if `email` is null, or if it is not
 * confirmed and the server cannot send mail.
 */
export async function requestConfirmation(
  trx: Transaction,
  outbox: Outbox,
  { accountId, from, email, enabled, isNewlySent, operator }: DestinationChange,
): Promise<boolean | null> {
  const {
    display_name: name,
    forwarding_email: storedEmail,
    forwarding_confirmed: confirmed,
    forwarding_enabled: wasEnabled,
  } = from;
  const isChange = email !== (from.pending?.email ?? storedEmail);
  if (isChange) await cancelConfirmations(trx, accountId);
  if (email === null) return null;
  if (email === storedEmail && confirmed) return true;
  const wasConfirmed = await isDestinationConfirmed(trx, accountId, email);
  const formerEmail = confirmed ? storedEmail : from.login_email;
  const mail = { accountId, name: name ?? email, operator };
  if (isChange && formerEmail !== null && formerEmail !== email)
    await mailDestination(trx, outbox, changeMail, {
      ...mail,
      address: formerEmail,
      name: name ?? formerEmail,
      isForwarding: wasEnabled && confirmed === true,
      waits: !wasConfirmed,
    });
  if (wasConfirmed) return true;
  if (!outbox.isAvailable) return null;
  const isSent =
    (enabled || isNewlySent) &&
    (await mailDestination(trx, outbox, confirmationMail, {
      ...mail,
      address: email,
      isForwarding: enabled,
    }));
  if (isNewlySent && !isSent) throw refuse('forwardingAddressLimitReached', retryAfter(DAY_MS));
  // Addresses from before the server could send mail stay in use, although they are not confirmed.
  return email === storedEmail && wasEnabled ? confirmed : false;
}

export async function findConfirmationByToken(
  readDb: ReadDatabase,
  token: string,
): Promise<Confirmation | undefined> {
  return isToken(token) ? findConfirmation(readDb, hashToken(token)) : undefined;
}

/** Resolves to undefined if the link is invalid. Each link works once. */
export async function confirmDestination(
  app: Pick<Core, 'allowances' | 'db' | 'jobs'> & { forwarding: ForwardingService },
  token: string,
): Promise<Confirmation | undefined> {
  const tokenHash = hashToken(token);
  return inTransaction(app.db, async (trx) => {
    const unlocked = await findConfirmation(trx, tokenHash);
    if (!unlocked) return undefined;
    const { accountId } = unlocked;
    const settings = await lockForwardingSettings(trx, accountId);
    // The address may have changed before this transaction got the lock.
    const confirmation = await findConfirmation(trx, tokenHash);
    if (!settings || !confirmation) return undefined;
    await setDestinationConfirmed(trx, confirmation.id);
    const { pending, forwarding_email, email_scope } = settings;
    const { isForwarding } = confirmation;
    await updateForwarding(trx, accountId, {
      forwarding_enabled: isForwarding,
      forwarding_email: pending?.email ?? forwarding_email,
      forwarding_confirmed: true,
      email_scope: pending?.email_scope ?? email_scope,
    });
    await enqueueAccountSync(trx, app.forwarding, accountId);
    if (!pending) return confirmation;
    await deleteLoginLinks(trx, accountId);
    const by = pending.entered_by;
    const detail = { enabled: isForwarding, destination_changed: true, by };
    await logEvent(trx, app, { accountId, type: 'forwarding_updated', detail });
    return confirmation;
  });
}
