import { type Kysely, type Selectable, type Transaction, sql } from 'kysely';
import type { Reads } from '../connections/databases.ts';
import { lateralLookup } from '../lateral-lookup.ts';
import type { Database } from '../schema.ts';

/** A custom domain of an account. */
export type DomainRow = Selectable<Database['domains']>;

const COLUMNS = [
  'account_id',
  'domain',
  'token',
  'redirect',
  'created_at',
  'verified_at',
  'missing_since',
  'points_here',
  'problem',
  'checked_at',
] as const;

/** The domains of an account, oldest first. */
export async function listDomains(db: Reads, accountId: string): Promise<DomainRow[]> {
  return db
    .selectFrom('domains')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('domain')
    .execute();
}

/** A domain of an account. */
export async function findDomain(
  db: Reads,
  accountId: string,
  domain: string,
): Promise<DomainRow | undefined> {
  return db
    .selectFrom('domains')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** Finds a domain of an account and keeps others from changing it. */
export async function lockDomain(
  trx: Transaction<Database>,
  accountId: string,
  domain: string,
): Promise<DomainRow | undefined> {
  return trx
    .selectFrom('domains')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .where('domain', '=', domain)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether another account has a domain, and its proof was there at the last check. */
export async function isDomainTaken(
  db: Reads,
  accountId: string,
  domain: string,
): Promise<boolean> {
  const other = await db
    .selectFrom('domains')
    .select('domain')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .where('missing_since', 'is', null)
    .where('account_id', '<>', accountId)
    .executeTakeFirst();
  return other !== undefined;
}

/** Inserts a domain that nobody has proved yet. */
export async function insertDomain(
  trx: Transaction<Database>,
  accountId: string,
  { domain, token }: { domain: string; token: string },
): Promise<DomainRow> {
  return trx
    .insertInto('domains')
    .values({ account_id: accountId, domain, token })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Deletes a domain of an account; returns whether there was one. */
export async function deleteDomain(
  db: Kysely<Database>,
  accountId: string,
  domain: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('domains')
    .where('account_id', '=', accountId)
    .where('domain', '=', domain)
    .executeTakeFirst();
  return numDeletedRows > 0;
}

/** Ends that the page of an account redirects to one of its domains. */
export async function clearDomainRedirect(
  trx: Transaction<Database>,
  accountId: string,
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ redirect: false })
    .where('account_id', '=', accountId)
    .where('redirect', '=', true)
    .execute();
}

/** Columns of a domain that can change. */
export type DomainChange = Partial<
  Pick<
    Selectable<Database['domains']>,
    'redirect' | 'verified_at' | 'missing_since' | 'points_here' | 'problem' | 'checked_at'
  >
>;

/** Changes a domain of an account. */
export async function updateDomain(
  trx: Transaction<Database>,
  { accountId, domain }: { accountId: string; domain: string },
  change: DomainChange,
): Promise<DomainRow | undefined> {
  return trx
    .updateTable('domains')
    .set(change)
    .where('account_id', '=', accountId)
    .where('domain', '=', domain)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/**
 * Takes a domain from another account whose token is not among those in its DNS; returns which
 * account has it still, or has lost it.
 */
export async function releaseDomain(
  trx: Transaction<Database>,
  { accountId, domain }: { accountId: string; domain: string },
  { tokens, problem }: { tokens: readonly string[]; problem: string },
): Promise<{ holder?: string; loser?: string }> {
  const other = await trx
    .selectFrom('domains')
    .select(['account_id', 'token'])
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .where('account_id', '<>', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (!other) return {};
  if (tokens.includes(other.token)) return { holder: other.account_id };
  await updateDomain(
    trx,
    { accountId: other.account_id, domain },
    { verified_at: null, missing_since: null, redirect: false, problem },
  );
  return { loser: other.account_id };
}

/**
 * Lists the domains whose check is due, the oldest check first. A new domain is due every minute, and an
 * older one less often, because its owner may have given up: after a tenth of its age, but within six hours.
 * A verified domain is due every six hours once it leads here, since it gets no certificate before. A
 * domain that was not verified in 30 days is only checked when its owner asks.
 */
export async function listDueDomains(
  db: Kysely<Database>,
  limit: number,
): Promise<{ accountId: string; domain: string }[]> {
  // The job starts every minute, with some delay.
  const { rows } = await sql<{ accountId: string; domain: string }>`
    SELECT account_id AS "accountId", domain FROM domains
    WHERE checked_at IS NULL OR (
      (verified_at IS NOT NULL OR checked_at <= created_at + interval '30 days')
      AND checked_at <= now() - CASE
        WHEN verified_at IS NOT NULL AND points_here IS NOT FALSE THEN interval '6 hours'
        ELSE greatest(interval '45 seconds',
          least(interval '6 hours', (checked_at - created_at) / 10)) END)
    ORDER BY checked_at NULLS FIRST LIMIT ${limit}`.execute(db);
  return rows;
}

/** Account whose page is at a verified domain, with its name if it has one. */
export interface DomainSite {
  account_id: string;
  name: string | null;
  /** Since when the account is suspended or being deleted. */
  suspended_at: Date | null;
  points_here: boolean | null;
}

const sitesByDomain = lateralLookup('text', (domain, query) =>
  query
    .selectFrom('domains')
    .innerJoin('accounts', 'accounts.id', 'domains.account_id')
    .leftJoin('display_names', 'display_names.account_id', 'domains.account_id')
    .where('domains.domain', '=', domain)
    .where('domains.verified_at', 'is not', null)
    .select([
      'domains.domain',
      'domains.account_id',
      'domains.points_here',
      'accounts.suspended_at',
      'display_names.name',
    ]),
);

/** The sites of verified domains, by their domains. */
export async function findDomainSites(
  db: Reads,
  domains: readonly string[],
): Promise<Map<string, DomainSite>> {
  const rows = await sitesByDomain(db, domains);
  return new Map(rows.map(({ domain, ...site }) => [domain, site]));
}
