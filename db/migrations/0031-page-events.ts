import { type Kysely, sql } from 'kysely';

/** Changes of the page and of its visibility are events, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE events DROP CONSTRAINT events_type_check`.execute(db);
  await sql`ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (type IN (
    'display_name_updated', 'forwarding_updated', 'chat_message_sent', 'chat_message_edited',
    'logged_in', 'login_failed', 'logged_out', 'session_ended', 'sessions_ended',
    'key_created', 'key_revoked', 'passkey_added', 'passkey_removed',
    'account_suspended', 'account_resumed', 'page_changed', 'page_visibility_changed'))`.execute(
    db,
  );
}
