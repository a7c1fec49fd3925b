import { type Selectable, sql } from 'kysely';
import type { StoredMessage } from '#contract/refusal.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import { lateralLookup } from '../lateral-lookup.ts';
import type { Schema } from '../schema.ts';

export type DomainRow = Selectable<Schema['domains']>;

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

export async function listDomains(db: ReadDatabase, accountId: string): Promise<DomainRow[]> {
  return db
    .selectFrom('domains')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('domain')
    .execute();
}

export async function findDomain(
  db: ReadDatabase,
  accountId: string,
  domain: string,
): Promise<DomainRow | undefined> {
  return selectDomain(db, accountId, domain).executeTakeFirst();
}

export async function lockDomain(
  trx: Transaction,
  accountId: string,
  domain: string,
): Promise<DomainRow | undefined> {
  return selectDomain(trx, accountId, domain).forUpdate().executeTakeFirst();
}

function selectDomain(db: ReadDatabase, accountId: string, domain: string) {
  return db
    .selectFrom('domains')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .where('domain', '=', domain);
}

function selectOtherOwner(db: ReadDatabase, accountId: string, domain: string) {
  return db
    .selectFrom('domains')
    .select(['account_id', 'token'])
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .where('account_id', '<>', accountId);
}

/** Returns the other account that has verified the domain. */
export async function findOtherDomainOwner(
  db: ReadDatabase,
  accountId: string,
  domain: string,
): Promise<string | undefined> {
  return (await selectOtherOwner(db, accountId, domain).executeTakeFirst())?.account_id;
}

/** Whether another account has verified the domain and its proof record existed at the last check. */
export async function isDomainTaken(
  db: ReadDatabase,
  accountId: string,
  domain: string,
): Promise<boolean> {
  const other = selectOtherOwner(db, accountId, domain).where('missing_since', 'is', null);
  return (await other.executeTakeFirst()) !== undefined;
}

export async function insertDomain(
  trx: Transaction,
  accountId: string,
  { domain, token }: { domain: string; token: string },
): Promise<DomainRow> {
  return trx
    .insertInto('domains')
    .values({ account_id: accountId, domain, token })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function deleteDomain(
  db: Executor,
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

export async function clearDomainRedirect(trx: Transaction, accountId: string): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ redirect: false })
    .where('account_id', '=', accountId)
    .where('redirect', '=', true)
    .execute();
}

export type DomainChange = Partial<
  Pick<
    Selectable<Schema['domains']>,
    'redirect' | 'verified_at' | 'missing_since' | 'points_here' | 'problem' | 'checked_at'
  >
>;

export async function updateDomain(
  trx: Transaction,
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
 * Unverifies another account's domain if that account's token is no longer in the DNS. Returns the
 * account that keeps the domain (`currentOwnerId`) or lost it (`previousOwnerId`).
 */
export async function revokeOutdatedVerification(
  trx: Transaction,
  { accountId, domain }: { accountId: string; domain: string },
  { tokens, problem }: { tokens: readonly string[]; problem: StoredMessage },
): Promise<{ currentOwnerId?: string; previousOwnerId?: string }> {
  const otherDomain = await selectOtherOwner(trx, accountId, domain).forUpdate().executeTakeFirst();
  if (!otherDomain) return {};
  if (tokens.includes(otherDomain.token)) return { currentOwnerId: otherDomain.account_id };
  await updateDomain(
    trx,
    { accountId: otherDomain.account_id, domain },
    { verified_at: null, missing_since: null, redirect: false, problem },
  );
  return { previousOwnerId: otherDomain.account_id };
}

/**
 * Least recently checked first. A domain that is unverified, or is known not to point here, is due
 * after a tenth of its age at the last check, but at least a minute and at most six hours. All
 * other domains are due every six hours. Unverified domains are no longer checked after 30 days.
 */
export async function listDueDomains(
  db: ReadDatabase,
  limit: number,
): Promise<{ accountId: string; domain: string }[]> {
  // 45 seconds instead of a minute, because the job starts with some delay.
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

export interface DomainSite {
  account_id: string;
  name: string | null;
  /** Also set while the account is being deleted. */
  suspended_at: Date | null;
  points_here: boolean | null;
}

const lookUpSites = lateralLookup('text', (domain, query) =>
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

export async function findDomainSites(
  db: ReadDatabase,
  domains: readonly string[],
): Promise<Map<string, DomainSite>> {
  const rows = await lookUpSites(db, domains);
  return new Map(rows.map(({ domain, ...site }) => [domain, site]));
}
