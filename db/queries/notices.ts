import type { Reads } from '../connections/databases.ts';
import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** Mails of a kind to one account, or to one address, in an hour. */
const AN_HOUR = 5;
const ALERTS_AN_HOUR = 20;
const REPORTS_AN_HOUR = 1;

/** Where an owner is told something: the address that they confirmed, else the one that they signed up with. */
const ownAddress = sql`CASE WHEN forwarding_confirmed THEN forwarding_email ELSE login_email END`;

export type NoticeKind = Database['notices']['kind'];

/** A mail to the owner of an account. */
export interface Notice {
  kind: NoticeKind;
  account_id: string;
  address: string;
  /** Name of the account, key, provider or reported page that the notice is about; the whole text of an alert. */
  about: string;
  created_at: Date;
}

/**
 * Notes that the owner of an account, which nobody else changes meanwhile, is to be told something, at
 * the address that they confirmed; undefined if there is none, or if it was told enough for now.
 *
 * A login link that waits to be mailed serves everybody who asks for one. Beyond the limit of an hour
 * another one is mailed once the newest is too old to be used, so that whoever keeps asking in the
 * owner's place does not leave the owner without a link.
 */
export async function insertNotice(
  trx: Transaction<Database>,
  { accountId, kind, about }: { accountId: string; kind: NoticeKind; about: string },
): Promise<string | undefined> {
  const isLogin = kind === 'login';
  const anHour = kind === 'alert' ? ALERTS_AN_HOUR : kind === 'report' ? REPORTS_AN_HOUR : AN_HOUR;
  const { rows } = await sql<{ id: string }>`
    INSERT INTO notices (kind, account_id, address, address_hash, about)
    SELECT ${kind}, account_id, email, hash, ${about}
    FROM profiles
    CROSS JOIN LATERAL (SELECT ${ownAddress} AS email) AS own
    CROSS JOIN LATERAL (SELECT sha256(convert_to(lower(email), 'UTF8')) AS hash) AS known
    CROSS JOIN LATERAL (
      SELECT count(*) AS of_hour,
        count(*) FILTER (WHERE is_usable) AS usable,
        count(*) FILTER (WHERE is_usable AND address IS NOT NULL) AS waiting
      FROM notices CROSS JOIN LATERAL (
        SELECT notices.account_id = profiles.account_id AND address_hash = hash
          AND created_at > now() - interval '10 minutes' AS is_usable) AS link
      WHERE (notices.account_id = profiles.account_id OR address_hash = hash)
        AND kind = ${kind} AND created_at > now() - interval '1 hour') AS told
    WHERE account_id = ${accountId} AND email IS NOT NULL
      AND (of_hour < ${anHour}::integer OR (${isLogin}::boolean AND usable = 0))
      AND NOT (${isLogin}::boolean AND waiting > 0)
    RETURNING id`.execute(trx);
  return rows[0]?.id;
}

/** The address that an owner is told things at; undefined if none is confirmed. */
export async function findOwnAddress(db: Reads, accountId: string): Promise<string | undefined> {
  const profile = await db
    .selectFrom('profiles')
    .select(sql<string | null>`${ownAddress}`.as('address'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return profile?.address ?? undefined;
}

/** Whether the owner of a profile is told things at an address, written so that its indexes are used. */
export function isOwnAddress(email: string): RawBuilder<boolean> {
  return sql<boolean>`(lower(forwarding_email) = lower(${email}) AND forwarding_confirmed
    OR lower(login_email) = lower(${email}) AND forwarding_confirmed IS NOT TRUE)`;
}

/** The accounts whose owners confirmed an address, a few at most. */
export async function listAccountsOfAddress(
  db: Kysely<Database>,
  email: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('profiles')
    .innerJoin('accounts', 'accounts.id', 'profiles.account_id')
    .select('profiles.account_id')
    .where(isOwnAddress(email))
    .where('accounts.suspended_at', 'is', null)
    .orderBy('accounts.created_at')
    .limit(AN_HOUR)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** A mail that is not sent yet, which nobody takes back until the end of the transaction. */
export async function lockDueNotice(
  trx: Transaction<Database>,
  id: string,
): Promise<Notice | undefined> {
  const notice = await trx
    .selectFrom('notices')
    .select(['kind', 'account_id', 'address', 'about', 'created_at'])
    .where('id', '=', id)
    .where('address', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  return notice as Notice | undefined;
}

/** Mails that are not sent yet, the oldest first. */
export async function listDueNotices(
  db: Kysely<Database>,
): Promise<{ id: string; kind: NoticeKind }[]> {
  return db
    .selectFrom('notices')
    .select(['id', 'kind'])
    .where('address', 'is not', null)
    .orderBy('created_at')
    .execute();
}

/** Forgets where a mail went: it is sent, or never will be. */
export async function closeNotice(db: Kysely<Database>, id: string): Promise<void> {
  await db.updateTable('notices').set({ address: null }).where('id', '=', id).execute();
}

/** Deletes mails that count no more, and those that could not be sent for a week. */
export async function deleteOldNotices(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('notices')
    .where(
      sql<boolean>`created_at < now() - interval '1 hour'
        AND (address IS NULL OR created_at < now() - interval '7 days')`,
    )
    .execute();
}
