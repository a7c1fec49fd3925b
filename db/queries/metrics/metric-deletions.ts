import type { Reads } from '#db/connections/databases.ts';
import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

/** Metrics of a project: received from a time on and before another, both ISO 8601. */
export interface MetricsToDelete {
  projectId: string;
  since?: string | undefined;
  until?: string | undefined;
}

/** Notes that metrics are to be deleted; those that come from now on are not among them. */
export async function insertMetricDeletion(
  db: Kysely<Database>,
  { projectId, since, until }: MetricsToDelete,
): Promise<void> {
  await sql`INSERT INTO metric_deletions (project_id, since, until)
    VALUES (${projectId}, ${since ?? '-infinity'}, least(${until ?? 'infinity'}, now()))`.execute(
    db,
  );
}

/**
 * Notes that metrics are to be deleted that are older than their projects keep them, in days in UTC.
 * Project by project: of one statement PostgreSQL may make a join that reads all metrics.
 */
export async function insertExpiredMetrics(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ projectId: string; until: string }>`
    SELECT id AS "projectId",
      (date_trunc('day', now(), 'UTC') - metric_retention_days * interval '24 hours')::text AS until
    FROM projects WHERE metric_retention_days > 0`.execute(db);
  for (const expired of rows)
    if (await hasMetrics(db, expired)) await insertMetricDeletion(db, expired);
}

async function hasMetrics(
  db: Kysely<Database>,
  { projectId, since = '-infinity', until = 'infinity' }: MetricsToDelete,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM metrics WHERE project_id = ${projectId}::uuid
      AND received_at >= ${since}::timestamptz AND received_at < ${until}::timestamptz
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The deletions that are not done yet, the oldest first. */
export async function listMetricDeletions(
  db: Kysely<Database>,
  limit: number,
): Promise<(Required<MetricsToDelete> & { id: string })[]> {
  const { rows } = await sql<Required<MetricsToDelete> & { id: string }>`
    SELECT id, project_id AS "projectId", since::text, until::text
    FROM metric_deletions ORDER BY id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Forgets a deletion of which nothing is left, and says that the project has other metrics now. */
export async function finishMetricDeletion(
  trx: Transaction<Database>,
  deletion: MetricsToDelete & { id: string },
): Promise<void> {
  if (!(await hasMetrics(trx, deletion)))
    await sql`DELETE FROM metric_deletions WHERE id = ${deletion.id}`.execute(trx);
  await trx
    .updateTable('projects')
    .set({ metric_revision: sql<string>`metric_revision + 1` })
    .where('id', '=', deletion.projectId)
    .execute();
}

/** How many deletions of a project are not done yet. */
export async function countMetricDeletions(db: Reads, projectId: string): Promise<number> {
  const { count } = await db
    .selectFrom('metric_deletions')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
