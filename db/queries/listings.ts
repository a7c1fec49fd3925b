import { sql } from 'kysely';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import { ownerAddress } from './owner-mails.ts';
import { isPagePublished } from './public-sites.ts';
import { saveSiteChoices } from './sites.ts';

const members = sql`accounts
  JOIN forwarding_settings ON forwarding_settings.account_id = accounts.id
  LEFT JOIN sites ON sites.account_id = accounts.id
  LEFT JOIN listings ON listings.account_id = accounts.id`;

/** Have an address and a published page, and decided nothing. */
const isUndecided = sql<boolean>`accounts.suspended_at IS NULL AND accounts.closed_at IS NULL
  AND ${ownerAddress} IS NOT NULL AND ${isPagePublished} AND sites.on_front_page IS NOT TRUE
  AND listings.objected_at IS NULL`;

export async function countUndecidedMembers(db: ReadDatabase): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ${members} WHERE ${isUndecided}`.execute(db);
  return rows[0]!.count;
}

/** Returns the members who have not answered and were not told yet, and marks them as told. */
export async function claimUntoldMembers(
  trx: Transaction,
  limit: number,
): Promise<{ accountId: string; language: Language }[]> {
  const { rows } = await sql<{ accountId: string; language: Language }>`
    WITH told AS (
      INSERT INTO listings (account_id, told_at)
      SELECT accounts.id, now() FROM ${members}
      WHERE ${isUndecided} AND listings.told_at IS NULL
      LIMIT ${limit}
      ON CONFLICT (account_id) DO UPDATE SET told_at = excluded.told_at
      WHERE listings.told_at IS NULL AND listings.objected_at IS NULL
      RETURNING account_id
    )
    SELECT accounts.id AS "accountId", coalesce(language, 'en') AS language
    FROM told JOIN accounts ON accounts.id = account_id`.execute(trx);
  return rows;
}

/** Undefined if the mail is no longer wanted. */
export async function findListingMail(
  db: ReadDatabase,
  accountId: string,
): Promise<{ address: string; token: string } | undefined> {
  return db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .innerJoin('forwarding_settings', 'forwarding_settings.account_id', 'accounts.id')
    .leftJoin('sites', 'sites.account_id', 'accounts.id')
    .select(['token', sql<string>`${ownerAddress}`.as('address')])
    .where('accounts.id', '=', accountId)
    .where('accounts.suspended_at', 'is', null)
    .where('told_at', 'is not', null)
    .where('objected_at', 'is', null)
    .where(sql<boolean>`sites.on_front_page IS NOT TRUE AND ${ownerAddress} IS NOT NULL`)
    .executeTakeFirst();
}

/** The mail was sent. */
export async function startWaitingTime(db: Executor, accountId: string): Promise<void> {
  await db
    .updateTable('listings')
    .set({ listed_from: sql<Date>`now() + ${sql.lit(LIMITS.listingDays)} * interval '1 day'` })
    .where('account_id', '=', accountId)
    .where('told_at', 'is not', null)
    .where('objected_at', 'is', null)
    .execute();
}

/** Nobody is listed without having agreed, until they have been told again. */
export async function resetListings(trx: Transaction): Promise<void> {
  await trx
    .updateTable('listings')
    .set({ told_at: null, listed_from: null })
    .where('told_at', 'is not', null)
    .execute();
}

export async function findListing(db: ReadDatabase, accountId: string) {
  const listing = await db
    .selectFrom('listings')
    .select(['told_at', 'listed_from', 'objected_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return listing ?? null;
}

export async function findListingAccount(
  db: ReadDatabase,
  token: string,
): Promise<{ id: string; name: string | null; objected_at: Date | null } | undefined> {
  return db
    .selectFrom('listings')
    .leftJoin('display_names', 'display_names.account_id', 'listings.account_id')
    .select(['listings.account_id as id', 'name', 'objected_at'])
    .where('token', '=', token)
    .executeTakeFirst();
}

/** The owner's consent to the front page and the list of members, or the objection. */
export async function saveListingChoice(
  trx: Transaction,
  accountId: string,
  hasAgreed: boolean,
): Promise<void> {
  await saveSiteChoices(trx, accountId, { on_front_page: hasAgreed });
  const choice = { listed_from: null, objected_at: hasAgreed ? null : sql<Date>`now()` };
  await trx
    .insertInto('listings')
    .values({ account_id: accountId, ...choice })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(choice))
    .execute();
}
