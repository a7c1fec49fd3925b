import { type Kysely, sql } from 'kysely';

/**
 * The mail server that operators connected in the dashboard, and the one whose code they have yet to
 * enter. Both contain a password, encrypted like the secrets of connections.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE instance
    ADD COLUMN encrypted_mail_server bytea,
    ADD COLUMN encrypted_pending_mail_server bytea`.execute(db);
}
