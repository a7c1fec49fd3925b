import { type Kysely, type Transaction, sql } from 'kysely';
import type { Reads } from '../connections/databases.ts';
import type { Database } from '../schema.ts';

/** Jobs of a kind. */
export interface QueueState {
  kind: string;
  waiting: number;
  /** Waiting jobs that start later. */
  deferred: number;
  /** Waiting jobs that failed before. */
  retried: number;
  active: number;
  failed: number;
  /** When the first of the waiting jobs was added. */
  oldest_at: Date | null;
}

/** The job queue by kind; undefined if it does not exist yet, or this role may not use it. */
export async function readQueue(db: Reads): Promise<QueueState[] | undefined> {
  const { rows: found } = await sql<{ there: boolean }>`
    SELECT CASE WHEN has_schema_privilege(to_regnamespace('pgboss')::oid, 'USAGE')
      THEN to_regclass('pgboss.job') IS NOT NULL ELSE false END AS there`.execute(db);
  if (!found[0]?.there) return undefined;
  // Names of pg-boss's own queues begin with underscores.
  const { rows } = await sql<QueueState>`
    SELECT queue.name AS kind,
      count(*) FILTER (WHERE state IN ('created', 'retry'))::int AS waiting,
      count(*) FILTER (WHERE state IN ('created', 'retry') AND start_after > now())::int AS deferred,
      count(*) FILTER (WHERE state = 'retry')::int AS retried,
      count(*) FILTER (WHERE state = 'active')::int AS active,
      count(*) FILTER (WHERE state = 'failed')::int AS failed,
      min(job.created_on) FILTER (WHERE state IN ('created', 'retry')) AS oldest_at
    FROM pgboss.queue LEFT JOIN pgboss.job USING (name)
    WHERE queue.name NOT LIKE '\\_\\_%'
    GROUP BY queue.name
    ORDER BY queue.name`.execute(db);
  return rows;
}

/**
 * Locks a mail's job, which is being done, until the end of the transaction; false if it was cancelled.
 * The queue must exist.
 */
export async function lockMailJob(trx: Transaction<Database>, id: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pgboss.job WHERE name = 'mail' AND id = ${id}::uuid FOR UPDATE`.execute(trx);
  return rows.length > 0;
}

/** Deletes an account's mails of some kinds, or of all. A mail that is being sent now is not stopped. */
export async function cancelMails(
  trx: Transaction<Database>,
  accountId: string,
  kinds?: readonly string[],
): Promise<void> {
  const isOfKind = kinds ? sql`data->>'kind' = ANY(${kinds}::text[])` : sql`true`;
  await sql`
    DELETE FROM pgboss.job
    WHERE name = 'mail' AND data->>'accountId' = ${accountId}::text AND ${isOfKind}`.execute(trx);
}

/** How many mails failed and wait to be sent again, and why one of them failed. */
export async function findStuckMails(
  db: Kysely<Database>,
): Promise<{ count: number; error: string | null }> {
  const { rows } = await sql<{ count: number; error: string | null }>`
    SELECT count(*)::int AS count, max(output->>'message') AS error
    FROM pgboss.job WHERE name = 'mail' AND state = 'retry'`.execute(db);
  return rows[0]!;
}
