import { type RawBuilder, sql } from 'kysely';
import { LOGIN_LINK_MINUTES } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Schema } from '../schema.ts';
import { validLoginMails } from './jobs.ts';
import { isOwnedByKeeper } from './keepers.ts';

/** Hourly limits per kind of mail, for one account and for one address. */
const MAX_PER_HOUR = 5;
const MAX_PER_HOUR_BY_KIND: Partial<Record<OwnerMailKind, number>> = {
  alert: 20,
  application: 1,
  event: 20,
  group: 20,
  leaver: 1,
  message: 20,
  report: 1,
};

/** The confirmed forwarding address, otherwise the login address. */
export const ownerAddress = sql<
  string | null
>`CASE WHEN forwarding_confirmed THEN forwarding_email ELSE login_email END`;

/**
 * Operators get no login links at an address that was set by a login without their rights. Other
 * leavers get none at all. Operators who left do, because a wrong group at the provider must not
 * lock out all of them. An account that a keeper owns has no login.
 */
export const loginAddress = sql<string | null>`CASE
  WHEN NOT ${isOwnedByKeeper(sql`forwarding_settings.account_id`)} AND CASE WHEN EXISTS (
      SELECT FROM operators WHERE operators.account_id = forwarding_settings.account_id)
    THEN forwarding_settings.email_scope = 'operator'
    ELSE NOT EXISTS (SELECT FROM identities
      WHERE identities.account_id = forwarding_settings.account_id AND left_at IS NOT NULL) END
  THEN ${ownerAddress} END`;

export type OwnerMailKind = Schema['owner_mails']['kind'];

export interface Addressee {
  address: string;
  /** The account, if the mail goes to the keeper who owns it. */
  keptId: string | null;
}

/**
 * The account or, if a keeper owns it, that keeper; also the others if it is for `all`. What goes to
 * the `inbox` is for the account, whoever owns it.
 */
function addresseesOf(
  accountId: string,
  scope: 'owner' | 'all' | 'inbox' = 'owner',
): RawBuilder<string> {
  if (scope === 'inbox') return sql<string>`(SELECT ${accountId}::uuid)`;
  return sql<string>`(SELECT ${accountId}::uuid WHERE NOT ${isOwnedByKeeper(sql`${accountId}::uuid`)}
    UNION ALL SELECT keeper_id FROM keepers JOIN accounts AS person ON person.id = keeper_id
      WHERE keepers.account_id = ${accountId}
        AND (is_owner OR (${scope === 'all'} AND person.suspended_at IS NULL)))`;
}

/**
 * Counts a mail to each addressee with a confirmed address who is below the hourly limit, and returns
 * these. Of several with the same address, one gets it: the account itself, if it is one of them. The
 * caller must hold the lock on the account. `reserved` lowers the limit. Mail about a kept account does
 * not count toward that of the keeper's own.
 *
 * Login links differ: while one is queued, no other is. Over the limit, the next is mailed as soon as
 * no mailed link is valid any more, so that an attacker's requests cannot lock the owner out.
 */
export async function recordOwnerMail(
  trx: Transaction,
  {
    accountId,
    kind,
    scope,
    reserved = 0,
  }: {
    accountId: string;
    kind: OwnerMailKind;
    scope?: 'owner' | 'all' | 'inbox';
    reserved?: number;
  },
): Promise<Addressee[]> {
  const isLogin = kind === 'login';
  const perHour = (MAX_PER_HOUR_BY_KIND[kind] ?? MAX_PER_HOUR) - reserved;
  const { rows } = await sql<Addressee>`
    WITH owner AS (
      SELECT DISTINCT ON (lower(email)) account_id, email,
        nullif(${accountId}::uuid, account_id) AS kept_id, sha256(convert_to(lower(email), 'UTF8')) AS hash
      FROM forwarding_settings CROSS JOIN LATERAL (SELECT ${isLogin ? loginAddress : ownerAddress} AS email) AS recipient
      WHERE account_id IN ${addresseesOf(accountId, scope)} AND email IS NOT NULL
      ORDER BY lower(email), account_id <> ${accountId}, account_id
    ), counted AS (
      INSERT INTO owner_mails (kind, account_id, address_hash, kept_id)
      SELECT ${kind}, account_id, hash, kept_id
      FROM owner CROSS JOIN LATERAL (
        SELECT count(*) AS hourly_count,
          count(*) FILTER (WHERE owner_mails.account_id = owner.account_id AND address_hash = hash
            AND created_at > now() - ${LOGIN_LINK_MINUTES} * interval '1 minute') AS valid_links
        FROM owner_mails
        WHERE (owner_mails.account_id = owner.account_id OR address_hash = hash)
          AND kind = ${kind} AND owner_mails.kept_id IS NOT DISTINCT FROM owner.kept_id
          AND created_at > now() - interval '1 hour') AS recent_mails
      WHERE (hourly_count < ${perHour}::integer OR (${isLogin}::boolean AND valid_links = 0))
        AND NOT (${isLogin}::boolean AND valid_links > 0 AND EXISTS (${validLoginMails}
          AND data->>'accountId' = owner.account_id::text AND data->>'address' = email))
      RETURNING account_id
    )
    SELECT email AS address, kept_id AS "keptId"
    FROM owner JOIN counted USING (account_id)`.execute(trx);
  return rows;
}

/** Returns false, without counting, if the hourly limit of the address is reached. */
export async function recordConfirmationMail(
  trx: Transaction,
  { accountId, address }: { accountId: string; address: string },
): Promise<boolean> {
  const hash = sql`sha256(convert_to(lower(${address}), 'UTF8'))`;
  const { rows } = await sql`
    INSERT INTO owner_mails (kind, account_id, address_hash)
    SELECT 'confirmation', ${accountId}::uuid, ${hash}
    WHERE (SELECT count(*) FROM owner_mails WHERE address_hash = ${hash} AND kind = 'confirmation'
      AND created_at > now() - interval '1 hour') < ${MAX_PER_HOUR}::integer
    RETURNING id`.execute(trx);
  return rows.length > 0;
}

export async function findOwnerAddress(
  db: ReadDatabase,
  accountId: string,
): Promise<string | undefined> {
  return (await findAddressee(db, accountId))?.address;
}

export async function findAddressee(
  db: ReadDatabase,
  accountId: string,
): Promise<Addressee | undefined> {
  const { rows } = await sql<Addressee>`
    SELECT ${ownerAddress} AS address, nullif(${accountId}, account_id::text) AS "keptId"
    FROM forwarding_settings
    WHERE account_id IN ${addresseesOf(accountId)} AND ${ownerAddress} IS NOT NULL`.execute(db);
  return rows[0];
}

export async function findConfirmedAddress(
  db: ReadDatabase,
  accountId: string,
): Promise<string | undefined> {
  const settings = await db
    .selectFrom('forwarding_settings')
    .select('forwarding_email')
    .where('account_id', '=', accountId)
    .where('forwarding_confirmed', '=', true)
    .executeTakeFirst();
  return settings?.forwarding_email ?? undefined;
}

/** Equivalent to a comparison with `ownerAddress`, but PostgreSQL can use the indexes. */
function isOwnerAddress(email: string): RawBuilder<boolean> {
  return isOwnerAddressIn(sql`ARRAY[lower(${email})]`);
}

/** `emails` is an array of addresses in lower case. */
export function isOwnerAddressIn(emails: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(lower(forwarding_email) = ANY (${emails}) AND forwarding_confirmed
    OR lower(login_email) = ANY (${emails}) AND forwarding_confirmed IS NOT TRUE)`;
}

export interface AddressAccount {
  id: string;
  name: string | null;
  suspension_reason: string | null;
  is_suspended: boolean;
  gets_links: boolean;
}

/** Accounts with this confirmed address, or one of them, oldest first: at most one above the limit. */
export async function listAccountsByAddress(
  db: ReadDatabase,
  email: string,
  accountId?: string,
): Promise<AddressAccount[]> {
  const accounts = db
    .selectFrom('forwarding_settings')
    .innerJoin('accounts', 'accounts.id', 'forwarding_settings.account_id')
    .leftJoin('display_names', 'display_names.account_id', 'accounts.id')
    .select(['accounts.id', 'display_names.name', 'suspension_reason'])
    .select([
      sql<boolean>`suspended_at IS NOT NULL`.as('is_suspended'),
      sql<boolean>`${loginAddress} IS NOT NULL`.as('gets_links'),
    ])
    .where(isOwnerAddress(email))
    .where('accounts.closed_at', 'is', null)
    .orderBy('accounts.created_at')
    .orderBy('accounts.id')
    .limit(LIMITS.accountsPerAddress + 1);
  return (
    accountId === undefined ? accounts : accounts.where('accounts.id', '=', accountId)
  ).execute();
}
