import { sql } from 'kysely';
import type { Executor, Transaction } from '../connections/handles.ts';
import { accountExists } from './accounts.ts';

export interface StoredBytes {
  metrics: number;
  /** Bytes of the responses stored for idempotency keys. */
  responses: number;
}

/**
 * Adds to the usage of a day, except for deleted accounts. Returns the totals of all servers:
 * metrics of that day, and responses of that day and the day before, which may still be stored.
 */
export async function addDailyUsage(
  db: Executor,
  day: string,
  usage: readonly (StoredBytes & { accountId: string })[],
): Promise<(StoredBytes & { accountId: string })[]> {
  const { rows } = await sql<StoredBytes & { accountId: string }>`
    WITH counted AS (
      INSERT INTO daily_usage AS stored (account_id, day, metric_bytes, response_bytes)
      SELECT "accountId", ${day}::date, metrics, responses
      FROM json_to_recordset(${JSON.stringify(usage)}::json)
        AS added ("accountId" uuid, metrics bigint, responses bigint)
      WHERE ${accountExists(sql`"accountId"`)}
      -- A fixed order prevents deadlocks between servers.
      ORDER BY "accountId"
      ON CONFLICT (account_id, day) DO UPDATE SET
        metric_bytes = stored.metric_bytes + excluded.metric_bytes,
        response_bytes = stored.response_bytes + excluded.response_bytes
      RETURNING account_id, metric_bytes, response_bytes
    )
    SELECT counted.account_id AS "accountId", counted.metric_bytes::float8 AS metrics,
      (counted.response_bytes + coalesce(before.response_bytes, 0))::float8 AS responses
    FROM counted
    LEFT JOIN daily_usage AS before
      ON before.account_id = counted.account_id AND before.day = ${day}::date - 1`.execute(db);
  return rows;
}

/** Counts a name change. Returns the account's name changes on that day, including this one. */
export async function recordNameChange(
  trx: Transaction,
  accountId: string,
  day: string,
): Promise<number> {
  const { name_changes } = await trx
    .insertInto('daily_usage')
    .values({ account_id: accountId, day, name_changes: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'day'])
        .doUpdateSet({ name_changes: sql<number>`daily_usage.name_changes + 1` }),
    )
    .returning('name_changes')
    .executeTakeFirstOrThrow();
  return name_changes;
}

export async function deleteOldDailyUsage(db: Executor, day: string): Promise<void> {
  await db
    .deleteFrom('daily_usage')
    .where(sql<boolean>`day < ${day}::date - 1`)
    .execute();
}
