import { findAccountLanguage } from '#db/queries/accounts.ts';
import type { NewRecipient, RecipientRow } from '#db/queries/addresses.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { OPERATOR_ACTOR } from '#server/platform/caller.ts';
import type { Core } from '#server/core.ts';
import type { Outbox } from '#server/platform/mail/outbox.ts';
import { storeEvent } from '../events/log-event.ts';
import type { ForwardingService } from '../forwarding/forwarding.ts';
import {
  groupMembershipMail,
  type GroupMailData,
  outsideReaderMail,
  type OutsideReaderMailData,
} from './group-mails.ts';

export type AddressApp = Pick<Core, 'allowances' | 'config' | 'outbox'> & {
  forwarding: ForwardingService;
};

interface AddressChange {
  name: string;
  formerName: string | undefined;
  isDeleted: boolean;
  operatorId: string;
}

interface ChangedRecipients {
  added: readonly (NewRecipient & { id: string })[];
  removed: readonly RecipientRow[];
  /** Those who stay, if the address was renamed. */
  renamed: readonly RecipientRow[];
}

/**
 * Members get an event and a mail. Outside addresses are asked by mail to confirm; after that, they get
 * mails, too. Readers who had stopped the mail themselves get nothing.
 */
export async function notifyRecipients(
  trx: Transaction,
  app: AddressApp,
  { name, formerName, isDeleted, operatorId }: AddressChange,
  { added, removed, renamed }: ChangedRecipients,
): Promise<void> {
  const group = `${name}@${app.config.MAIL_DOMAIN}`;
  // Readers who are removed know only the former name.
  const formerGroup = `${formerName ?? name}@${app.config.MAIL_DOMAIN}`;
  for (const { id, account_id: accountId } of added)
    if (accountId === undefined) await mailOutsideReader(trx, app.outbox, { id, operatorId });
    else await notifyJoined(trx, app, operatorId, { accountId, group });
  for (const reader of removed)
    if (reader.state !== 'stopped')
      await notifyRemoved(trx, app, operatorId, reader, { group: formerGroup, isDeleted });
  for (const { id, account_id: accountId, state } of renamed) {
    if (state !== 'active') continue;
    const rename = { operatorId, from: formerGroup };
    if (accountId === null) await mailOutsideReader(trx, app.outbox, { id, ...rename });
    else await mailMember(trx, app.outbox, { accountId, group, ...rename });
  }
}

async function notifyJoined(
  trx: Transaction,
  { allowances, outbox }: AddressApp,
  operatorId: string,
  { accountId, group }: { accountId: string; group: string },
): Promise<void> {
  const detail = { address: group, by: OPERATOR_ACTOR };
  await storeEvent(trx, { allowances }, { accountId, type: 'group_address_joined', detail });
  await mailMember(trx, outbox, { accountId, group, operatorId });
}

async function notifyRemoved(
  trx: Transaction,
  { allowances, outbox }: AddressApp,
  operatorId: string,
  { id, account_id: accountId, email, state }: RecipientRow,
  { group, isDeleted }: { group: string; isDeleted: boolean },
): Promise<void> {
  if (accountId !== null) {
    const detail = { address: group, by: OPERATOR_ACTOR };
    await storeEvent(trx, { allowances }, { accountId, type: 'group_address_left', detail });
    await mailMember(trx, outbox, { accountId, group, operatorId, isRemoved: true, isDeleted });
  } else if (email !== null && state === 'active') {
    const removed = { address: email, group, isDeleted };
    await mailOutsideReader(trx, outbox, { id, operatorId, removed });
  }
}

/** The operator who makes the change gets no mail about it. */
async function mailMember(
  trx: Transaction,
  outbox: Outbox,
  {
    operatorId,
    ...mail
  }: { operatorId: string; accountId: string; group: string } & Partial<
    Pick<GroupMailData, 'isRemoved' | 'isDeleted' | 'from'>
  >,
): Promise<void> {
  if (mail.accountId === operatorId) return;
  const by = (await findDisplayName(trx, operatorId)) ?? null;
  await outbox.mailOwner(trx, groupMembershipMail, { isRemoved: false, ...mail, by });
}

/** Without `from` and `removed`, the mail asks for a confirmation. */
export async function mailOutsideReader(
  trx: Transaction,
  outbox: Outbox,
  {
    id,
    operatorId,
    ...change
  }: { id: string; operatorId: string } & Pick<OutsideReaderMailData, 'from' | 'removed'>,
): Promise<void> {
  if (!change.from && !change.removed && outbox.isAvailable)
    await outbox.countUnconfirmed(trx, 'forwarding');
  await outbox.enqueue(trx, outsideReaderMail, {
    recipientId: id,
    ...change,
    by: (await findDisplayName(trx, operatorId)) ?? null,
    language: await findAccountLanguage(trx, operatorId),
  });
}
