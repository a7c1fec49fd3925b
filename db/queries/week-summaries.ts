import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';

export interface SummarySubscriber {
  account_id: string;
  account_created_at: Date;
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
    SELECT accounts.id AS account_id, accounts.created_at AS account_created_at, time_zone, to_char(sent_on, 'YYYY-MM-DD') AS sent_on,
      array_agg(DISTINCT type) AS types
    FROM connections JOIN accounts ON accounts.id = connections.account_id
    LEFT JOIN week_summaries ON week_summaries.account_id = accounts.id
    CROSS JOIN LATERAL unnest(event_types) AS type
    WHERE connections.account_id > ${after}::uuid AND suspended_at IS NULL AND disabled_at IS NULL
      -- As in the index.
      AND event_types && ARRAY['week_summary', 'server_week_summary']
      AND type IN ('week_summary', 'server_week_summary')
    GROUP BY accounts.id, time_zone, sent_on ORDER BY accounts.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Resolves to false if the summary was already sent for that Monday or a later one. */
export async function claimWeekSummary(
  db: Executor,
  accountId: string,
  monday: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO week_summaries (account_id, sent_on) VALUES (${accountId}, ${monday}::date)
    ON CONFLICT (account_id) DO UPDATE SET sent_on = excluded.sent_on
      WHERE week_summaries.sent_on IS NULL OR week_summaries.sent_on < excluded.sent_on`.execute(
    db,
  );
  return numAffectedRows > 0n;
}

export async function saveTimeZone(
  db: Executor,
  accountId: string,
  timeZone: string,
): Promise<void> {
  await sql`
    INSERT INTO week_summaries (account_id, time_zone) VALUES (${accountId}, ${timeZone})
    ON CONFLICT (account_id) DO UPDATE SET time_zone = excluded.time_zone`.execute(db);
}
