import { sql } from 'kysely';
import type { RecipientState } from '#contract/owner/addresses.ts';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Row } from '#db/schema.ts';
import { countRows } from './rows.ts';

const COLUMNS = ['id', 'name', 'group_id', 'created_at'] as const;

export type AddressRow = Row<'addresses', (typeof COLUMNS)[number]>;

/** By name; with `id`, only that one. */
export async function listAddresses(db: ReadDatabase, id?: string): Promise<AddressRow[]> {
  const addresses = db.selectFrom('addresses').select(COLUMNS).orderBy('name');
  return (id === undefined ? addresses : addresses.where('id', '=', id)).execute();
}

export async function listAddressesOfGroup(
  db: ReadDatabase,
  groupId: string,
): Promise<AddressRow[]> {
  return db
    .selectFrom('addresses')
    .select(COLUMNS)
    .where('group_id', '=', groupId)
    .orderBy('name')
    .execute();
}

/** Changes of addresses and groups by operators wait for each other, so that parallel ones cannot exceed a limit. */
export async function lockAddressChanges(trx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('addresses', 0))`.execute(trx);
}

/** Locked after accounts, and before recipients and aliases. */
export async function lockAddress(trx: Transaction, id: string): Promise<void> {
  await trx.selectFrom('addresses').select('id').where('id', '=', id).forUpdate().execute();
}

export async function countAddresses(db: ReadDatabase): Promise<number> {
  return countRows(db, sql`addresses`);
}

export async function insertAddress(
  trx: Transaction,
  name: string,
  groupId: string | null = null,
): Promise<AddressRow> {
  return trx
    .insertInto('addresses')
    .values({ name, group_id: groupId })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function deleteAddress(trx: Transaction, { id, name }: AddressRow): Promise<void> {
  await trx.deleteFrom('addresses').where('id', '=', id).execute();
  await quarantineName(trx, name);
}

/** The caller has claimed the name. */
export async function renameAddress(
  trx: Transaction,
  address: AddressRow,
  name: string,
): Promise<void> {
  await trx.updateTable('addresses').set({ name }).where('id', '=', address.id).execute();
  await quarantineName(trx, address.name);
}

export async function setGroupOfAddress(
  trx: Transaction,
  id: string,
  groupId: string | null,
): Promise<void> {
  await trx.updateTable('addresses').set({ group_id: groupId }).where('id', '=', id).execute();
}

async function quarantineName(trx: Transaction, name: string): Promise<void> {
  await trx
    .updateTable('display_names')
    .set({ released_at: sql<Date>`now()` })
    .where('name', '=', name)
    .execute();
}

export interface RecipientRow {
  id: string;
  address_id: string;
  account_id: string | null;
  display_name: string | null;
  page_title: string | null;
  /** The mailbox. Null for a member without a confirmed one. */
  email: string | null;
  state: RecipientState;
  asked_at: Date | null;
  /** Whether an operator entered the reader, and whether the reader is in the group of the address. */
  by_hand: boolean;
  by_group: boolean;
}

/** What a reader has chosen. A member has confirmed by being one. */
const choice = sql<'waiting' | 'active' | 'stopped'>`CASE
  WHEN stopped_at IS NOT NULL THEN 'stopped'
  WHEN recipient.email IS NOT NULL AND confirmed_at IS NULL THEN 'waiting'
  ELSE 'active' END`;

const isByGroup = sql<boolean>`EXISTS (
  SELECT FROM addresses JOIN groups ON groups.id = addresses.group_id
  JOIN group_members ON group_members.group_id = groups.id
  WHERE addresses.id = recipient.address_id AND group_members.account_id = recipient.account_id
    AND deleted_at IS NULL)`;

/** Oldest first. */
export async function listRecipients(
  db: ReadDatabase,
  addressIds: readonly string[],
): Promise<RecipientRow[]> {
  return db
    .selectFrom('address_recipients as recipient')
    .leftJoin('accounts', 'accounts.id', 'recipient.account_id')
    .leftJoin('display_names', 'display_names.account_id', 'recipient.account_id')
    .leftJoin('sites', 'sites.account_id', 'recipient.account_id')
    .leftJoin('address_readers as reader', 'reader.id', 'recipient.id')
    .select(['recipient.id', 'recipient.address_id', 'recipient.account_id', 'recipient.asked_at'])
    .select(['recipient.by_hand', isByGroup.as('by_group')])
    .select(['display_names.name as display_name', 'sites.display_name as page_title'])
    .select([
      sql<string | null>`coalesce(reader.email, recipient.email)`.as('email'),
      sql<RecipientState>`CASE
        WHEN reader.id IS NOT NULL THEN 'active'
        WHEN recipient.account_id IS NULL AND recipient.email IS NULL THEN 'left'
        WHEN asked_at IS NOT NULL AND token_hash IS NULL THEN 'failed'
        WHEN ${choice} <> 'active' THEN ${choice}
        WHEN accounts.suspended_at IS NOT NULL THEN 'suspended'
        ELSE 'unreachable' END`.as('state'),
    ])
    .where('recipient.address_id', '=', sql<string>`ANY (${addressIds}::uuid[])`)
    .orderBy('recipient.created_at')
    .orderBy('recipient.id')
    .execute();
}

/** Names of addresses that nobody reads. Not those whose readers all wait. */
export async function listUnreadAddresses(db: ReadDatabase): Promise<string[]> {
  const addresses = await listAddresses(db);
  const recipients = await listRecipients(
    db,
    addresses.map(({ id }) => id),
  );
  return addresses.flatMap(({ id, name }) => {
    const states = recipients.filter((row) => row.address_id === id).map(({ state }) => state);
    const isNew = states.length > 0 && states.every((state) => state === 'waiting');
    return states.includes('active') || isNew ? [] : [name];
  });
}

export type NewRecipient =
  | { account_id: string; email?: undefined }
  | { account_id?: undefined; email: string };

export async function insertRecipient(
  trx: Transaction,
  addressId: string,
  recipient: NewRecipient,
): Promise<string> {
  const { id } = await trx
    .insertInto('address_recipients')
    .values({ address_id: addressId, ...recipient })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Of the members who read the address, operators entered these. */
export async function setReadersByHand(
  trx: Transaction,
  addressId: string,
  accountIds: readonly string[],
): Promise<void> {
  await sql`UPDATE address_recipients SET by_hand = account_id = ANY (${accountIds}::uuid[])
    WHERE address_id = ${addressId} AND account_id IS NOT NULL`.execute(trx);
}

export async function deleteRecipients(db: Executor, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('address_recipients')
    .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .execute();
}

/** Names of the account and of the group addresses that name it as a recipient. */
export async function listForwardedNames(db: ReadDatabase, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('display_names')
    .select('name')
    .where('account_id', '=', accountId)
    .union((query) =>
      query
        .selectFrom('address_recipients')
        .innerJoin('addresses', 'addresses.id', 'address_id')
        .select('name')
        .where('account_id', '=', accountId),
    )
    // All transactions lock the aliases in the same order.
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** The group addresses that name the account as a recipient, by name. */
export async function listAddressesOf(
  db: ReadDatabase,
  accountId: string,
): Promise<{ id: string; name: string; stopped_at: Date | null }[]> {
  return db
    .selectFrom('address_recipients')
    .innerJoin('addresses', 'addresses.id', 'address_id')
    .select(['addresses.id', 'name', 'stopped_at'])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();
}

/** Keeps the recipients of a closed account, without it, so that operators see that they are missing. */
export async function keepMissingReaders(trx: Transaction, accountId: string): Promise<void> {
  await trx
    .updateTable('address_recipients')
    .set({ account_id: null })
    .where('account_id', '=', accountId)
    .execute();
}

/** A recipient of a group address, with the recipient's choice. */
export interface RecipientChoice {
  id: string;
  addressId: string;
  name: string;
  /** The outside address. Empty for a member. */
  email: string;
  state: 'waiting' | 'active' | 'stopped';
}

function selectChoices(db: ReadDatabase) {
  return db
    .selectFrom('address_recipients as recipient')
    .innerJoin('addresses', 'addresses.id', 'recipient.address_id')
    .select(['recipient.id', 'recipient.address_id as addressId', 'addresses.name'])
    .select([sql<string>`coalesce(recipient.email, '')`.as('email'), choice.as('state')]);
}

export async function findRecipientByToken(
  db: ReadDatabase,
  tokenHash: Buffer,
): Promise<RecipientChoice | undefined> {
  return selectChoices(db).where('recipient.token_hash', '=', tokenHash).executeTakeFirst();
}

export async function lockOutsideRecipient(
  trx: Transaction,
  id: string,
): Promise<RecipientChoice | undefined> {
  return selectChoices(trx)
    .where('recipient.id', '=', id)
    .where('recipient.email', 'is not', null)
    .forUpdate('recipient')
    .executeTakeFirst();
}

export async function lockMemberRecipient(
  trx: Transaction,
  { addressId, accountId }: { addressId: string; accountId: string },
): Promise<RecipientChoice | undefined> {
  return selectChoices(trx)
    .where('recipient.address_id', '=', addressId)
    .where('recipient.account_id', '=', accountId)
    .forUpdate('recipient')
    .executeTakeFirst();
}

/** Replaces the link of earlier mails. Returns undefined if the recipient has chosen since. */
export async function setRecipientToken(
  trx: Transaction,
  { id, tokenHash, isActive }: { id: string; tokenHash: Buffer; isActive: boolean },
): Promise<RecipientChoice | undefined> {
  const recipient = await lockOutsideRecipient(trx, id);
  if (!recipient || (recipient.state === 'active') !== isActive) return undefined;
  await trx
    .updateTable('address_recipients')
    .set({ token_hash: tokenHash, asked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  return recipient;
}

/** Removes the link that did not arrive, unless a later mail replaced it. */
export async function recordRefusedRecipient(
  db: Executor,
  { id, tokenHash }: { id: string; tokenHash: Buffer },
): Promise<void> {
  await db
    .updateTable('address_recipients')
    .set({ token_hash: null })
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function setRecipientActive(
  trx: Transaction,
  id: string,
  isActive: boolean,
): Promise<void> {
  await trx
    .updateTable('address_recipients')
    .set(
      isActive
        ? { confirmed_at: sql<Date>`now()`, stopped_at: null }
        : { stopped_at: sql<Date>`now()` },
    )
    .where('id', '=', id)
    .execute();
}
