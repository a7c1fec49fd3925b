import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE groups ADD COLUMN in_directory boolean NOT NULL DEFAULT false`.execute(db);
}
