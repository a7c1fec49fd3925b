import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

export interface ProjectRow {
  id: string;
  name: string;
  created_at: Date;
}

/** The projects of an account, oldest first. */
export async function listProjects(db: Kysely<Database>, accountId: string): Promise<ProjectRow[]> {
  return db
    .selectFrom('projects')
    .select(['id', 'name', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** A metric of a project, which must belong to the account. */
export interface NewMetric {
  accountId: string;
  projectId: string;
  payload: Record<string, unknown>;
}

/** Stores those metrics whose project belongs to their account, in one statement; tells which. */
export async function insertMetrics(
  db: Kysely<Database>,
  metrics: readonly NewMetric[],
): Promise<boolean[]> {
  const { rows } = await sql<{ position: string }>`
    WITH owned AS (
      SELECT position, projects.id, payload
      FROM ROWS FROM (
        json_to_recordset(${JSON.stringify(metrics)}::json)
          AS ("accountId" uuid, "projectId" uuid, payload json)
      ) WITH ORDINALITY AS metric ("accountId", "projectId", payload, position)
      JOIN projects ON projects.id = "projectId" AND projects.account_id = "accountId"
    ), stored AS (
      INSERT INTO metrics (project_id, payload) SELECT id, payload FROM owned ORDER BY position
    )
    SELECT position FROM owned`.execute(db);
  const stored = new Set(rows.map((row) => Number(row.position)));
  return metrics.map((_metric, index) => stored.has(index + 1));
}

/** Makes a project. */
export async function insertProject(
  db: Kysely<Database>,
  accountId: string,
  name: string,
): Promise<ProjectRow> {
  return db
    .insertInto('projects')
    .values({ account_id: accountId, name })
    .returning(['id', 'name', 'created_at'])
    .executeTakeFirstOrThrow();
}
