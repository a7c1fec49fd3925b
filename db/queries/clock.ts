import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';
import { isJobTime, jobClock, moveFutureJobs } from './jobs.ts';

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
        THEN now()
      WHEN clock_jumped_at > now() - ${DAY} THEN clock_jumped_at END AS jumped_at
    FROM (SELECT) AS here LEFT JOIN last_maintenance ON true`.execute(db);
  return rows[0]?.jumped_at ?? undefined;
}

/**
 * Ends what a clock that was ahead has left: pg-boss, limits and retries would wait until these
 * times. Returns false if there are none.
 */
export async function resetFutureTimes(db: Executor): Promise<boolean> {
  // A running server stores these times every half minute, and every hour.
  const { rows } = await sql`SELECT FROM ${jobClock} LEFT JOIN last_maintenance ON true
    WHERE greatest(cron_on, finished_at) > ${LATEST}`.execute(db);
  if (rows.length === 0) return false;
  await moveFutureJobs(db, LATEST);
  for (const { table, column } of await listTimes(db))
    await sql`UPDATE ${sql.raw(table)} SET ${sql.id(column)} = now()
      WHERE ${sql.id(column)} > ${LATEST}`.execute(db);
  await sql`UPDATE week_summaries SET sent_on = date_trunc('week', now())
    WHERE sent_on > current_date + 1`.execute(db);
  await sql`UPDATE last_maintenance SET clock_jumped_at = now()`.execute(db);
  return true;
}

/**
 * Times that have passed, and deadlines that are at most a day ahead. The jobs are first, so that
 * they run even if a later statement fails; the times that tell of a jump are last.
 */
async function listTimes(db: ReadDatabase): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT attrelid::regclass::text AS table, attname AS column
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE atttypid = 'timestamptz'::regtype AND NOT attisdropped AND relkind IN ('r', 'p')
      AND NOT relispartition AND (${isJobTime}
        OR relnamespace = current_schema()::regnamespace AND relname <> ALL (${HISTORY})
          AND (attname ~ '(_at|_since|leased_until|uncertain_until)$' AND attname <> 'expires_at'
            OR relname IN ('login_links', 'pending_emails')))
    ORDER BY relname = 'last_maintenance', relname = 'version', attname !~ '_on$', 1, 2`.execute(
    db,
  );
  return rows;
}
