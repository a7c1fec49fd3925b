import { type OperandValueExpressionOrList, type QueryCreator, type RawBuilder, sql } from 'kysely';
import type { Language } from '#contract/shared/languages.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { AccountDeletedError } from '../account-deleted.ts';
import type { Database, Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import { inTransaction } from '../connections/transaction.ts';
import type { Schema } from '../schema.ts';
import { isWaiting } from './applications.ts';
import { isUnsubscribed } from './messages.ts';
import { exists } from './rows.ts';

const MAX_NAMES = 10_000;

export async function insertAccount(trx: Transaction): Promise<string> {
  const { id } = await trx
    .insertInto('accounts')
    .defaultValues()
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx.insertInto('forwarding_settings').values({ account_id: id }).execute();
  return id;
}

/** Without accounts that wait. */
export async function hasAnyAccount(db: ReadDatabase): Promise<boolean> {
  return exists(db, sql`accounts WHERE NOT ${isWaiting(sql`accounts.id`)}`);
}

/**
 * OFFSET 0 keeps the planner from turning this into a join, so that it remains one index lookup per
 * row, even in a plan that was cached while the table was small.
 */
export function accountExists(accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM accounts WHERE accounts.id = ${accountId} OFFSET 0)`;
}

export interface AccountRow {
  account_id: string;
  display_name: string | null;
  created_at: Date;
  suspended_at: Date | null;
}

/** Oldest first. */
export async function listAccounts(db: ReadDatabase, limit: number): Promise<AccountRow[]> {
  const accounts = selectAccounts(db).orderBy('accounts.created_at').orderBy('accounts.id');
  return accounts.limit(limit).execute();
}

/**
 * Finds an account by id or display name. Tries the id first, because someone could claim the id of
 * another account as a display name. Locks the account against deletion.
 */
export async function findAndLockAccount(
  trx: Transaction,
  nameOrId: string,
): Promise<AccountRow | undefined> {
  const reference = nameOrId.trim().toLowerCase();
  const accounts = selectAccounts(trx).forKeyShare('accounts');
  const accountById = UUID_PATTERN.test(reference)
    ? await accounts.where('accounts.id', '=', reference).executeTakeFirst()
    : undefined;
  return accountById ?? accounts.where('display_names.name', '=', reference).executeTakeFirst();
}

export async function listNamesWithPrefix(db: ReadDatabase, prefix: string): Promise<string[]> {
  const rows = await db
    .selectFrom('display_names')
    .select('name')
    .where('account_id', 'is not', null)
    // A range can use the primary key. z sorts after all other characters of a name.
    .where('name', '>=', prefix)
    .where('name', '<=', prefix.padEnd(64, 'z'))
    .orderBy('name')
    .limit(MAX_NAMES)
    .execute();
  return rows.map(({ name }) => name);
}

/** Throws an `AccountDeletedError` if the account was deleted. */
export async function requireAccount(db: ReadDatabase, accountId: string): Promise<AccountRow> {
  return selectAccounts(db)
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow(() => new AccountDeletedError());
}

/** As a common table expression, locks the account before the rows that refer to it. */
export function selectLockedAccount(
  db: QueryCreator<Schema>,
  accountId: OperandValueExpressionOrList<Schema, 'accounts', 'id'>,
) {
  return db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate();
}

export async function lockAccount(trx: Transaction, accountId: string): Promise<void> {
  await selectLockedAccount(trx, accountId).executeTakeFirstOrThrow(
    () => new AccountDeletedError(),
  );
}

/** Locks the account before its other rows, so that its writes and its deletion cannot deadlock. */
export function inAccountTransaction<T>(
  db: Database,
  accountId: string,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (trx) => {
    await lockAccount(trx, accountId);
    return work(trx);
  });
}

/** Returns the ids, without accounts that are deleted or being deleted. */
export async function lockAccounts(
  trx: Transaction,
  accountIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (accountIds.length === 0) return new Set();
  const accounts = await trx
    .selectFrom('accounts')
    .select(['id', 'closed_at'])
    .where('id', 'in', accountIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Set(accounts.filter(({ closed_at }) => closed_at === null).map(({ id }) => id));
}

export async function setSuspended(
  trx: Transaction,
  accountId: string,
  reason: string | null,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({
      suspended_at: sql<Date>`coalesce(suspended_at, now())`,
      suspension_reason: reason,
    })
    .where('id', '=', accountId)
    .execute();
}

/** Returns false if the account is being deleted. */
export async function endSuspension(trx: Transaction, accountId: string): Promise<boolean> {
  const resumed = await trx
    .updateTable('accounts')
    .set({ suspended_at: null, suspension_reason: null })
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return resumed !== undefined;
}

export async function findSuspension(
  db: ReadDatabase,
  accountId: string,
): Promise<{ reason: string | null } | undefined> {
  return db
    .selectFrom('accounts')
    .select('suspension_reason as reason')
    .where('id', '=', accountId)
    .where('suspended_at', 'is not', null)
    .executeTakeFirst();
}

/** Marks the account as being deleted and suspends it for good. */
export async function setClosed(trx: Transaction, accountId: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({
      suspended_at: sql<Date>`coalesce(suspended_at, now())`,
      closed_at: sql<Date>`coalesce(closed_at, now())`,
    })
    .where('id', '=', accountId)
    .returning('id')
    .executeTakeFirstOrThrow(() => new AccountDeletedError());
}

/** Lists accounts whose deletion started at least `minAgeSeconds` ago. */
export async function listClosedAccounts(
  db: ReadDatabase,
  minAgeSeconds: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('closed_at', '<=', sql<Date>`now() - ${minAgeSeconds} * interval '1 second'`)
    .orderBy('closed_at')
    .execute();
  return rows.map(({ id }) => id);
}

export interface AccountSettings {
  developer_tools: boolean;
  language: Language | null;
}

export async function readAccountSettings(
  db: ReadDatabase,
  accountId: string,
): Promise<AccountSettings & { messages: boolean; time_zone: string | null }> {
  return db
    .selectFrom('accounts')
    .leftJoin('week_summaries', 'week_summaries.account_id', 'accounts.id')
    .select(['developer_tools', 'language', 'time_zone'])
    .select(sql<boolean>`NOT ${isUnsubscribed}`.as('messages'))
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow(() => new AccountDeletedError());
}

/** English if the account has no language, and for commands, which have no account. */
export async function findAccountLanguage(db: ReadDatabase, accountId: string): Promise<Language> {
  const accounts = db.selectFrom('accounts').select('language').where('id', '=', accountId);
  return (await accounts.executeTakeFirst())?.language ?? 'en';
}

export async function updateAccountSettings(
  db: Executor,
  accountId: string,
  settings: Partial<AccountSettings> & { picture_limit_mb?: number | null },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set(settings)
    .where('id', '=', accountId)
    .returning('id')
    .executeTakeFirstOrThrow(() => new AccountDeletedError());
}

/** Waits for all writes that hold a key-share lock on the account. */
export async function lockAccountExclusively(trx: Transaction, accountId: string): Promise<void> {
  await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AccountDeletedError());
}

/**
 * Deletes an account and all its data. Its display name must be released first. Tables without a
 * foreign key to accounts or projects need a DELETE of their own.
 */
export async function deleteAccount(trx: Transaction, accountId: string): Promise<void> {
  // These tables have no foreign key to accounts, so that writes to them never wait for a lock on
  // the account. `events` has none on Citus.
  for (const table of ['daily_usage', 'chat_send_counts', 'events'] as const)
    await trx.deleteFrom(table).where('account_id', '=', accountId).execute();
  const projects = await trx
    .deleteFrom('projects')
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  const projectIds = projects.map(({ id }) => id);
  // After projects: deleting a project waits for metrics that are being written.
  await trx
    .deleteFrom('metrics')
    .where('project_id', '=', sql<string>`ANY (${projectIds}::uuid[])`)
    .execute();
  await trx.deleteFrom('metric_keys').where('account_id', '=', accountId).execute();
  await trx.deleteFrom('accounts').where('id', '=', accountId).execute();
}

function selectAccounts(db: ReadDatabase) {
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
