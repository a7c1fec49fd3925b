import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** The projects of an account, oldest first. */
export async function listProjects(
  db: Kysely<Database>,
  accountId: string,
): Promise<{ id: string; name: string; created_at: Date }[]> {
  return db
    .selectFrom('projects')
    .select(['id', 'name', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Stores a metric if the project belongs to the account; false if it does not. */
export async function insertMetric(
  db: Kysely<Database>,
  metric: { accountId: string; projectId: string; payload: Record<string, unknown> },
): Promise<boolean> {
  const inserted = await db
    .insertInto('metrics')
    .columns(['project_id', 'payload'])
    .expression((eb) =>
      eb
        .selectFrom('projects')
        .select(['id', sql<string>`${JSON.stringify(metric.payload)}::json`.as('payload')])
        .where('id', '=', metric.projectId)
        .where('account_id', '=', metric.accountId),
    )
    .returning('project_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Makes a project. */
export async function insertProject(
  db: Kysely<Database>,
  accountId: string,
  name: string,
): Promise<{ id: string; name: string; created_at: Date }> {
  return db
    .insertInto('projects')
    .values({ account_id: accountId, name })
    .returning(['id', 'name', 'created_at'])
    .executeTakeFirstOrThrow();
}
