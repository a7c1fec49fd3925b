import { sql } from 'kysely';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import { lockAccount, lockAccounts } from './accounts.ts';
import { isWaiting } from './applications.ts';
import { deleteLoginLinks } from './login-links.ts';
import { loginAddress } from './owner-mails.ts';
import { worksAt } from './passkeys.ts';
import { exists } from './rows.ts';
import { deleteSessions } from './sessions.ts';

export async function isOperator(db: ReadDatabase, accountId: string): Promise<boolean> {
  return exists(db, sql`operators WHERE account_id = ${accountId}`);
}

export async function findOperator(
  db: ReadDatabase,
  accountId: string,
): Promise<{ by_sign_on: boolean } | undefined> {
  return db
    .selectFrom('operators')
    .select('by_sign_on')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** The ids of all operators, locked against deletion. */
export async function lockOperators(trx: Transaction): Promise<string[]> {
  const operators = await trx
    .selectFrom('accounts')
    .innerJoin('operators', 'operators.account_id', 'accounts.id')
    .select('accounts.id')
    .orderBy('accounts.id')
    .forKeyShare('accounts')
    .execute();
  return operators.map(({ id }) => id);
}

/** At once, so that they are locked in the same order everywhere. */
export async function lockWithOperators(
  trx: Transaction,
  accountIds: readonly string[],
): Promise<void> {
  const operators = await listOperators(trx);
  await lockAccounts(trx, [...accountIds, ...operators.map(({ account_id }) => account_id)]);
}

/**
 * Ends the account's sessions and login links, because they would get an operator's rights. Returns
 * the number of sessions.
 */
export async function insertOperator(
  trx: Transaction,
  accountId: string,
  { bySignOn = false } = {},
): Promise<number> {
  await lockAccount(trx, accountId);
  const inserted = await trx
    .insertInto('operators')
    .values({ account_id: accountId, by_sign_on: bySignOn })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst();
  if (!inserted) return 0;
  await deleteLoginLinks(trx, accountId);
  return deleteSessions(trx, accountId);
}

/** Makes the account an operator if it is the only account that does not wait. */
export async function insertFirstOperator(trx: Transaction, accountId: string): Promise<void> {
  const isOnlyAccount = sql`(SELECT count(*) FROM (
    SELECT FROM accounts WHERE NOT ${isWaiting(sql`accounts.id`)} LIMIT 2) AS first_two) = 1`;
  // If the first two accounts are created concurrently, the second waits here until the first is visible.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('first operator', 0)) WHERE ${isOnlyAccount}`.execute(
    trx,
  );
  await sql`INSERT INTO operators (account_id) SELECT ${accountId}::uuid WHERE ${isOnlyAccount}
    ON CONFLICT DO NOTHING`.execute(trx);
}

export async function deleteOperator(trx: Transaction, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('operators')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0;
}

/**
 * Locks the account and those of all operators, so that two of them cannot end each other's rights at once.
 * Returns false if there are other accounts, but no other operator. Accounts that wait or are being
 * deleted do not count.
 */
export async function canLoseOperator(trx: Transaction, accountId: string): Promise<boolean> {
  await lockWithOperators(trx, [accountId]);
  const { rows } = await sql<{ can: boolean }>`
    WITH others AS (SELECT id FROM accounts WHERE id <> ${accountId} AND closed_at IS NULL
      AND NOT ${isWaiting(sql`accounts.id`)})
    SELECT EXISTS (SELECT FROM operators WHERE account_id IN (SELECT id FROM others))
      OR NOT EXISTS (SELECT FROM others) AS can`.execute(trx);
  return rows[0]!.can;
}

/** Counts operators, and those who can log in by passkey, mail or single sign-on. */
export async function countOperators(
  db: ReadDatabase,
  passkeyHost: string | undefined,
): Promise<{ total: number; reachable: number }> {
  const { rows } = await sql<{ total: number; reachable: number }>`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE
      EXISTS (SELECT FROM passkeys WHERE account_id = operators.account_id AND scope = 'operator'
        AND ${worksAt(passkeyHost)})
      OR EXISTS (SELECT FROM identities WHERE account_id = operators.account_id AND scope = 'operator')
      OR EXISTS (SELECT FROM forwarding_settings WHERE account_id = operators.account_id
        AND ${loginAddress} IS NOT NULL))::int AS reachable
    FROM operators`.execute(db);
  return rows[0]!;
}

/** Without those whose accounts are being deleted. */
export async function listOperators(
  db: ReadDatabase,
): Promise<{ account_id: string; display_name: string | null; created_at: Date }[]> {
  return db
    .selectFrom('operators')
    .innerJoin('accounts', 'accounts.id', 'operators.account_id')
    .leftJoin('display_names', 'display_names.account_id', 'operators.account_id')
    .select(['operators.account_id', 'display_names.name as display_name', 'operators.created_at'])
    .where('closed_at', 'is', null)
    .orderBy('operators.created_at')
    .orderBy('operators.account_id')
    .limit(1_000)
    .execute();
}
