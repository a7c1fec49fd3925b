import { RECIPIENT_REFUSALS } from '#contract/owner/addresses.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import {
  type AddressRow,
  deleteRecipients,
  insertRecipient,
  listAddressesOfGroup,
  listRecipients,
  lockAddress,
  type NewRecipient,
  type RecipientRow,
  setReadersByHand,
} from '#db/queries/addresses.ts';
import { isWaitingAccount } from '#db/queries/applications.ts';
import { findNameOwner } from '#db/queries/display-names.ts';
import { listMemberIds } from '#db/queries/groups.ts';
import { hasRow } from '#db/queries/rows.ts';
import type { Core } from '#server/core.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { Facts } from '../facts.ts';
import { explainRefusedDomain } from '../forwarding/allowed-domains.ts';
import { diffRecipients } from './diff-recipients.ts';
import { type AddressApp, notifyRecipients } from './notify-recipients.ts';

const refuse = createRefuser(RECIPIENT_REFUSALS);

interface RecipientsChange {
  /** With the new name, after a rename. */
  address: AddressRow;
  /** Those whom operators enter. Undefined: they stay. */
  recipients?: readonly RequestedRecipient[] | undefined;
  formerName?: string | undefined;
  /** Whether the group of the address, or its members, changed. */
  isGroupChanged?: boolean;
  /** Whether the address will be deleted. */
  isDeleted?: boolean;
  /** Null: a member joined or left a group without one. */
  operatorId: string | null;
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
  change: RecipientsChange,
): Promise<void> {
  const { address, recipients, formerName, isDeleted = false, operatorId } = change;
  const current = await listRecipients(trx, [address.id]);
  const byHand = recipients
    ? await resolveRecipients(trx, app.config, recipients)
    : current.filter((row) => row.by_hand).flatMap(toNewRecipient);
  const isChanged = recipients !== undefined || change.isGroupChanged === true;
  const byGroup =
    address.group_id === null || isDeleted ? [] : await listMemberIds(trx, address.group_id);
  const wanted = isChanged
    ? [...byHand, ...byGroup.map((account_id) => ({ account_id }))]
    : undefined;
  const { removed, kept, ...diff } = diffRecipients(current, wanted);
  const room = Math.max(0, app.forwarding.recipientLimit - kept.length);
  const added = operatorId === null ? diff.added.slice(0, room) : diff.added;
  if (added.length > 0 && added.length + kept.length > LIMITS.addressRecipients)
    throw refuse('readerLimitReached', { limit: LIMITS.addressRecipients, name: address.name });
  const isSeveral = added.length + kept.length > 1 && app.forwarding.recipientLimit === 1;
  if (operatorId !== null && wanted && isSeveral) throw refuse('severalRecipientsUnavailable');
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
  if (wanted)
    await setReadersByHand(
      trx,
      address.id,
      byHand.flatMap(({ account_id }) => account_id ?? []),
    );
  const subject = { name: address.name, formerName, isDeleted, operatorId };
  await notifyRecipients(trx, app, subject, { added: inserted, removed, renamed });
}

/** Nothing for a reader whose account was deleted. */
function toNewRecipient({ account_id, email }: RecipientRow): NewRecipient[] {
  if (account_id !== null) return [{ account_id }];
  return email === null ? [] : [{ email }];
}

/** Members of a group joined or left it, or it was deleted or brought back. */
export async function followGroup(
  trx: Transaction,
  app: AddressApp,
  { groupId, operatorId }: Facts['groupChanged'],
): Promise<void> {
  for (const address of await listAddressesOfGroup(trx, groupId)) {
    await changeRecipients(trx, app, { address, isGroupChanged: true, operatorId });
    await app.forwarding.enqueueSync(trx, address.name);
  }
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
