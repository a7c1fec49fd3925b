import type { Kysely, Transaction } from 'kysely';
import type { Reads } from '#db/connections/databases.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  confirm,
  findConfirmation,
  isConfirmed,
  withdrawConfirmations,
} from '#db/queries/forwarding/confirmations.ts';
import {
  type LockedForwardingSettings,
  lockForwardingSettings,
} from '#db/queries/forwarding/forwarding-settings.ts';
import type { Database } from '#db/schema.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { hashToken, isToken } from '#server/token.ts';
import type { Forwarding } from './forwarding.ts';

/** Domains that lead nowhere, or to where no mail from outside belongs. */
const SPECIAL_USE = [
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

/** Whether no mail may be forwarded to a domain: one of special use, or one of the operator's. */
export function isRefusedDomain(domain: string, more: readonly string[]): boolean {
  return isWithin(domain, [...SPECIAL_USE, ...more]);
}

/** Whether a domain is one of these, or below one. */
export function isWithin(domain: string, parents: readonly string[]): boolean {
  return parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}

interface DestinationChange {
  accountId: string;
  from: LockedForwardingSettings;
  /** Null for nowhere. */
  email: string | null;
  enabled: boolean;
}

/**
 * Mails a confirmation request to the address that an account wants now, and tells the previous one.
 * Returns true if the address is confirmed, false if it gets no mail until then, null if mail is
 * forwarded without confirmation because there is no mail server.
 */
export async function askDestination(
  trx: Transaction<Database>,
  outbox: Outbox,
  { accountId, from, email, enabled }: DestinationChange,
): Promise<boolean | null> {
  const { display_name: name, forwarding_email: stored, forwarding_confirmed: confirmed } = from;
  const send = async (kind: 'confirmation' | 'change', address: string) => {
    if (name !== null) await outbox.send(trx, { kind, accountId, address, name });
  };
  if (email !== stored) {
    await withdrawConfirmations(trx, accountId);
    if (stored !== null && confirmed) await send('change', stored);
  } else if (confirmed) return true;
  if (email === null) return null;
  if (await isConfirmed(trx, accountId, email)) return true;
  if (!outbox.isAvailable) return null;
  if (enabled) await send('confirmation', email);
  // An address from before there was a mail server keeps its mail until it is confirmed.
  return email === stored && from.forwarding_enabled ? confirmed : false;
}

/** The name whose mail a link is about; undefined if the link is not, or no longer, valid. */
export async function findLinkedName(reads: Reads, token: string): Promise<string | undefined> {
  if (!isToken(token)) return undefined;
  return (await findConfirmation(reads, hashToken(token)))?.name;
}

/** Confirms the address that a link was sent to, once. Returns as `findLinkedName`. */
export async function confirmDestination(
  db: Kysely<Database>,
  forwarding: Forwarding,
  token: string,
): Promise<string | undefined> {
  const tokenHash = hashToken(token);
  return inTransaction(db, async (trx) => {
    const seen = await findConfirmation(trx, tokenHash);
    if (!seen) return undefined;
    await lockForwardingSettings(trx, seen.accountId);
    // The transaction that held the lock may have changed the address.
    const found = await findConfirmation(trx, tokenHash);
    if (!found) return undefined;
    await confirm(trx, found);
    await forwarding.queue(trx, found.name);
    return found.name;
  });
}
