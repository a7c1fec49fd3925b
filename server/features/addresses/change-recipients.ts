import { RECIPIENT_REFUSALS } from '#contract/owner/addresses.ts';
import { findAccountLanguage, lockAccounts } from '#db/queries/accounts.ts';
import {
  type AddressRow,
  deleteRecipients,
  insertRecipient,
  listRecipients,
  type NewRecipient,
} from '#db/queries/addresses.ts';
import { findDisplayName, findNameOwner } from '#db/queries/display-names.ts';
import { hasRow } from '#db/queries/rows.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { OPERATOR_ACTOR } from '#server/platform/caller.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { storeEvent } from '../events/log-event.ts';
import { explainRefusedDomain } from '../forwarding/allowed-domains.ts';
import type { Outbox } from '#server/platform/mail/outbox.ts';
import type { ForwardingService } from '../forwarding/forwarding.ts';
import { groupMail, recipientMail, type RecipientMailData } from './group-mails.ts';
import type { Core } from '#server/core.ts';

const refuse = createRefuser(RECIPIENT_REFUSALS);

type AddressApp = Pick<Core, 'allowances' | 'config' | 'outbox'> & {
  forwarding: ForwardingService;
};

interface RecipientsChange {
  /** The caller holds its lock. */
  address: AddressRow;
  /** Default: as before. */
  recipients?: readonly Recipient[] | undefined;
  /** The former name, after a rename. */
  from?: string | undefined;
  /** Whether the address is deleted. */
  isDeleted?: boolean;
  operatorId: string;
}

interface Recipient {
  account_id?: string | null | undefined;
  email?: string | null | undefined;
}

/**
 * Tells members who are added or removed by event and mail, and asks outside addresses by mail to
 * confirm. Readers elsewhere get a mail when they are removed, and all who stay one about a new name.
 * Readers who left before get nothing.
 */
export async function changeRecipients(
  trx: Transaction,
  app: AddressApp,
  { address, recipients, from, isDeleted = false, operatorId }: RecipientsChange,
): Promise<void> {
  const wanted = new Map<string, NewRecipient>();
  for (const recipient of recipients ?? []) {
    const resolved = await resolveRecipient(trx, app.config, recipient);
    wanted.set(keyOf(resolved), resolved);
  }
  if (wanted.size > 1 && app.forwarding.recipientLimit === 1)
    throw refuse('severalRecipientsUnavailable');
  const rows = await listRecipients(trx, [address.id]);
  const current = new Set(rows.map(keyOf));
  const added = [...wanted].filter(([key]) => !current.has(key)).map(([, recipient]) => recipient);
  const removed = recipients ? rows.filter((row) => !wanted.has(keyOf(row))) : [];
  const renamed = from === undefined ? [] : rows.filter((row) => !removed.includes(row));
  const accountIds = [...added, ...removed, ...renamed].flatMap((row) => row.account_id ?? []);
  // Otherwise, an address that a member changes at the same time could be missed.
  const accounts = await lockAccounts(trx, accountIds);
  for (const { account_id: member } of added)
    if (member !== undefined && !accounts.has(member)) throw refuse('memberNotFound', { member });
  await deleteRecipients(
    trx,
    removed.map(({ id }) => id),
  );
  for (const recipient of added) {
    if (recipient.email !== undefined && !app.outbox.isAvailable) throw refuse('mailUnavailable');
    const id = await insertRecipient(trx, address.id, recipient);
    if (recipient.email !== undefined) await mailRecipient(trx, app.outbox, { id, operatorId });
  }
  for (const { account_id } of added)
    await tellMember(trx, app, { account_id, address, operatorId });
  // Those who leave know only the former name.
  const former = { ...address, name: from ?? address.name };
  const formerEmail = `${former.name}@${app.config.MAIL_DOMAIN}`;
  for (const { id, account_id, email, state } of removed) {
    if (state === 'stopped') continue;
    if (account_id) {
      const removal = { account_id, address: former, operatorId, isRemoved: true, isDeleted };
      await tellMember(trx, app, removal);
    } else if (email && state === 'active') {
      const removal = { removed: { address: email, group: formerEmail, isDeleted } };
      await mailRecipient(trx, app.outbox, { id, operatorId, ...removal });
    }
  }
  for (const { id, account_id, state } of renamed) {
    const rename = { from: formerEmail };
    if (state !== 'active') continue;
    if (account_id) await tellMember(trx, app, { account_id, address, operatorId, ...rename });
    else await mailRecipient(trx, app.outbox, { id, operatorId, ...rename });
  }
  await app.forwarding.enqueueSync(trx, address.name);
}

async function tellMember(
  trx: Transaction,
  { allowances, config, outbox }: AddressApp,
  {
    account_id: accountId,
    address: { name },
    operatorId,
    isRemoved = false,
    isDeleted,
    from,
  }: Omit<RecipientsChange, 'recipients'> & Recipient & { isRemoved?: boolean },
): Promise<void> {
  if (!accountId) return;
  const address = `${name}@${config.MAIL_DOMAIN}`;
  const type = isRemoved ? 'group_address_left' : 'group_address_joined';
  const event = { accountId, type, detail: { address, by: OPERATOR_ACTOR } } as const;
  if (from === undefined) await storeEvent(trx, { allowances }, event);
  if (accountId === operatorId) return;
  const by = (await findDisplayName(trx, operatorId)) ?? null;
  const mail = { accountId, group: address, by, isRemoved, isDeleted, from };
  await outbox.mailOwner(trx, groupMail, mail);
}

/** Rows of deleted accounts have only an id, so they equal no new recipient. */
function keyOf({ account_id, email, id = '' }: Recipient & { id?: string }): string {
  return account_id ?? email?.toLowerCase() ?? id;
}

/** Replaces an address at this server by its member: forwarding to the address could loop. */
async function resolveRecipient(
  trx: Transaction,
  config: Core['config'],
  { account_id, email }: Recipient,
): Promise<NewRecipient> {
  if (account_id) {
    if (!(await hasRow(trx, 'accounts', account_id)))
      throw refuse('memberNotFound', { member: account_id });
    return { account_id: account_id.toLowerCase() };
  }
  const [name = '', domain] = email!.toLowerCase().split('@');
  if (domain === config.MAIL_DOMAIN) {
    const owner = await findNameOwner(trx, name);
    if (owner === undefined) throw refuse('recipientLoop', { email: email! });
    return { account_id: owner };
  }
  const problem = explainRefusedDomain(email!, config);
  if (problem) throw refuse('emailDomainRefused', { problem });
  return { email: email! };
}

type RecipientNews = Pick<RecipientMailData, 'from' | 'removed'>;

/** Mails a link that confirms an outside address, and ends the forwarding later. */
export async function mailRecipient(
  trx: Transaction,
  outbox: Outbox,
  { id, operatorId, ...about }: { id: string; operatorId: string } & RecipientNews,
): Promise<void> {
  if (!about.from && !about.removed && outbox.isAvailable)
    await outbox.countUnconfirmed(trx, 'forwarding');
  await outbox.enqueue(trx, recipientMail, {
    recipientId: id,
    ...about,
    by: (await findDisplayName(trx, operatorId)) ?? null,
    language: await findAccountLanguage(trx, operatorId),
  });
}
