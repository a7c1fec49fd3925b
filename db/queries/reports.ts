import { sql } from 'kysely';
import type { ReportReason } from '#contract/shared/report-reasons.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import { ownerAddress } from './owner-mails.ts';
import { countRows, isAfter } from './rows.ts';

export interface NewReport {
  name: string;
  reason: ReportReason;
  text: string | null;
  email: string | null;
}

/**
 * Stores a report. A duplicate of an open report only raises its count. Once `limit` reports of the page are open, a
 * new one replaces the third newest report with the most frequent reason, and the next older report takes over its
 * count. A flood of reports with one reason thus hides neither other reasons nor its own first and latest reports.
 * `limit` must exceed three times the number of reasons. The caller must hold the lock on the account.
 */
export async function insertReport(
  trx: Transaction,
  accountId: string,
  { name, reason, text, email, limit }: NewReport & { limit: number },
): Promise<void> {
  await sql`
    WITH open AS (
      SELECT id, reason = ${reason} AND text IS NOT DISTINCT FROM ${text}::text
          AND email IS NOT DISTINCT FROM ${email}::text AS same,
        count(*) OVER () AS number, count(*) OVER (PARTITION BY reason) AS frequency,
        row_number() OVER by_age AS age, lead(id) OVER by_age AS older
      FROM reports WHERE account_id = ${accountId} AND closed_at IS NULL
      WINDOW by_age AS (PARTITION BY reason ORDER BY created_at DESC, id)
    ), counted AS (
      UPDATE reports SET count = least(count, 2000000000) + 1
      WHERE id = (SELECT id FROM open WHERE same ORDER BY age LIMIT 1)
      RETURNING id
    ), replaced AS (
      DELETE FROM reports USING (
        SELECT id, older FROM open WHERE age = 3 AND number >= ${limit}::int AND older IS NOT NULL
          AND NOT EXISTS (SELECT FROM counted)
        ORDER BY frequency DESC, id LIMIT 1) AS one
      WHERE reports.id = one.id
      RETURNING one.older, reports.count
    ), merged AS (
      UPDATE reports SET count = least(reports.count::bigint + replaced.count, 2000000000)
      FROM replaced WHERE reports.id = replaced.older
    )
    INSERT INTO reports (account_id, name, reason, text, email)
    SELECT ${accountId}::uuid, ${name}::text, ${reason}::text, ${text}::text, ${email}::text
    WHERE NOT EXISTS (SELECT FROM counted)`.execute(trx);
}

export interface ReportRow extends NewReport {
  id: string;
  account_id: string;
  display_name: string | null;
  suspended_at: Date | null;
  page_suspended_at: Date | null;
  login_email: string | null;
  count: number;
  created_at: Date;
}

export async function listOpenReports(
  db: ReadDatabase,
  options: {
    limit: number;
    accountId?: string | undefined;
    after?: string | undefined;
  },
): Promise<ReportRow[]> {
  const { limit, accountId, after } = options;
  let reports = db
    .selectFrom('reports')
    .innerJoin('accounts', 'accounts.id', 'reports.account_id')
    .leftJoin('sites', 'sites.account_id', 'reports.account_id')
    .leftJoin('display_names', 'display_names.account_id', 'reports.account_id')
    .leftJoin('forwarding_settings', 'forwarding_settings.account_id', 'reports.account_id')
    .select(ownerAddress.as('login_email'))
    .select(['reports.id', 'reports.account_id', 'reports.name', 'reason', 'text', 'email'])
    .select([
      'count',
      'reports.created_at',
      'accounts.suspended_at',
      'sites.suspended_at as page_suspended_at',
    ])
    .select('display_names.name as display_name')
    .where('reports.closed_at', 'is', null);
  if (accountId !== undefined) reports = reports.where('reports.account_id', '=', accountId);
  if (after !== undefined) reports = reports.where(isAfter('reports', after));
  return reports.orderBy('reports.created_at', 'desc').orderBy('reports.id').limit(limit).execute();
}

/** The columns `closed_by` and `closed_reason` are no longer used; 0.5.0 drops them. */
export async function closeAccountReports(
  trx: Executor,
  accountId: string,
  outcome: 'hidden' | 'suspended',
): Promise<void> {
  await trx
    .updateTable('reports')
    .set({ closed_at: sql<Date>`now()`, outcome })
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .execute();
}

/** Returns the accounts of the reports, with their names. Ignores unknown ids. */
export async function dismissReports(
  trx: Executor,
  ids: readonly string[],
): Promise<{ account_id: string; name: string | null }[]> {
  return trx
    .updateTable('reports')
    .set({
      closed_at: sql<Date>`coalesce(closed_at, now())`,
      outcome: sql<'dismissed'>`coalesce(outcome, 'dismissed')`,
    })
    .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .returning('account_id')
    .returning(
      sql<string | null>`(SELECT name FROM display_names
        WHERE display_names.account_id = reports.account_id)`.as('name'),
    )
    .execute();
}

export async function countOpenReports(db: ReadDatabase, limit: number): Promise<number> {
  // Same order as the index of open reports, so that PostgreSQL uses it.
  const source = sql`(SELECT FROM reports WHERE closed_at IS NULL
    ORDER BY created_at DESC LIMIT ${limit}) AS open`;
  return countRows(db, source);
}
