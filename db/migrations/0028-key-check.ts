import { type Kysely, sql } from 'kysely';

/** `encrypted_key_check`: an empty text that only the right encryption key can open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE instance ADD COLUMN encrypted_key_check bytea`.execute(db);
}
