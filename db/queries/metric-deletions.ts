import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '../schema.ts';

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

/** Notes that metrics are to be deleted that are older than their projects keep them, in days in UTC. */
export async function insertExpiredMetrics(db: Kysely<Database>): Promise<void> {
  await sql`
    INSERT INTO metric_deletions (project_id, since, until)
    SELECT id, '-infinity', expired
    FROM (
      SELECT id, date_trunc('day', now(), 'UTC') - metric_days * interval '24 hours' AS expired
      FROM projects WHERE metric_days > 0
    ) AS project,
    -- Project by project: of EXISTS PostgreSQL would make a join that reads all metrics.
    LATERAL (
      SELECT FROM metrics WHERE project_id = project.id AND received_at < expired LIMIT 1
    ) AS first`.execute(db);
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
  { id, projectId }: { id: string; projectId: string },
): Promise<void> {
  await sql`
    DELETE FROM metric_deletions WHERE id = ${id} AND NOT EXISTS (
      SELECT FROM metrics
      WHERE project_id = metric_deletions.project_id AND received_at >= since AND received_at < until
    )`.execute(trx);
  await trx
    .updateTable('projects')
    .set({ metric_revision: sql<string>`metric_revision + 1` })
    .where('id', '=', projectId)
    .execute();
}

/** How many deletions of a project are not done yet. */
export async function countMetricDeletions(
  db: Kysely<Database>,
  projectId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('metric_deletions')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
