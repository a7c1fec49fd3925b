import { type Kysely, sql } from 'kysely';

/** Means nothing while `enabled` is true, so that a server that lacks this can show and hide pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE sites ADD COLUMN for_members boolean NOT NULL DEFAULT false`.execute(db);
}
