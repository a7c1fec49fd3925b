import type { Kysely, Transaction } from 'kysely';
import type { ReadDatabase } from '#db/connections/read-database.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  confirmForwarding,
  findConfirmation,
  isDestinationConfirmed,
  cancelConfirmations,
} from '#db/queries/forwarding/confirmations.ts';
import {
  type LockedForwardingSettings,
  lockForwardingSettings,
} from '#db/queries/forwarding/forwarding-settings.ts';
import type { Database } from '#db/schema.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { hashToken, isToken } from '#server/token.ts';
import type { Forwarding } from './forwarding.ts';

/** Domains that cannot receive mail from the internet. */
const SPECIAL_USE_DOMAINS = [
  'arpa',
  'example',
  'internal',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'test',
];

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
}

/**
 * Resolves to whether `email` is confirmed. Resolves to null if `email` is null, or if it is not
 * confirmed and the server cannot send mail.
 */
export async function requestConfirmation(
  trx: Transaction<Database>,
  outbox: Outbox,
  { accountId, from, email, enabled }: DestinationChange,
): Promise<boolean | null> {
  const {
    display_name: name,
    forwarding_email: storedEmail,
    forwarding_confirmed: confirmed,
  } = from;
  const send = async (kind: 'confirmation' | 'change', address: string) => {
    if (name !== null) await outbox.enqueue(trx, { kind, accountId, address, name });
  };
  if (email !== storedEmail) {
    await cancelConfirmations(trx, accountId);
    if (storedEmail !== null && confirmed) await send('change', storedEmail);
  } else if (confirmed) return true;
  if (email === null) return null;
  if (await isDestinationConfirmed(trx, accountId, email)) return true;
  if (!outbox.isAvailable) return null;
  if (enabled) await send('confirmation', email);
  // Addresses from before the server could send mail stay in use, although they are not confirmed.
  return email === storedEmail && from.forwarding_enabled ? confirmed : false;
}

export async function findNameByConfirmationToken(
  readDb: ReadDatabase,
  token: string,
): Promise<string | undefined> {
  if (!isToken(token)) return undefined;
  return (await findConfirmation(readDb, hashToken(token)))?.name;
}

/** Resolves to the display name, or to undefined if the link is invalid. Each link works once. */
export async function confirmDestination(
  db: Kysely<Database>,
  forwarding: Forwarding,
  token: string,
): Promise<string | undefined> {
  const tokenHash = hashToken(token);
  return inTransaction(db, async (trx) => {
    const unlocked = await findConfirmation(trx, tokenHash);
    if (!unlocked) return undefined;
    await lockForwardingSettings(trx, unlocked.accountId);
    // The address may have changed before this transaction got the lock.
    const confirmation = await findConfirmation(trx, tokenHash);
    if (!confirmation) return undefined;
    await confirmForwarding(trx, confirmation);
    await forwarding.enqueueSync(trx, confirmation.name);
    return confirmation.name;
  });
}
