import type { Transaction } from 'kysely';
import { isConfirmed, withdrawConfirmations } from '../../../db/queries/confirmations.ts';
import { type MailKind, requestMail } from '../../../db/queries/destination-mails.ts';
import type { LockedProfile } from '../../../db/queries/profiles.ts';
import type { Database } from '../../../db/schema.ts';
import type { Forwarding } from './service.ts';

/** A change of where an account's mail goes. */
export interface DestinationChange {
  accountId: string;
  from: LockedProfile;
  /** Null for nowhere. */
  email: string | null;
  enabled: boolean;
}

/**
 * Whether mail may go to the address that an account wants now. Where the service sends mail, its
 * owner is asked first, and the one before it is told.
 */
export async function askDestination(
  trx: Transaction<Database>,
  { mail }: Forwarding,
  { accountId, from, email, enabled }: DestinationChange,
): Promise<boolean> {
  if (!mail) return true;
  const { display_name: name, forwarding_email: stored, forwarding_confirmed: agreed } = from;
  const send = async (kind: MailKind, address: string) => {
    if (name === null) return;
    const id = await requestMail(trx, { accountId, kind, address, name });
    if (id !== undefined) await mail(trx, id);
  };
  if (email !== stored) {
    await withdrawConfirmations(trx, accountId);
    if (stored !== null && agreed) await send('change', stored);
  } else if (agreed) return true;
  if (email === null || (await isConfirmed(trx, accountId, email))) return true;
  if (enabled) await send('confirmation', email);
  return false;
}
