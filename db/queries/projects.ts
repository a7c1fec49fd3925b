import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '../schema.ts';

export interface ProjectRow {
  id: string;
  name: string;
  created_at: Date;
}

const columns = ['id', 'name', 'created_at'] as const;

/** The projects of an account, oldest first. */
export async function listProjects(db: Kysely<Database>, accountId: string): Promise<ProjectRow[]> {
  return db
    .selectFrom('projects')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
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

/** Gives a project another name; undefined if there is none. */
export async function renameProject(
  db: Kysely<Database>,
  id: string,
  name: string,
): Promise<ProjectRow | undefined> {
  return db
    .updateTable('projects')
    .set({ name })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
}

/** Which of some ids are projects of an account. */
export async function findOwnProjects(
  db: Kysely<Database>,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .execute();
  return rows.map(({ id }) => id);
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

/** Deletes a closed project with its metrics, which take long: so they go before the row is locked. */
export async function deleteClosedProject(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('metrics').where('project_id', '=', id).execute();
  await trx.deleteFrom('projects').where('id', '=', id).execute();
}
