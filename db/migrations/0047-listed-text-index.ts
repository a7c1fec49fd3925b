import { type Kysely, sql } from 'kysely';

/** Of its own, because a write that waits for the rows of 0046 would block it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Not the whole text, which can exceed the size that an index allows.
  await sql`CREATE INDEX IF NOT EXISTS sites_listed_text ON sites (left(listed_text, 200), account_id)
    WHERE on_front_page`.execute(db);
}
