import type { Reads } from '../connections/databases.ts';
import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database, MetricView } from '../schema.ts';

export interface ProjectRow {
  id: string;
  name: string;
  created_at: Date;
}

const columns = ['id', 'name', 'created_at'] as const;

/** The projects of an account, oldest first. */
export async function listProjects(db: Reads, accountId: string): Promise<ProjectRow[]> {
  return db
    .selectFrom('projects')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The ids of all projects of an account, also of those that are being deleted. */
export async function listProjectIds(db: Kysely<Database>, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ id }) => id);
}

/** The project of an id, also one that is being deleted. */
export async function findProject(
  db: Kysely<Database>,
  id: string,
): Promise<(ProjectRow & { account_id: string }) | undefined> {
  return db
    .selectFrom('projects')
    .select([...columns, 'account_id'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** How many projects an account has. */
export async function countProjects(db: Kysely<Database>, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
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
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Gives a project another name; undefined if there is none, or it is not the account's for which it is done. */
export async function renameProject(
  db: Kysely<Database>,
  { id, name, accountId }: { id: string; name: string; accountId?: string },
): Promise<ProjectRow | undefined> {
  let renaming = db
    .updateTable('projects')
    .set({ name })
    .where('id', '=', id)
    .where('closed_at', 'is', null);
  if (accountId !== undefined) renaming = renaming.where('account_id', '=', accountId);
  return renaming.returning(columns).executeTakeFirst();
}

/** Which of some ids are projects of an account; `metric_revision` is raised when metrics are deleted. */
export async function findOwnProjects(
  db: Reads,
  accountId: string,
  ids: readonly string[],
): Promise<{ id: string; metric_revision: string }[]> {
  return db
    .selectFrom('projects')
    .select(['id', 'metric_revision'])
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .execute();
}

/** How many days a project keeps its metrics, 0 for ever; undefined if it is not the account's. */
export async function findMetricDays(
  db: Reads,
  accountId: string,
  id: string,
): Promise<number | undefined> {
  const project = await db
    .selectFrom('projects')
    .select('metric_retention_days')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return project?.metric_retention_days;
}

/** Says how many days a project keeps its metrics, 0 for ever; false if there is none, or it is not the account's for which it is done. */
export async function updateMetricDays(
  db: Kysely<Database>,
  { id, days, accountId }: { id: string; days: number; accountId?: string },
): Promise<boolean> {
  let update = db
    .updateTable('projects')
    .set({ metric_retention_days: days })
    .where('id', '=', id)
    .where('closed_at', 'is', null);
  if (accountId !== undefined) update = update.where('account_id', '=', accountId);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The saved views of a project; undefined if it is not the account's. */
export async function findMetricViews(
  db: Reads,
  accountId: string,
  id: string,
): Promise<MetricView[] | undefined> {
  const project = await db
    .selectFrom('projects')
    .select('metric_views')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return project?.metric_views;
}

/** The saved views of each project of an account, by its id. */
export async function listMetricViews(
  db: Reads,
  accountId: string,
): Promise<Map<string, MetricView[]>> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'metric_views'])
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, metric_views }) => [id, metric_views]));
}

/** Replaces the saved views of a project; false if it is not the account's. */
export async function updateMetricViews(
  db: Kysely<Database>,
  { id, views, accountId }: { id: string; views: readonly MetricView[]; accountId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ metric_views: JSON.stringify(views) })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Makes a project take no metrics any more, also one that is closed already; undefined if there is none. */
export async function closeProject(
  db: Kysely<Database>,
  id: string,
): Promise<ProjectRow | undefined> {
  return db
    .updateTable('projects')
    .set({ closed_at: sql<Date>`coalesce(closed_at, now())` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

/** Makes an open project of an account take no metrics any more; false if it has none of the id. */
export async function closeOwnProject(
  db: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<boolean> {
  const closed = await db
    .updateTable('projects')
    .set({ closed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return closed !== undefined;
}

/** Some of the closed projects, which are to be deleted. */
export async function listClosedProjects(db: Kysely<Database>, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('closed_at', 'is not', null)
    .orderBy('closed_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes a closed project with its metrics. Most of them go before the row is locked, because they
 * take long; those that were being written meanwhile go after it, because on Citus no foreign key
 * deletes them.
 */
export async function deleteClosedProject(trx: Transaction<Database>, id: string): Promise<void> {
  await deleteMetrics(trx, id);
  await trx.deleteFrom('projects').where('id', '=', id).execute();
  await deleteMetrics(trx, id);
}

async function deleteMetrics(trx: Transaction<Database>, projectId: string): Promise<void> {
  await trx.deleteFrom('metrics').where('project_id', '=', projectId).execute();
}
