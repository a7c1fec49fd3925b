import { type Kysely, sql } from 'kysely';

/** A project that is being deleted takes no metrics any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE projects ADD COLUMN closed_at timestamptz`.execute(db);
}
