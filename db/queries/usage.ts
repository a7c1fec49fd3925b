import { sql } from 'kysely';
import type { UsageKind } from '#contract/shared/usage-kinds.ts';
import type { ReadDatabase } from '../connections/handles.ts';
import { isQuarantineOver } from './display-names.ts';
import { countEvents } from './events.ts';

export type UsageRow = Record<UsageKind, number>;

/** Resolves to undefined if there is no such account. */
export async function findUsage(
  db: ReadDatabase,
  { accountId, day, quarantineDays }: { accountId: string; day: string; quarantineDays: number },
): Promise<UsageRow | undefined> {
  const { rows } = await sql<Omit<UsageRow, 'events'>>`
    SELECT coalesce(today.metric_bytes, 0)::float8 AS metric_bytes_today,
      (SELECT coalesce(sum(response_bytes), 0)::float8 FROM daily_usage
        WHERE account_id = accounts.id AND day >= ${day}::date - 1) AS response_bytes,
      (SELECT coalesce(sum(bytes), 0)::float8 FROM pictures
        WHERE account_id = accounts.id) AS picture_bytes,
      (SELECT count(*)::int FROM projects
        WHERE account_id = accounts.id AND closed_at IS NULL) AS projects,
      (SELECT count(*)::int FROM api_keys
        WHERE account_id = accounts.id AND revoked_at IS NULL) AS keys,
      (SELECT count(*)::int FROM display_names
        WHERE last_account_id = accounts.id AND ${isQuarantineOver(quarantineDays)} IS NOT TRUE) AS names_held_back,
      coalesce(today.name_changes, 0) AS name_changes_today
    FROM accounts
    LEFT JOIN daily_usage AS today ON today.account_id = accounts.id AND day = ${day}::date
    WHERE accounts.id = ${accountId}`.execute(db);
  // With Citus, `events` cannot be joined with tables that are not distributed.
  return rows[0] && { ...rows[0], events: await countEvents(db, accountId) };
}
