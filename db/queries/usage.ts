import { sql } from 'kysely';
import type { ReadDatabase } from '../connections/handles.ts';
import { isQuarantineOver } from './display-names.ts';
import { countEvents } from './events.ts';

export interface UsageRow {
  account_id: string;
  display_name: string | null;
  metric_bytes_today: number;
  response_bytes: number;
  picture_bytes: number;
  events: number;
  projects: number;
  keys: number;
  names_held_back: number;
  name_changes_today: number;
}

/**
 * Accounts with the most bytes of metrics today come first. With `accountId`, returns only that
 * account.
 */
export async function listUsage(
  db: ReadDatabase,
  options: { day: string; quarantineDays: number; limit: number; accountId?: string | undefined },
): Promise<UsageRow[]> {
  const { day, quarantineDays, limit, accountId } = options;
  // If fewer than `limit` accounts have metrics today, the oldest other accounts follow.
  const candidates =
    accountId === undefined
      ? sql`accounts.id IN (
          (SELECT account_id FROM daily_usage JOIN accounts ON accounts.id = account_id
            WHERE day = ${day}::date ORDER BY metric_bytes DESC, created_at, id LIMIT ${limit})
          UNION (SELECT id FROM accounts ORDER BY created_at, id LIMIT ${limit}))`
      : sql`accounts.id = ${accountId}`;
  const { rows } = await sql<Omit<UsageRow, 'events'>>`
    SELECT account.id AS account_id, account.name AS display_name,
      account.metric_bytes::float8 AS metric_bytes_today,
      (SELECT coalesce(sum(response_bytes), 0)::float8 FROM daily_usage
        WHERE account_id = account.id AND day >= ${day}::date - 1) AS response_bytes,
      (SELECT coalesce(sum(bytes), 0)::float8 FROM pictures
        WHERE account_id = account.id) AS picture_bytes,
      (SELECT count(*)::int FROM projects
        WHERE account_id = account.id AND closed_at IS NULL) AS projects,
      (SELECT count(*)::int FROM api_keys
        WHERE account_id = account.id AND revoked_at IS NULL) AS keys,
      (SELECT count(*)::int FROM display_names
        WHERE last_account_id = account.id AND ${isQuarantineOver(quarantineDays)} IS NOT TRUE) AS names_held_back,
      account.name_changes AS name_changes_today
    FROM (
      SELECT accounts.id, display_names.name, created_at,
        coalesce(today.metric_bytes, 0) AS metric_bytes,
        coalesce(today.name_changes, 0) AS name_changes
      FROM accounts
      LEFT JOIN display_names ON display_names.account_id = accounts.id
      LEFT JOIN daily_usage AS today ON today.account_id = accounts.id AND day = ${day}::date
      WHERE ${candidates}
      ORDER BY metric_bytes DESC, created_at, id
      LIMIT ${limit}
    ) AS account
    ORDER BY metric_bytes DESC, created_at, id`.execute(db);
  const events = await countEvents(
    db,
    rows.map(({ account_id }) => account_id),
  );
  return rows.map((row) => ({ ...row, events: events.get(row.account_id) ?? 0 }));
}
