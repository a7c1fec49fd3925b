import { type Kysely, sql } from 'kysely';

/** Without a foreign key, because a page that is gone is like one that is hidden. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE instance ADD COLUMN our_page_id uuid`.execute(db);
}
