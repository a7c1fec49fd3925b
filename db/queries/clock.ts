import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';

const DAY = sql`interval '1 day'`;
/** Clocks of servers and of the database differ by less. */
const LATEST = sql`now() + interval '5 minutes'`;
/** Their times decide nothing, and the tables are large. */
const HISTORY = ['audit_log', 'deliveries', 'events', 'metrics', 'site_versions'];

/**
 * When the clock jumped, unless it has run evenly for a day since then. A wrong clock must not
 * delete data because of its age, and a server that was off for a day cannot tell whether its clock
 * is right: both wait for a day. Deletion starts only after a run that follows another within a day.
 */
export async function findClockJump(db: ReadDatabase): Promise<Date | undefined> {
  const here = new Date();
  const { rows } = await sql<{ jumped_at: Date | null }>`
    SELECT CASE
      WHEN greatest(finished_at, now(), ${here}) - least(finished_at, now(), ${here}) > ${DAY}
        THEN coalesce(clock_jumped_at, now())
      WHEN clock_jumped_at > now() - ${DAY} THEN clock_jumped_at END AS jumped_at
    FROM (SELECT) AS here LEFT JOIN last_maintenance ON true`.execute(db);
  return rows[0]?.jumped_at ?? undefined;
}

/**
 * Ends what a clock that was ahead has left: pg-boss, limits and retries would wait until these
 * times. Returns false if there are none.
 */
export async function resetFutureTimes(db: Executor): Promise<boolean> {
  const hasQueue = await canUseQueue(db);
  // A running server stores these times every half minute, and every hour.
  const last = hasQueue ? sql`UNION ALL SELECT cron_on FROM pgboss.version` : sql``;
  const { rows } = await sql`SELECT FROM (SELECT finished_at FROM last_maintenance ${last}) AS last
    WHERE finished_at > ${LATEST}`.execute(db);
  if (rows.length === 0) return false;
  if (hasQueue)
    await sql`UPDATE pgboss.job SET start_after = start_after - (greatest(created_on, started_on) - now())
      WHERE greatest(created_on, started_on) > ${LATEST}`.execute(db);
  for (const { table, column, is_deadline } of await listTimes(db)) {
    const latest = is_deadline ? sql`${LATEST} + ${DAY}` : LATEST;
    await sql`UPDATE ${sql.raw(table)} SET ${sql.id(column)} = now()
      WHERE ${sql.id(column)} > ${latest}`.execute(db);
  }
  await sql`UPDATE week_summaries SET sent_on = date_trunc('week', now())
    WHERE sent_on > current_date + 1`.execute(db);
  await sql`UPDATE last_maintenance SET clock_jumped_at = now()`.execute(db);
  return true;
}

async function canUseQueue(db: ReadDatabase): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    SELECT to_regclass('pgboss.version') IS NOT NULL AS exists`.execute(db);
  return rows[0]!.exists;
}

/**
 * Columns with times that have passed, and deadlines that are at most a day ahead. The jobs are
 * first, so that they run even if a later statement fails; the times that tell of a jump are last.
 */
async function listTimes(
  db: ReadDatabase,
): Promise<{ table: string; column: string; is_deadline: boolean }[]> {
  const isOwn = sql`relnamespace = current_schema()::regnamespace AND relname <> ALL (${HISTORY})`;
  const isDeadline = sql`(attname IN ('leased_until', 'uncertain_until', 'next_attempt_at',
    'token_expires_at') OR attname = 'expires_at' AND relname IN ('login_links', 'pending_emails'))`;
  const { rows } = await sql<{ table: string; column: string; is_deadline: boolean }>`
    SELECT attrelid::regclass::text AS table, attname AS column, ${isDeadline} AS is_deadline
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE atttypid = 'timestamptz'::regtype AND NOT attisdropped AND relkind IN ('r', 'p')
      AND NOT relispartition AND (
        relnamespace = to_regnamespace('pgboss') AND relname IN ('job', 'queue', 'version')
          AND attname ~ '_on$'
        OR ${isOwn} AND (${isDeadline} OR attname ~ '(_at|_since)$' AND attname !~ 'expires_at$'))
    ORDER BY relname = 'last_maintenance', relname = 'version', ${isOwn}, 1, 2`.execute(db);
  return rows;
}
