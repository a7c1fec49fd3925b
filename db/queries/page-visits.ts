import { sql } from 'kysely';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { OTHER_VALUE, type VisitKind } from '#contract/shared/visits.ts';
import type { Executor, ReadDatabase } from '#db/connections/handles.ts';
import { accountExists } from './accounts.ts';

const BATCH_SIZE = 10_000;

export interface VisitCount {
  accountId: string;
  kind: VisitKind;
  /** UTC, such as `2026-01-31`. */
  day: string;
  /** Empty for views and clicks. */
  value: string;
  count: number;
}

/**
 * Adds visits to the daily counts, except for deleted accounts. If a day has reached its maximum of
 * values, a new value replaces one with a count of 1, which then counts as `other`. If there is no
 * such value, the new one counts as `other`. Made-up referrers thus cannot keep out real ones.
 * Parallel writes of several servers may exceed the maximum.
 */
export async function addPageVisits(db: Executor, visits: readonly VisitCount[]): Promise<void> {
  await sql`
    WITH added AS (
      SELECT added.*, stored.count IS NOT NULL AS known
      FROM json_to_recordset(${JSON.stringify(visits)}::json)
        AS added ("accountId" uuid, kind text, day date, value text, count bigint)
      LEFT JOIN page_visits AS stored ON stored.account_id = added."accountId"
        AND stored.kind = added.kind AND stored.day = added.day AND stored.value = added.value
      WHERE ${accountExists(sql`added."accountId"`)}
    ), lists AS (
      SELECT "accountId", kind, day, count(*) AS new, (
        SELECT count(*) FROM page_visits AS stored
        WHERE stored.account_id = "accountId" AND stored.kind = added.kind
          AND stored.day = added.day AND stored.value <> ${OTHER_VALUE}) AS stored
      FROM added WHERE NOT known AND value <> ${OTHER_VALUE} GROUP BY "accountId", kind, day
    ), replaced AS (
      DELETE FROM page_visits AS stored USING (
        SELECT lists."accountId", lists.kind, lists.day, once.value
        FROM lists CROSS JOIN LATERAL (
          SELECT value FROM page_visits AS stored
          WHERE stored.account_id = lists."accountId" AND stored.kind = lists.kind
            AND stored.day = lists.day AND stored.count = 1 AND stored.value <> ${OTHER_VALUE}
            AND NOT EXISTS (SELECT FROM added WHERE added."accountId" = stored.account_id
              AND added.kind = stored.kind AND added.day = stored.day AND added.value = stored.value)
          ORDER BY value LIMIT greatest(0, new + stored - ${LIMITS.visitValues})) AS once
      ) AS once
      WHERE stored.account_id = once."accountId" AND stored.kind = once.kind
        AND stored.day = once.day AND stored.value = once.value AND stored.count = 1
      RETURNING stored.account_id, stored.kind, stored.day
    ), numbered AS (
      SELECT added.*, row_number() OVER (
        PARTITION BY "accountId", kind, day, known ORDER BY count DESC, value) AS number
      FROM added WHERE value <> ${OTHER_VALUE}
    ), bounded AS (
      SELECT "accountId", kind, day, count,
        CASE WHEN known OR number + lists.stored - (
          SELECT count(*) FROM replaced WHERE account_id = "accountId"
            AND replaced.kind = numbered.kind AND replaced.day = numbered.day
        ) <= ${LIMITS.visitValues} THEN value ELSE ${OTHER_VALUE} END AS value
      FROM numbered LEFT JOIN lists USING ("accountId", kind, day)
      UNION ALL SELECT "accountId", kind, day, count, value FROM added WHERE value = ${OTHER_VALUE}
      UNION ALL SELECT account_id, kind, day, 1, ${OTHER_VALUE} FROM replaced
    )
    INSERT INTO page_visits AS stored (account_id, kind, day, value, count)
    SELECT "accountId", kind, day, value, sum(count) FROM bounded
    GROUP BY "accountId", kind, day, value
    -- A fixed order prevents deadlocks between servers.
    ORDER BY "accountId", kind, day, value
    ON CONFLICT (account_id, kind, day, value)
      DO UPDATE SET count = stored.count + excluded.count`.execute(db);
}

/** Both days are included. */
export interface DayRange {
  since: string;
  until: string;
}

export async function listVisitDays(
  db: ReadDatabase,
  accountId: string,
  { since, until }: DayRange,
): Promise<{ day: string; views: number; clicks: number }[]> {
  const { rows } = await sql<{ day: string; views: number; clicks: number }>`
    SELECT to_char(${since}::date + number, 'YYYY-MM-DD') AS day,
      coalesce(sum(count) FILTER (WHERE kind = 'view'), 0)::float8 AS views,
      coalesce(sum(count) FILTER (WHERE kind = 'click'), 0)::float8 AS clicks
    FROM generate_series(0, ${until}::date - ${since}::date) AS number
    LEFT JOIN page_visits ON account_id = ${accountId}::uuid AND kind IN ('view', 'click')
      AND day = ${since}::date + number AND value = ''
    GROUP BY number ORDER BY number`.execute(db);
  return rows;
}

/** Includes days without views. */
export async function listPageViews(
  db: ReadDatabase,
  accountId: string,
  { until, days }: { until: string; days: number },
): Promise<{ day: string; views: number }[]> {
  const since = utcDay(Date.parse(until) - (days - 1) * DAY_MS);
  const view = { kind: 'view', value: '' } as const;
  const counts = await listDailyCounts(db, accountId, { since, until, ...view });
  return counts.map(({ day, count }) => ({ day, views: count }));
}

/** Includes days without visits. */
export async function listDailyCounts(
  db: ReadDatabase,
  accountId: string,
  { since, until, kind, value }: DayRange & Pick<VisitCount, 'kind' | 'value'>,
): Promise<{ day: string; count: number }[]> {
  const { rows } = await sql<{ day: string; count: number }>`
    SELECT to_char(${since}::date + number, 'YYYY-MM-DD') AS day, coalesce(count, 0)::float8 AS count
    FROM generate_series(0, ${until}::date - ${since}::date) AS number
    LEFT JOIN page_visits ON account_id = ${accountId}::uuid AND kind = ${kind}
      AND day = ${since}::date + number AND value = ${value}
    ORDER BY number`.execute(db);
  return rows;
}

/** Returns up to `limit` values of each kind: the most frequent first, but `other` last. */
export async function listTopVisits(
  db: ReadDatabase,
  accountId: string,
  { since, until, limit }: DayRange & { limit: number },
): Promise<{ kind: VisitKind; value: string; count: number }[]> {
  const { rows } = await sql<{ kind: VisitKind; value: string; count: number }>`
    SELECT kind, value, count FROM (
      SELECT kind, value, sum(count)::float8 AS count, row_number() OVER (
        PARTITION BY kind ORDER BY value = ${OTHER_VALUE}, sum(count) DESC, value) AS number
      FROM page_visits
      WHERE account_id = ${accountId}::uuid AND kind IN ('referrer', 'source', 'campaign', 'device', 'country', 'link')
        AND day BETWEEN ${since}::date AND ${until}::date
      GROUP BY kind, value
    ) AS summed
    WHERE number <= ${limit} ORDER BY kind, number`.execute(db);
  return rows;
}

export async function findFirstVisitDay(
  db: ReadDatabase,
  accountId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('page_visits')
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('first'))
    .where('account_id', '=', accountId)
    .where('kind', '=', 'view')
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
  return row?.first;
}

export async function* listPageVisits(
  db: ReadDatabase,
  accountId: string,
  { since, until }: { [Day in keyof DayRange]?: DayRange[Day] | undefined } = {},
): AsyncGenerator<Omit<VisitCount, 'accountId'>[]> {
  let after = { kind: '', day: '-infinity', value: '' };
  for (;;) {
    const { rows } = await sql<Omit<VisitCount, 'accountId'>>`
      SELECT kind, to_char(day, 'YYYY-MM-DD') AS day, value, count::float8 AS count
      FROM page_visits
      WHERE account_id = ${accountId}::uuid
        AND (kind, day, value) > (${after.kind}, ${after.day}::date, ${after.value})
        AND day >= ${since ?? '-infinity'}::date AND day <= ${until ?? 'infinity'}::date
      ORDER BY account_id, kind, page_visits.day, value LIMIT ${BATCH_SIZE}`.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return;
    after = last;
  }
}

export async function deleteOldPageVisits(
  db: Executor,
  { today, days }: { today: string; days: number },
): Promise<void> {
  if (days === 0) return;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM page_visits WHERE (account_id, kind, day, value) IN (
        SELECT account_id, kind, day, value FROM page_visits WHERE day < ${today}::date - ${days}::integer
        ORDER BY day LIMIT ${BATCH_SIZE}
      )`.execute(db);
    if (numAffectedRows < BATCH_SIZE) return;
  }
}
