import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';

export interface SummarySubscriber {
  account_id: string;
  time_zone: string | null;
  /** The Monday of the last summary, such as `2026-02-02`. */
  sent_on: string | null;
  types: ('week_summary' | 'server_week_summary')[];
}

/** Accounts with a connection that carries a weekly summary, in the order of their ids. */
export async function listSummarySubscribers(
  db: ReadDatabase,
  { after, limit }: { after: string; limit: number },
): Promise<SummarySubscriber[]> {
  const { rows } = await sql<SummarySubscriber>`
    SELECT accounts.id AS account_id, time_zone, to_char(week_summary_on, 'YYYY-MM-DD') AS sent_on,
      array_agg(DISTINCT type) AS types
    FROM connections JOIN accounts ON accounts.id = account_id
    CROSS JOIN LATERAL unnest(event_types) AS type
    WHERE accounts.id > ${after}::uuid AND suspended_at IS NULL AND disabled_at IS NULL
      AND type IN ('week_summary', 'server_week_summary')
    GROUP BY accounts.id ORDER BY accounts.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Resolves to false if the summary was already sent for that Monday. */
export async function claimWeekSummary(
  db: Executor,
  accountId: string,
  monday: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE accounts SET week_summary_on = ${monday}::date
    WHERE id = ${accountId} AND week_summary_on IS DISTINCT FROM ${monday}::date`.execute(db);
  return numAffectedRows > 0n;
}
