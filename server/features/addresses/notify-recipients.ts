import type { Transaction } from '#db/connections/handles.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import type { NewRecipient, RecipientRow } from '#db/queries/addresses.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import type { Core } from '#server/core.ts';
import { OPERATOR_ACTOR } from '#server/platform/caller.ts';
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

interface GroupAddressChange {
  name: string;
  formerName: string | undefined;
  isDeleted: boolean;
  operatorId: string | null;
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
  { name, formerName, isDeleted, operatorId }: GroupAddressChange,
  { added, removed, renamed }: ChangedRecipients,
): Promise<void> {
  const { config, outbox } = app;
  const group = `${name}@${config.MAIL_DOMAIN}`;
  // Readers who are removed know only the former name.
  const formerGroup = `${formerName ?? name}@${config.MAIL_DOMAIN}`;
  for (const { id, account_id: accountId } of added)
    if (accountId === undefined) await mailOutsideReader(trx, outbox, { id, operatorId });
    else {
      const detail = { address: group, by: OPERATOR_ACTOR };
      await storeEvent(trx, app, { accountId, type: 'group_address_joined', detail });
      await mailMember(trx, outbox, { accountId, group, operatorId });
    }
  for (const { id, account_id: accountId, email, state } of removed)
    if (accountId !== null && state !== 'stopped') {
      const detail = { address: formerGroup, by: OPERATOR_ACTOR };
      await storeEvent(trx, app, { accountId, type: 'group_address_left', detail });
      const removal = { group: formerGroup, isRemoved: true, isDeleted };
      await mailMember(trx, outbox, { accountId, operatorId, ...removal });
    } else if (email !== null && state === 'active') {
      const removal = { address: email, group: formerGroup, isDeleted };
      await mailOutsideReader(trx, outbox, { id, operatorId, removed: removal });
    }
  for (const { id, account_id: accountId, state } of renamed) {
    const rename = { operatorId, from: formerGroup };
    if (state !== 'active') continue;
    if (accountId === null) await mailOutsideReader(trx, outbox, { id, ...rename });
    else await mailMember(trx, outbox, { accountId, group, ...rename });
  }
}

type MemberMail = Pick<GroupMailData, 'accountId' | 'group'> &
  Partial<Pick<GroupMailData, 'isRemoved' | 'isDeleted' | 'from'>>;

/** The operator who makes the change gets no mail about it. */
async function mailMember(
  trx: Transaction,
  outbox: Outbox,
  { operatorId, ...mail }: MemberMail & { operatorId: string | null },
): Promise<void> {
  if (mail.accountId === operatorId) return;
  const by = await findOperatorName(trx, operatorId);
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
  }: { id: string; operatorId: string | null } & Pick<OutsideReaderMailData, 'from' | 'removed'>,
): Promise<void> {
  if (!change.from && !change.removed && outbox.isAvailable)
    await outbox.countUnconfirmed(trx, 'forwarding');
  await outbox.enqueue(trx, outsideReaderMail, {
    recipientId: id,
    ...change,
    by: await findOperatorName(trx, operatorId),
    language: operatorId === null ? 'en' : await findAccountLanguage(trx, operatorId),
  });
}

async function findOperatorName(trx: Transaction, operatorId: string | null) {
  return (operatorId !== null && (await findDisplayName(trx, operatorId))) || null;
}
