import { inTransaction } from '#db/connections/transaction.ts';
import {
  type Confirmation,
  confirmForwarding,
  findConfirmation,
  isDestinationConfirmed,
  cancelConfirmations,
} from '#db/queries/confirmations.ts';
import {
  type LockedForwardingSettings,
  lockForwardingSettings,
} from '#db/queries/forwarding-settings.ts';
import type { Database, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Outbox } from '#server/features/mails/outbox.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import type { Forwarding } from './forwarding.ts';

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

export function isRefusedForwardingDomain(
  domain: string,
  refusedDomains: readonly string[],
): boolean {
  return isSameOrSubdomain(domain, [...SPECIAL_USE_DOMAINS, ...refusedDomains]);
}

export function isSameOrSubdomain(domain: string, parents: readonly string[]): boolean {
  return parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}

interface DestinationChange {
  accountId: string;
  from: LockedForwardingSettings;
  email: string | null;
  enabled: boolean;
  /** Whether the owner entered `email` now. Asks for its confirmation although forwarding is off. */
  isNewlySent?: boolean;
}

/**
 * Resolves to whether `email` is confirmed. Resolves to null if `email` is null, or if it is not
 * confirmed and the server cannot send mail.
 */
export async function requestConfirmation(
  trx: Transaction,
  outbox: Outbox,
  { accountId, from, email, enabled, isNewlySent = false }: DestinationChange,
): Promise<boolean | null> {
  const {
    display_name: name,
    forwarding_email: storedEmail,
    forwarding_confirmed: confirmed,
    forwarding_enabled: wasEnabled,
  } = from;
  const send = (kind: 'confirmation' | 'change', address: string, isForwarding: boolean) =>
    outbox.enqueue(trx, { kind, accountId, address, name: name ?? address, isForwarding });
  if (email !== storedEmail) {
    await cancelConfirmations(trx, accountId);
    const keepsLoginEmail = email === null && from.login_email !== null;
    if (storedEmail !== null && confirmed && (wasEnabled || !keepsLoginEmail))
      await send('change', storedEmail, wasEnabled);
  } else if (confirmed) return true;
  if (email === null) return null;
  if (await isDestinationConfirmed(trx, accountId, email)) return true;
  if (!outbox.isAvailable) return null;
  if (enabled || isNewlySent) await send('confirmation', email, enabled);
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
  db: Database,
  forwarding: Forwarding,
  token: string,
): Promise<Confirmation | undefined> {
  const tokenHash = hashToken(token);
  return inTransaction(db, async (trx) => {
    const unlocked = await findConfirmation(trx, tokenHash);
    if (!unlocked) return undefined;
    await lockForwardingSettings(trx, unlocked.accountId);
    // The address may have changed before this transaction got the lock.
    const confirmation = await findConfirmation(trx, tokenHash);
    if (!confirmation) return undefined;
    await confirmForwarding(trx, confirmation);
    if (confirmation.isForwarding) await forwarding.enqueueSync(trx, confirmation.name);
    return confirmation;
  });
}
