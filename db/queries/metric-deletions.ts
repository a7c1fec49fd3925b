import { sql } from 'kysely';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { isInRange, type MetricRange } from './metric-range.ts';
import { countRows, exists } from './rows.ts';

/** Limits `until` to the current time, so that metrics received later are kept. */
export async function insertMetricDeletion(
  db: Executor,
  { projectId, since, until }: MetricRange,
): Promise<void> {
  await sql`INSERT INTO metric_deletions (project_id, since, until)
    VALUES (${projectId}, ${since ?? '-infinity'}, least(${until ?? 'infinity'}, now()))`.execute(
    db,
  );
}

/**
 * Schedules the deletion of metrics that are older than their project's retention period, in whole
 * UTC days. Uses one query per project, because PostgreSQL might execute a join by reading all
 * metrics.
 */
export async function scheduleRetentionDeletions(db: Executor): Promise<void> {
  const { rows } = await sql<{ projectId: string; until: string }>`
    SELECT id AS "projectId",
      (date_trunc('day', now(), 'UTC') - metric_retention_days * interval '24 hours')::text AS until
    FROM projects WHERE metric_retention_days > 0`.execute(db);
  for (const expiredRange of rows)
    if (await hasMetrics(db, expiredRange)) await insertMetricDeletion(db, expiredRange);
}

function hasMetrics(db: ReadDatabase, range: MetricRange): Promise<boolean> {
  return exists(db, sql`metrics WHERE ${isInRange(range)}`);
}

export async function listMetricDeletions(
  db: ReadDatabase,
  limit: number,
): Promise<(Required<MetricRange> & { id: string })[]> {
  const { rows } = await sql<Required<MetricRange> & { id: string }>`
    SELECT id, project_id AS "projectId", since::text, until::text
    FROM metric_deletions ORDER BY id LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Removes the entry if its range has no metrics left, and increases the project's metric revision.
 */
export async function finishMetricDeletion(
  trx: Transaction,
  deletion: MetricRange & { id: string },
): Promise<void> {
  if (!(await hasMetrics(trx, deletion)))
    await sql`DELETE FROM metric_deletions WHERE id = ${deletion.id}`.execute(trx);
  await trx
    .updateTable('projects')
    .set({ metric_revision: sql<string>`metric_revision + 1` })
    .where('id', '=', deletion.projectId)
    .execute();
}

export async function countMetricDeletions(db: ReadDatabase, projectId: string): Promise<number> {
  return countRows(db, sql`metric_deletions WHERE project_id = ${projectId}`);
}
