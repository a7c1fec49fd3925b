import { type Kysely, sql } from 'kysely';

/**
 * Folds and sorts all texts first, which takes seconds, and then locks the rows. A trigger has already
 * filled the rows that changed in between.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`WITH folded AS MATERIALIZED (
      SELECT account_id, listed_text(sites.display_name, name, bio) AS text
      FROM sites JOIN display_names USING (account_id)
      WHERE on_front_page AND sites.listed_text IS NULL
      ORDER BY text
    )
    UPDATE sites SET listed_text = folded.text FROM folded
    WHERE sites.account_id = folded.account_id AND on_front_page
      AND sites.listed_text IS NULL`.execute(db);
}
