import { type Kysely, sql } from 'kysely';

/** No foreign key: a deleted account is treated like a hidden page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE instance ADD COLUMN our_page_id uuid`.execute(db);
}
