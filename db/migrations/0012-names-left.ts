import { type Kysely, sql } from 'kysely';

/** A name whose page was visible is held back like one that had mail, and changes of names are counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE display_names ADD COLUMN shown boolean NOT NULL DEFAULT false`.execute(db);
  await sql`UPDATE display_names SET shown = true
    FROM sites WHERE sites.account_id = display_names.account_id AND sites.enabled`.execute(db);
  await sql`ALTER TABLE account_days ADD COLUMN name_changes integer NOT NULL DEFAULT 0`.execute(
    db,
  );
}
