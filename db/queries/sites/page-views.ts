import type { Reads } from '../../connections/databases.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../schema.ts';
import { isAccount } from '../accounts.ts';

/** How often the page of an account was opened on a day. */
export interface PageViewsRow {
  accountId: string;
  day: string;
  views: number;
}

/** Adds to what was counted; what belongs to no account any more is left out. */
export async function addPageViews(
  db: Kysely<Database>,
  added: readonly PageViewsRow[],
): Promise<void> {
  await sql`
    INSERT INTO page_views AS stored (account_id, day, views)
    SELECT "accountId", day, views
    FROM json_to_recordset(${JSON.stringify(added)}::json)
      AS added ("accountId" uuid, day date, views bigint)
    WHERE ${isAccount(sql`"accountId"`)}
    -- In one order, or two servers could wait for each other.
    ORDER BY "accountId", day
    ON CONFLICT (account_id, day) DO UPDATE SET views = stored.views + excluded.views`.execute(db);
}

/** The views of so many days up to one, oldest first, also of those without any. */
export async function listPageViews(
  db: Reads,
  accountId: string,
  { until, days }: { until: string; days: number },
): Promise<{ day: string; views: number }[]> {
  const { rows } = await sql<{ day: string; views: number }>`
    SELECT to_char(${until}::date - ago, 'YYYY-MM-DD') AS day, coalesce(views, 0)::float8 AS views
    FROM generate_series(0, ${days}::integer - 1) AS ago
    LEFT JOIN page_views ON account_id = ${accountId}::uuid AND day = ${until}::date - ago
    ORDER BY ago DESC`.execute(db);
  return rows;
}

/** Deletes what was counted more than a year ago. */
export async function deleteOldPageViews(db: Kysely<Database>, today: string): Promise<void> {
  await db
    .deleteFrom('page_views')
    .where(sql<boolean>`day < ${today}::date - 366`)
    .execute();
}
