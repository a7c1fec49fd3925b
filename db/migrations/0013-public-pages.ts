import { type Kysely, sql } from 'kysely';

/** Every change of a site has a number, and its page may be taken down by an operator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE sites
    ADD COLUMN version bigint NOT NULL DEFAULT 1,
    ADD COLUMN suspended_at timestamptz`.execute(db);
}
