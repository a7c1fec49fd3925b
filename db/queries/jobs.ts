import { type RawBuilder, sql } from 'kysely';
import { LOGIN_LINK_MINUTES } from '#contract/shared/durations.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';

export interface QueueState {
  kind: string;
  waiting: number;
  /** Waiting jobs that are scheduled for later. */
  deferred: number;
  awaiting_retry: number;
  active: number;
  failed: number;
  /** When the oldest waiting job was added. */
  oldest_at: Date | null;
}

/** False if the queue does not exist yet, or the database role may not read it. */
async function isQueueReadable(db: ReadDatabase): Promise<boolean> {
  const { rows } = await sql<{ is_readable: boolean }>`
    SELECT CASE WHEN has_schema_privilege(to_regnamespace('pgboss')::oid, 'USAGE')
      THEN to_regclass('pgboss.job') IS NOT NULL ELSE false END AS is_readable`.execute(db);
  return rows[0]!.is_readable;
}

/** Undefined if the queue cannot be read. */
export async function readQueueStates(db: ReadDatabase): Promise<QueueState[] | undefined> {
  if (!(await isQueueReadable(db))) return undefined;
  // pg-boss's internal queues start with two underscores.
  const { rows } = await sql<QueueState>`
    SELECT queue.name AS kind,
      count(*) FILTER (WHERE state IN ('created', 'retry'))::int AS waiting,
      count(*) FILTER (WHERE state IN ('created', 'retry') AND start_after > now())::int AS deferred,
      count(*) FILTER (WHERE state = 'retry')::int AS awaiting_retry,
      count(*) FILTER (WHERE state = 'active')::int AS active,
      count(*) FILTER (WHERE state = 'failed')::int AS failed,
      min(job.created_on) FILTER (WHERE state IN ('created', 'retry')) AS oldest_at
    FROM pgboss.queue LEFT JOIN pgboss.job USING (name)
    WHERE queue.name NOT LIKE '\\_\\_%'
    GROUP BY queue.name
    ORDER BY queue.name`.execute(db);
  return rows;
}

/** Locks the job. Returns false if it was canceled. */
export async function lockMailJob(trx: Transaction, id: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pgboss.job WHERE name = 'mail' AND id = ${id}::uuid FOR UPDATE`.execute(trx);
  return rows.length > 0;
}

/**
 * Deletes an account's queued emails that have these fields, and those with its login link. Does not
 * stop an email that is being sent. Returns whether any was waiting.
 */
export async function cancelMails(
  trx: Transaction,
  accountId: string,
  fields: object = {},
): Promise<boolean> {
  const own = JSON.stringify({ ...fields, accountId });
  const shared = JSON.stringify({ ...fields, others: [{ accountId }] });
  const find = sql`name = 'mail' AND (data @> ${own}::jsonb OR data @> ${shared}::jsonb)`;
  let wasWaiting = false;
  for (;;) {
    const { rows } = await sql<{ found: number; waiting: number }>`
      WITH canceled AS (
        DELETE FROM pgboss.job WHERE ${find} RETURNING state < 'active' AS was_waiting)
      SELECT (SELECT count(*)::int FROM pgboss.job WHERE ${find}) AS found,
        (SELECT count(*)::int FROM canceled WHERE was_waiting) AS waiting`.execute(trx);
    const { found, waiting } = rows[0]!;
    wasWaiting ||= waiting > 0;
    // pg-boss queues a failed job again by deleting its row and inserting another one, which a
    // statement that waited for the deletion does not see.
    if (found === 0) return wasWaiting;
  }
}

/** Queued login mails whose link would still be valid. */
export const validLoginMails = sql`SELECT FROM pgboss.job
  WHERE name = 'mail' AND state <= 'active' AND data->>'kind' = 'login'
    AND (data->>'requestedAt')::timestamptz > now() - ${LOGIN_LINK_MINUTES} * interval '1 minute'`;

/** Whether the same message of a visitor is less than a minute old, as after a double click. */
export async function isMessageQueued(
  trx: Transaction,
  accountId: string,
  message: object,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pgboss.job WHERE name = 'mail' AND created_on > now() - interval '1 minute'
      AND data->>'accountId' = ${accountId} AND data->'message' = ${JSON.stringify(message)}::jsonb
    LIMIT 1`.execute(trx);
  return rows.length > 0;
}

/** Counts emails waiting for a retry, and returns one of their errors as an example. */
export async function findStuckMails(
  db: ReadDatabase,
): Promise<{ count: number; error: string | null }> {
  if (!(await isQueueReadable(db))) return { count: 0, error: null };
  const { rows } = await sql<{ count: number; error: string | null }>`
    SELECT count(*)::int AS count, max(output->>'message') AS error
    FROM pgboss.job WHERE name = 'mail' AND state = 'retry'`.execute(db);
  return rows[0]!;
}

/** The names of aliases with a queued job. */
export const queuedAliases = sql`SELECT singleton_key FROM pgboss.job
  WHERE job.name = 'forwarding' AND state < 'active' AND singleton_key IS NOT NULL`;

/** Failed attempts and the next one, by name of the alias. */
export const selectAliasJobs = (names?: readonly string[]) => sql`
  SELECT singleton_key AS name,
    max(CASE state WHEN 'retry' THEN retry_count + 1 WHEN 'active' THEN retry_count END)
      AS attempts,
    min(start_after) FILTER (WHERE state < 'active' AND start_after > now()) AS next_try_at
  FROM pgboss.job WHERE job.name = 'forwarding' AND state <= 'active'
    AND ${names ? sql`singleton_key = ANY (${names}::text[])` : sql`true`}
  GROUP BY singleton_key`;

/** Has `cron_on`, which a running server stores every half minute. */
export const jobClock = sql`pgboss.version`;

/** Of `pg_attribute` with `pg_class`. */
export const isJobTime = sql<boolean>`(relnamespace = 'pgboss'::regnamespace
  AND relname IN ('job', 'queue', 'version') AND attname ~ '_on$')`;

/** Starts jobs that were added or started after `latest` as if that had been now. */
export async function moveFutureJobs(db: Executor, latest: RawBuilder<unknown>): Promise<void> {
  await sql`UPDATE pgboss.job SET start_after = start_after - (greatest(created_on, started_on) - now())
    WHERE greatest(created_on, started_on) > ${latest}`.execute(db);
}

export const hasJobQueue = sql<boolean>`to_regnamespace('pgboss') IS NOT NULL`;
