import { type Kysely, sql } from 'kysely';

/** How often people opened the page of an account on a day in UTC. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE page_views (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    day date NOT NULL,
    views bigint NOT NULL,
    PRIMARY KEY (account_id, day)
  )`.execute(db);
}
