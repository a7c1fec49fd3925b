import type { Reads } from '../connections/databases.ts';
import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { AccountGoneError } from '../account-gone.ts';
import type { Database } from '../schema.ts';

/** Most names that are read to find similar ones. */
const MAX_COMPARED = 10_000;

/** Makes an account with its profile: no display name, a hidden site, forwarding off. Returns its id. */
export async function insertAccount(trx: Transaction<Database>): Promise<string> {
  const { id } = await trx
    .insertInto('accounts')
    .defaultValues()
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx.insertInto('forwarding_settings').values({ account_id: id }).execute();
  return id;
}

/** Whether there is any account. */
export async function hasAccount(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Whether an account is there, in lists too: each is looked up by itself, also by a plan that was made while there were few. */
export function isAccount(accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM accounts WHERE accounts.id = ${accountId} OFFSET 0)`;
}

export interface AccountRow {
  account_id: string;
  display_name: string | null;
  created_at: Date;
  suspended_at: Date | null;
}

/**
 * Accounts, oldest first: those that were made after the one of the id `after`, if it is given, and
 * whose display name has `name` in it, if that is given.
 */
export async function listAccounts(
  db: Kysely<Database>,
  page: { limit: number; after?: string | undefined; name?: string | undefined },
): Promise<AccountRow[]> {
  const { limit, after, name } = page;
  let accounts = selectAccounts(db);
  if (after !== undefined)
    accounts = accounts.where(
      sql<boolean>`(accounts.created_at, accounts.id)
        > (SELECT created_at, id FROM accounts WHERE id = ${after})`,
    );
  if (name !== undefined)
    accounts = accounts.where(sql<boolean>`strpos(display_names.name, ${name}) > 0`);
  return accounts.orderBy('accounts.created_at').orderBy('accounts.id').limit(limit).execute();
}

/**
 * An account by its id, else by its display name: nobody can pass for another by taking its id as a
 * name. It cannot be deleted by others before the transaction ends.
 */
export async function findAccount(
  trx: Transaction<Database>,
  nameOrId: string,
): Promise<AccountRow | undefined> {
  const reference = nameOrId.trim().toLowerCase();
  const accounts = selectAccounts(trx).forKeyShare('accounts');
  const byId = UUID_PATTERN.test(reference)
    ? await accounts.where('accounts.id', '=', reference).executeTakeFirst()
    : undefined;
  return byId ?? accounts.where('display_names.name', '=', reference).executeTakeFirst();
}

/** Display names in use that begin with a character, at most as many as one wants to compare. */
export async function listNamesBeginningWith(
  db: Kysely<Database>,
  character: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('display_names')
    .select('name')
    .where('account_id', 'is not', null)
    // A range finds them by the primary key; z sorts after all other characters of a name.
    .where('name', '>=', character)
    .where('name', '<=', character.padEnd(64, 'z'))
    .orderBy('name')
    .limit(MAX_COMPARED)
    .execute();
  return rows.map(({ name }) => name);
}

/** The account of an id; throws an `AccountGoneError` if it was deleted. */
export async function readAccount(db: Reads, accountId: string): Promise<AccountRow> {
  return selectAccounts(db)
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow(() => new AccountGoneError());
}

/** Throws an `AccountGoneError` if the account was deleted. */
export async function assertAccount(db: Kysely<Database>, accountId: string): Promise<void> {
  await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow(() => new AccountGoneError());
}

/** Locks an account until the end of the transaction. */
export async function lockAccount(trx: Transaction<Database>, accountId: string): Promise<void> {
  await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AccountGoneError());
}

/**
 * Suspends an account, or ends that, on all servers at once; returns since when it is suspended, which
 * is also when it was suspended first.
 */
export async function setSuspended(
  trx: Transaction<Database>,
  accountId: string,
  { suspended, reason = null }: { suspended: boolean; reason?: string | null },
): Promise<Date | null> {
  const { suspended_at } = await trx
    .updateTable('accounts')
    .set({
      suspended_at: suspended
        ? sql<Date>`coalesce(suspended_at, now())`
        : sql<Date | null>`CASE WHEN closed_at IS NOT NULL THEN suspended_at END`,
      suspension_reason: reason,
    })
    .where('id', '=', accountId)
    .returning('suspended_at')
    .executeTakeFirstOrThrow(() => new AccountGoneError());
  return suspended_at;
}

/** Suspends an account for good, on all servers at once: it is being deleted. */
export async function setClosed(trx: Transaction<Database>, accountId: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({
      suspended_at: sql<Date>`coalesce(suspended_at, now())`,
      closed_at: sql<Date>`coalesce(closed_at, now())`,
    })
    .where('id', '=', accountId)
    .returning('id')
    .executeTakeFirstOrThrow(() => new AccountGoneError());
}

/** Accounts whose deletion was begun so many seconds ago or more, and not finished. */
export async function listClosedAccounts(db: Kysely<Database>, seconds: number): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('closed_at', '<=', sql<Date>`now() - ${seconds} * interval '1 second'`)
    .orderBy('closed_at')
    .execute();
  return rows.map(({ id }) => id);
}

/** Waits for everybody who writes something of an account, and keeps others from it until the end of the transaction. */
export async function lockWholeAccount(
  trx: Transaction<Database>,
  accountId: string,
): Promise<void> {
  await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AccountGoneError());
}

/**
 * Deletes an account with all that it has, but for its display name, which must be released before.
 * Events and metrics are deleted explicitly, because on Citus they have no foreign keys.
 */
export async function deleteAccount(trx: Transaction<Database>, accountId: string): Promise<void> {
  // Counters refer to no account, so that counting waits for nobody.
  for (const table of ['daily_usage', 'chat_send_counts', 'chat_rejections', 'events'] as const)
    await trx.deleteFrom(table).where('account_id', '=', accountId).execute();
  const projects = await trx
    .deleteFrom('projects')
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  const projectIds = projects.map(({ id }) => id);
  // Comes after the projects, whose deletion waits for metrics that are being written.
  await trx
    .deleteFrom('metrics')
    .where('project_id', '=', sql<string>`ANY (${projectIds}::uuid[])`)
    .execute();
  await trx.deleteFrom('accounts').where('id', '=', accountId).execute();
}

function selectAccounts(db: Reads) {
  return db
    .selectFrom('accounts')
    .leftJoin('display_names', 'display_names.account_id', 'accounts.id')
    .select([
      'accounts.id as account_id',
      'display_names.name as display_name',
      'accounts.created_at',
      'accounts.suspended_at',
    ]);
}
