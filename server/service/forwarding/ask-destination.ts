import type { Transaction } from 'kysely';
import {
  isConfirmed,
  withdrawConfirmations,
} from '../../../db/queries/forwarding/confirmations.ts';
import { type MailKind, requestMail } from '../../../db/queries/forwarding/destination-mails.ts';
import type { LockedProfile } from '../../../db/queries/profiles.ts';
import type { Database } from '../../../db/schema.ts';
import { boundUnconfirmedMail } from '../mail/bound-unconfirmed-mail.ts';
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
 * Whether the owner of the address that an account wants now has confirmed it: true if so, false while
 * it waits for that and gets no mail, null if mail goes there without anybody having been asked. Where
 * the service sends mail, an owner who has not confirmed is asked, and the one before is told.
 */
export async function askDestination(
  trx: Transaction<Database>,
  { mail }: Forwarding,
  { accountId, from, email, enabled }: DestinationChange,
  unconfirmedMailsPerHour = 0,
): Promise<boolean | null> {
  const { display_name: name, forwarding_email: stored, forwarding_confirmed: confirmed } = from;
  const send = async (kind: MailKind, address: string) => {
    if (!mail || name === null) return;
    const id = await requestMail(trx, { accountId, kind, address, name });
    if (id === undefined) return;
    if (kind === 'confirmation')
      await boundUnconfirmedMail(trx, 'forwarding', unconfirmedMailsPerHour);
    await mail(trx, id);
  };
  if (email !== stored) {
    await withdrawConfirmations(trx, accountId);
    if (stored !== null && confirmed) await send('change', stored);
  } else if (confirmed) return true;
  if (email === null) return null;
  if (await isConfirmed(trx, accountId, email)) return true;
  if (!mail) return null;
  if (enabled) await send('confirmation', email);
  // An address that has had mail since before the service could ask keeps it meanwhile.
  return email === stored && from.forwarding_enabled ? confirmed : false;
}
