import { type NotNull, type RawBuilder, sql } from 'kysely';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import { lateralLookup } from '../lateral-lookup.ts';
import { isPagePublished } from './public-sites.ts';

export async function findDisplayName(
  db: ReadDatabase,
  accountId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('display_names')
    .select('name')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.name;
}

export async function findNameOwner(db: ReadDatabase, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('display_names')
    .select('account_id')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.account_id ?? undefined;
}

const lookUpNames = lateralLookup('uuid', (accountId, query) =>
  query
    .selectFrom('display_names')
    .select(['account_id', 'name'])
    .where('account_id', '=', accountId)
    .$narrowType<{ account_id: NotNull }>(),
);

export async function findDisplayNames(
  db: ReadDatabase,
  accountIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await lookUpNames(db, accountIds);
  return new Map(rows.map(({ account_id, name }) => [account_id, name]));
}

/** A name stays quarantined at least until its redirect ends. */
const quarantineInterval = (quarantineDays: number) =>
  sql`greatest(${quarantineDays}, CASE WHEN display_names.redirects
    THEN ${sql.lit(LIMITS.redirectDays)} END) * interval '1 day'`;

/** Null while the forwarding provider may still have the name's alias. */
const quarantineEnd = (quarantineDays: number) =>
  sql<Date | null>`CASE WHEN display_names.was_forwarded AND display_names.alias_removed_at IS NULL THEN NULL
    ELSE display_names.released_at + ${quarantineInterval(quarantineDays)} END`;

/**
 * Uses clock_timestamp(), not now(): with a quarantine of 0 days, a name released after this
 * transaction began would still count as quarantined.
 */
export const isQuarantineOver = (quarantineDays: number) =>
  sql<boolean>`(NOT (display_names.was_forwarded AND display_names.alias_removed_at IS NULL)
    AND display_names.released_at <= clock_timestamp() - ${quarantineInterval(quarantineDays)})`;

interface Claim {
  name: string;
  quarantineDays: number;
}

/**
 * Returns whether the claim succeeded. It fails if another owner has the name, or if the name is
 * quarantined: for `quarantineDays`, and until the provider has removed its alias, only its last
 * owner can claim it.
 */
export function claimNameForAccount(
  trx: Transaction,
  { accountId, ...claim }: Claim & { accountId: string },
): Promise<boolean> {
  const isLastOwner = sql<boolean>`coalesce(display_names.last_account_id = ${accountId}, false)`;
  return claimName(trx, claim, { account_id: accountId, is_address: false }, isLastOwner);
}

/** Like `claimNameForAccount`. A former group address counts as the last owner. */
export function claimNameForAddress(trx: Transaction, claim: Claim): Promise<boolean> {
  const isLastOwner = sql<boolean>`display_names.is_address`;
  return claimName(trx, claim, { account_id: null, is_address: true }, isLastOwner);
}

async function claimName(
  trx: Transaction,
  { name, quarantineDays }: Claim,
  owner: { account_id: string | null; is_address: boolean },
  isLastOwner: RawBuilder<boolean>,
): Promise<boolean> {
  const claimed = await trx
    .insertInto('display_names')
    .values({ name, ...owner, was_forwarded: owner.is_address })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          ...owner,
          was_forwarded:
            owner.is_address || sql<boolean>`display_names.was_forwarded AND ${isLastOwner}`,
          was_visible: sql<boolean>`display_names.was_visible AND ${isLastOwner}`,
          last_account_id: null,
          released_at: null,
          alias_removed_at: null,
          redirects: false,
        })
        .where('display_names.released_at', 'is not', null)
        .where(sql<boolean>`(${isLastOwner} OR ${isQuarantineOver(quarantineDays)})`),
    )
    .returning('name')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Returns the names that the account (default: a new account) cannot claim. */
export async function listUnavailableNames(
  db: ReadDatabase,
  names: readonly string[],
  { quarantineDays, accountId }: { quarantineDays: number; accountId?: string | undefined },
): Promise<string[]> {
  let query = db
    .selectFrom('display_names')
    .select('name')
    .where('name', '=', sql<string>`ANY (${names}::text[])`)
    .where(
      sql<boolean>`(account_id IS NOT NULL OR ${isQuarantineOver(quarantineDays)} IS NOT TRUE)`,
    );
  if (accountId !== undefined)
    query = query.where(
      sql<boolean>`coalesce(account_id, last_account_id) IS DISTINCT FROM ${accountId}::uuid`,
    );
  return (await query.execute()).map(({ name }) => name);
}

/**
 * Returns true if the name is now quarantined. Returns false if anyone can claim it, because it
 * never forwarded mail and its page was never visible.
 */
export async function releaseDisplayName(
  trx: Transaction,
  { accountId, name, redirects = false }: { accountId: string; name: string; redirects?: boolean },
): Promise<boolean> {
  const was_visible = sql<boolean>`(was_visible OR EXISTS (SELECT FROM sites
    WHERE sites.account_id = ${accountId} AND ${isPagePublished}))`;
  await trx
    .deleteFrom('display_names')
    .where('name', '=', name)
    .where('account_id', '=', accountId)
    .where('was_forwarded', '=', false)
    .where(sql<boolean>`NOT ${was_visible}`)
    .execute();
  // A separate statement, because the page may have become visible while the DELETE waited for a
  // lock.
  const quarantinedName = await trx
    .updateTable('display_names')
    .set({
      account_id: null,
      last_account_id: accountId,
      released_at: sql<Date>`now()`,
      was_visible,
      redirects,
    })
    .where('name', '=', name)
    .where('account_id', '=', accountId)
    .returning('name')
    .executeTakeFirst();
  return quarantinedName !== undefined;
}

/**
 * Lists the released names that only the account can claim, ordered by when others can. `free_at` is
 * null while the provider may still have the alias.
 */
export async function listQuarantinedNames(
  db: ReadDatabase,
  quarantineDays: number,
  accountId: string,
): Promise<{ name: string; free_at: Date | null }[]> {
  return db
    .selectFrom('display_names')
    .select('name')
    .select(quarantineEnd(quarantineDays).as('free_at'))
    .where('account_id', 'is', null)
    .where('last_account_id', '=', accountId)
    .where(sql<boolean>`${isQuarantineOver(quarantineDays)} IS NOT TRUE`)
    .orderBy('free_at')
    .orderBy('name')
    .execute();
}

/**
 * Deletes a released name, so that anyone can claim it, unless the provider may still have its
 * alias (`is_deleted` is then false). Returns undefined if there is no such name.
 */
export async function deleteQuarantinedName(
  trx: Transaction,
  name: string,
): Promise<{ last_account_id: string | null; is_deleted: boolean } | undefined> {
  const quarantinedName = await trx
    .selectFrom('display_names')
    .select([
      'last_account_id',
      sql<boolean>`NOT was_forwarded OR alias_removed_at IS NOT NULL`.as('is_deleted'),
    ])
    .where('name', '=', name)
    .where('released_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (quarantinedName?.is_deleted)
    await trx.deleteFrom('display_names').where('name', '=', name).execute();
  return quarantinedName;
}

const redirectEnd = sql<Date>`released_at + ${sql.lit(LIMITS.redirectDays)} * interval '1 day'`;

/** Returns the former names of the account that redirect to its current name. */
export async function listRedirects(
  db: ReadDatabase,
  accountId: string,
): Promise<{ name: string; expires_at: Date }[]> {
  return db
    .selectFrom('display_names')
    .select(['name', redirectEnd.as('expires_at')])
    .where('last_account_id', '=', accountId)
    .where('redirects', '=', true)
    .where(redirectEnd, '>', sql<Date>`now()`)
    .orderBy('expires_at', 'desc')
    .execute();
}

/** Keeps the redirects of names released before `unlessTo`: they already led to it. */
export async function deleteRedirects(
  db: Executor,
  accountId: string,
  { unlessTo = '' } = {},
): Promise<void> {
  await sql`
    UPDATE display_names SET redirects = false WHERE last_account_id = ${accountId} AND redirects
      AND (released_at < (SELECT released_at FROM display_names
        WHERE name = ${unlessTo} AND last_account_id = ${accountId})) IS NOT TRUE`.execute(db);
}

export async function markAliasRemoved(db: Executor, name: string): Promise<void> {
  await db
    .updateTable('display_names')
    .set({ alias_removed_at: sql<Date>`now()` })
    .where('name', '=', name)
    .where('released_at', 'is not', null)
    .execute();
}

export async function markAllAliasesRemoved(db: Executor): Promise<void> {
  await db
    .updateTable('display_names')
    .set({ alias_removed_at: sql<Date>`now()` })
    .where('released_at', 'is not', null)
    .where('alias_removed_at', 'is', null)
    .execute();
}
