import {
  leaveAddresses,
  listAddressesOf,
  listRecipients,
  lockAddress,
} from '#db/queries/addresses.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { readerMail } from './group-mails.ts';
import { mailOperators } from '#server/platform/mail/mail-operators.ts';
import type { ClosedAccount } from '../define-feature.ts';
import type { Core } from '#server/core.ts';

interface LostReader {
  /** The group address. */
  addressId: string;
  name: string;
  /** Display name or outside address. Null for a member without a name. */
  reader: string | null;
  isDeleted?: boolean;
}

/** Tells operators about a reader who left or whose account was deleted. Call after the change. */
export async function mailLostReader(
  trx: Transaction,
  { config, outbox }: Pick<Core, 'config' | 'outbox'>,
  { addressId, name, reader, isDeleted = false }: LostReader,
): Promise<void> {
  // Serializes readers who leave at the same time, so that the last one counts as the last.
  await lockAddress(trx, addressId);
  const recipients = await listRecipients(trx, [addressId]);
  const group = `${name}@${config.MAIL_DOMAIN}`;
  const isUnread = recipients.every(({ state }) => state !== 'active');
  // A reader who leaves and returns repeatedly must not use up the hourly limit.
  const options = isDeleted ? {} : { sender: reader ?? addressId };
  await mailOperators(trx, outbox, readerMail, { group, reader, isDeleted, isUnread }, options);
}

export async function leaveGroups(
  trx: Transaction,
  app: Pick<Core, 'config' | 'outbox'>,
  { accountId, name: reader }: ClosedAccount,
): Promise<void> {
  const groups = await listAddressesOf(trx, accountId);
  await leaveAddresses(trx, accountId);
  for (const { id: addressId, name, stopped_at } of groups)
    if (stopped_at === null)
      await mailLostReader(trx, app, { addressId, name, reader, isDeleted: true });
}
