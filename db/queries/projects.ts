import { sql, type UpdateObject } from 'kysely';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row, Schema } from '../schema.ts';
import { countRows } from './rows.ts';

const columns = ['id', 'name', 'created_at'] as const;

export type ProjectRow = Row<'projects', (typeof columns)[number]>;

/** Oldest first. */
export async function listProjects(db: ReadDatabase, accountId: string): Promise<ProjectRow[]> {
  return selectOpenProjects(db, accountId).select(columns).execute();
}

/** A retention of 0 days means forever. */
export async function listProjectsWithRetention(
  db: ReadDatabase,
  accountId: string,
): Promise<(ProjectRow & { retention_days: number })[]> {
  return selectOpenProjects(db, accountId)
    .select([...columns, 'metric_retention_days as retention_days'])
    .execute();
}

function selectOpenProjects(db: ReadDatabase, accountId: string) {
  return db
    .selectFrom('projects')
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id');
}

/** Includes projects that are being deleted. */
export async function listProjectIds(db: ReadDatabase, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ id }) => id);
}

export async function countProjects(db: ReadDatabase, accountId: string): Promise<number> {
  return countRows(db, sql`projects WHERE account_id = ${accountId} AND closed_at IS NULL`);
}

export async function insertProject(
  db: Executor,
  accountId: string,
  name: string,
): Promise<ProjectRow> {
  return db
    .insertInto('projects')
    .values({ account_id: accountId, name })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Returns undefined if the account has no such project. */
export async function updateProject(
  db: Executor,
  { accountId, id }: { accountId: string; id: string },
  change: UpdateObject<Schema, 'projects'>,
): Promise<ProjectRow | undefined> {
  return db
    .updateTable('projects')
    .set(change)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
}

/** A retention of 0 days means forever. */
const ownColumns = ['id', 'metric_revision', 'metric_retention_days'] as const;

/** Returns the projects among `ids` that belong to the account. */
export async function findOwnProjects(
  db: ReadDatabase,
  accountId: string,
  ids: readonly string[],
): Promise<Row<'projects', (typeof ownColumns)[number]>[]> {
  return db
    .selectFrom('projects')
    .select(ownColumns)
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .execute();
}

/** A closed project accepts no metrics. */
export async function closeOwnProject(
  db: Executor,
  accountId: string,
  id: string,
): Promise<boolean> {
  const closed = await updateProject(db, { accountId, id }, { closed_at: sql<Date>`now()` });
  return closed !== undefined;
}

export async function listClosedProjects(db: ReadDatabase, limit: number): Promise<string[]> {
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
 * Deletes most metrics before locking the row, because that can take a long time. Then deletes
 * metrics that were written in parallel, because on Citus, no foreign key does that.
 */
export async function deleteClosedProject(trx: Transaction, id: string): Promise<void> {
  await deleteMetrics(trx, id);
  await trx.deleteFrom('projects').where('id', '=', id).execute();
  await deleteMetrics(trx, id);
}

async function deleteMetrics(trx: Transaction, projectId: string): Promise<void> {
  await trx.deleteFrom('metrics').where('project_id', '=', projectId).execute();
}
