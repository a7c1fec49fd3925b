import { RECIPIENT_REFUSALS } from '#contract/owner/addresses.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import {
  type AddressRow,
  deleteRecipients,
  insertRecipient,
  listRecipients,
  lockAddress,
  type NewRecipient,
} from '#db/queries/addresses.ts';
import { isWaitingAccount } from '#db/queries/applications.ts';
import { findNameOwner } from '#db/queries/display-names.ts';
import { hasRow } from '#db/queries/rows.ts';
import type { Core } from '#server/core.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { explainRefusedDomain } from '../forwarding/allowed-domains.ts';
import { diffRecipients } from './diff-recipients.ts';
import { type AddressApp, notifyRecipients } from './notify-recipients.ts';

const refuse = createRefuser(RECIPIENT_REFUSALS);

interface RecipientsChange {
  /** With the new name, after a rename. */
  address: AddressRow;
  /** Undefined: they stay. */
  recipients?: readonly RequestedRecipient[] | undefined;
  formerName?: string | undefined;
  /** Whether the address will be deleted. */
  isDeleted?: boolean;
  operatorId: string;
}

interface RequestedRecipient {
  account_id?: string | null | undefined;
  email?: string | null | undefined;
}

/**
 * Changes who reads an address, and notifies them. Locks the accounts of readers, then the address, so
 * the caller syncs aliases afterwards. The caller holds the lock of `lockAddressChanges`, so no other
 * operator adds readers meanwhile.
 */
export async function changeRecipients(
  trx: Transaction,
  app: AddressApp,
  { address, recipients, formerName, isDeleted = false, operatorId }: RecipientsChange,
): Promise<void> {
  const wanted = recipients && (await resolveRecipients(trx, app.config, recipients));
  const current = await listRecipients(trx, [address.id]);
  const { added, removed, kept } = diffRecipients(current, wanted);
  if (wanted && added.length + kept.length > 1 && app.forwarding.recipientLimit === 1)
    throw refuse('severalRecipientsUnavailable');
  if (added.some(({ email }) => email !== undefined) && !app.outbox.isAvailable)
    throw refuse('mailUnavailable');
  const renamed = formerName === undefined ? [] : kept;
  await lockMembers(trx, added, [...removed, ...renamed]);
  await lockAddress(trx, address.id);
  await deleteRecipients(
    trx,
    removed.map(({ id }) => id),
  );
  const inserted = [];
  for (const recipient of added)
    inserted.push({ ...recipient, id: await insertRecipient(trx, address.id, recipient) });
  const change = { name: address.name, formerName, isDeleted, operatorId };
  await notifyRecipients(trx, app, change, { added: inserted, removed, renamed });
}

/** Without these locks, an address that a member changes at the same time could be missed. */
async function lockMembers(
  trx: Transaction,
  added: readonly NewRecipient[],
  others: readonly { account_id: string | null }[],
): Promise<void> {
  const ids = [...added, ...others].flatMap(({ account_id }) => account_id ?? []);
  const existing = await lockAccounts(trx, ids);
  for (const { account_id: member } of added)
    if (member !== undefined && !existing.has(member)) throw refuse('memberNotFound', { member });
}

async function resolveRecipients(
  trx: Transaction,
  config: Core['config'],
  recipients: readonly RequestedRecipient[],
): Promise<NewRecipient[]> {
  const resolved: NewRecipient[] = [];
  for (const recipient of recipients) resolved.push(await resolveRecipient(trx, config, recipient));
  return resolved;
}

/** Replaces an address at this server by its member: forwarding to the address could loop. */
async function resolveRecipient(
  trx: Transaction,
  config: Core['config'],
  { account_id, email }: RequestedRecipient,
): Promise<NewRecipient> {
  if (account_id) {
    if (!(await hasRow(trx, 'accounts', account_id)) || (await isWaitingAccount(trx, account_id)))
      throw refuse('memberNotFound', { member: account_id });
    return { account_id: account_id.toLowerCase() };
  }
  const [name = '', domain] = email!.toLowerCase().split('@');
  if (domain === config.MAIL_DOMAIN) {
    const owner = await findNameOwner(trx, name);
    if (owner === undefined || (await isWaitingAccount(trx, owner)))
      throw refuse('recipientLoop', { email: email! });
    return { account_id: owner };
  }
  const problem = explainRefusedDomain(email!, config);
  if (problem) throw refuse('emailDomainRefused', { problem });
  return { email: email! };
}
