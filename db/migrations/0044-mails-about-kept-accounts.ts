import { type Kysely, sql } from 'kysely';

/** Mail about an account that somebody keeps counts for that account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE owner_mails ADD COLUMN kept_id uuid`.execute(db);
}
