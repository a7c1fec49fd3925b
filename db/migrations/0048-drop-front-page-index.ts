import { type Kysely, sql } from 'kysely';

/** Servers of the previous version have an index for the list until then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP INDEX IF EXISTS sites_on_front_page`.execute(db);
}
