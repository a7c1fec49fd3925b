import { type Kysely, sql } from 'kysely';

/** `sign_on`: the group of single sign-on whose members join at their next sign-on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE groups ADD COLUMN sign_on text
    CHECK (length(sign_on) BETWEEN 1 AND 200)`.execute(db);
}
