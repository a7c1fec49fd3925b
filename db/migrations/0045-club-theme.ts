import { type Kysely, sql } from 'kysely';

/** `theme_fonts`: null means that the club has no theme of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE instance ADD COLUMN theme_fonts text`.execute(db);
}
