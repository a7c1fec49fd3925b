import { type Kysely, sql } from 'kysely';

/** The trigger of 0033 fills `listed_text`. Pages can be read meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`UPDATE sites SET on_front_page = true
    WHERE on_front_page AND listed_text IS NULL`.execute(db);
  // Not the whole text, which can exceed the size that an index allows.
  await sql`CREATE INDEX IF NOT EXISTS sites_listed_text ON sites (left(listed_text, 200), account_id)
    WHERE on_front_page`.execute(db);
}
