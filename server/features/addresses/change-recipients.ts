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
import type { App } from '#server/app.ts';
import { OPERATOR_ACTOR } from '#server/platform/caller.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { storeEvent } from '../events/log-event.ts';
import { explainRefusedDomain } from '../forwarding/destinations.ts';
import type { Outbox } from '../mails/outbox.ts';

const refuse = createRefuser(RECIPIENT_REFUSALS);

type AddressApp = Pick<App, 'allowances' | 'config' | 'forwarding' | 'outbox'>;

interface RecipientsChange {
  /** The caller holds its lock. */
  address: AddressRow;
  recipients: readonly {
    account_id?: string | null | undefined;
    email?: string | null | undefined;
  }[];
  caller: { accountId: string };
}

/** Tells each member by event and mail, and asks outside addresses by mail to confirm. */
export async function changeRecipients(
  trx: Transaction,
  app: AddressApp,
  { address, recipients, caller }: RecipientsChange,
): Promise<void> {
  const wanted = new Map<string, NewRecipient>();
  for (const recipient of recipients) {
    const resolved = await resolveRecipient(trx, app.config, recipient);
    wanted.set(keyOf(resolved), resolved);
  }
  if (wanted.size > 1 && app.forwarding.recipientLimit === 1)
    throw refuse('severalRecipientsUnavailable');
  const rows = await listRecipients(trx, [address.id]);
  const current = new Map(rows.map((row) => [keyOf(row), row]));
  const added = [...wanted].filter(([key]) => !current.has(key)).map(([, recipient]) => recipient);
  const removed = [...current].filter(([key]) => !wanted.has(key)).map(([, row]) => row);
  const accountIds = [...added, ...removed].flatMap(({ account_id }) => account_id ?? []);
  // Otherwise, an address that a member changes at the same time could be missed.
  if (accountIds.length > 0) await lockAccounts(trx, accountIds);
  await deleteRecipients(
    trx,
    removed.map(({ id }) => id),
  );
  for (const recipient of added) {
    if (recipient.email !== undefined && !app.outbox.isAvailable) throw refuse('mailUnavailable');
    const id = await insertRecipient(trx, address.id, recipient);
    if (recipient.email !== undefined)
      await askRecipient(trx, app.outbox, { id, operatorId: caller.accountId });
  }
  for (const { account_id } of added) await tellMember(trx, app, { account_id, address, caller });
  for (const { account_id } of removed)
    await tellMember(trx, app, { account_id, address, caller, isRemoved: true });
  await app.forwarding.enqueueSync(trx, address.name);
}

async function tellMember(
  trx: Transaction,
  { allowances, config, outbox }: AddressApp,
  {
    account_id: accountId,
    address: { name },
    caller,
    isRemoved = false,
  }: Omit<RecipientsChange, 'recipients'> & {
    account_id?: string | null | undefined;
    isRemoved?: boolean;
  },
): Promise<void> {
  if (!accountId) return;
  const address = `${name}@${config.MAIL_DOMAIN}`;
  const type = isRemoved ? 'group_address_left' : 'group_address_joined';
  await storeEvent(
    trx,
    { allowances },
    { accountId, type, detail: { address, by: OPERATOR_ACTOR } },
  );
  if (accountId === caller.accountId) return;
  const by = (await findDisplayName(trx, caller.accountId)) ?? null;
  await outbox.enqueue(trx, { kind: 'group', accountId, group: address, by, isRemoved });
}

/** Rows of deleted accounts have only an id, so they equal no new recipient. */
function keyOf({
  account_id,
  email,
  id = '',
}: RecipientsChange['recipients'][number] & { id?: string }): string {
  return account_id ?? email?.toLowerCase() ?? id;
}

/** Replaces an address at this server by its member: forwarding to the address could loop. */
async function resolveRecipient(
  trx: Transaction,
  config: App['config'],
  { account_id, email }: RecipientsChange['recipients'][number],
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

/** Mails a link that confirms the address, and ends the forwarding later. */
export async function askRecipient(
  trx: Transaction,
  outbox: Outbox,
  { id: recipientId, operatorId }: { id: string; operatorId: string },
): Promise<void> {
  await outbox.enqueue(trx, {
    kind: 'recipient',
    recipientId,
    by: (await findDisplayName(trx, operatorId)) ?? null,
    language: await findAccountLanguage(trx, operatorId),
  });
}
