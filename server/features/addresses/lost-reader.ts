import type { Transaction } from '#db/connections/handles.ts';
import {
  keepMissingReaders,
  listAddressesOf,
  listRecipients,
  lockAddress,
} from '#db/queries/addresses.ts';
import { lockWithOperators } from '#db/queries/operators.ts';
import type { Core } from '#server/core.ts';
import { mailOperators } from '#server/platform/mail/mail-operators.ts';
import type { Facts } from '../facts.ts';
import type { ForwardingService } from '../forwarding/forwarding.ts';
import { lostReaderMail } from './group-mails.ts';

interface LostReader {
  /** The group address. */
  addressId: string;
  name: string;
  /** Display name or outside address. Null for a member without a name. */
  reader: string | null;
  isDeleted?: boolean;
}

/**
 * Locks what a reader who leaves may change, in the order of all writes: the accounts of the reader and
 * of the operators, then the address. So if two readers leave at once, the last one counts as the last.
 */
export async function lockForReader(
  trx: Transaction,
  addressId: string,
  accountIds: readonly string[],
): Promise<void> {
  await lockWithOperators(trx, accountIds);
  await lockAddress(trx, addressId);
}

/** Tells operators about a reader who left or whose account was deleted. Call after the change. */
export async function mailLostReader(
  trx: Transaction,
  { config, outbox }: Pick<Core, 'config' | 'outbox'>,
  { addressId, name, reader, isDeleted = false }: LostReader,
): Promise<void> {
  const recipients = await listRecipients(trx, [addressId]);
  const group = `${name}@${config.MAIL_DOMAIN}`;
  const isUnread = recipients.every(({ state }) => state !== 'active');
  // A reader who leaves and returns repeatedly must not use up the hourly limit.
  const options = isDeleted ? {} : { sender: reader ?? addressId };
  const mail = { group, reader, isDeleted, isUnread };
  await mailOperators(trx, outbox, lostReaderMail, mail, options);
}

/** When the account is closed. */
export async function removeFromGroups(
  trx: Transaction,
  app: Pick<Core, 'config' | 'outbox'> & { forwarding: ForwardingService },
  { accountId, name: reader }: Facts['accountClosed'],
): Promise<void> {
  const groups = await listAddressesOf(trx, accountId);
  for (const { id } of groups) await lockForReader(trx, id, [accountId]);
  await keepMissingReaders(trx, accountId);
  for (const { id: addressId, name, stopped_at } of groups) {
    await app.forwarding.enqueueSync(trx, name);
    if (stopped_at === null)
      await mailLostReader(trx, app, { addressId, name, reader, isDeleted: true });
  }
}
