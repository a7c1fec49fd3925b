import { type Kysely, sql } from 'kysely';

/** `had_value`: since the alert was created or changed, or since its last message about missing data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE alerts
    ADD COLUMN notify_no_data boolean NOT NULL DEFAULT true,
    ADD COLUMN had_value boolean NOT NULL DEFAULT false,
    ADD COLUMN no_data_notified_at timestamptz`.execute(db);
  await sql.raw(ALLOW_EVENT_TYPE).execute(db);
}

const ALLOW_EVENT_TYPE = `
ALTER TABLE events DROP CONSTRAINT events_type_check, ADD CONSTRAINT events_type_check CHECK (type IN (
  'display_name_updated', 'forwarding_updated', 'chat_message_sent', 'chat_message_edited',
  'logged_in', 'login_failed', 'logged_out', 'session_ended', 'sessions_ended', 'key_created',
  'key_revoked', 'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked',
  'account_suspended', 'account_resumed', 'page_changed', 'page_visibility_changed',
  'alert_firing', 'alert_recovered', 'alert_no_data', 'domain_added', 'domain_verified',
  'domain_lost', 'domain_removed', 'contact_message_received', 'connection_created',
  'connection_deleted', 'connection_disabled', 'member_joined', 'member_left', 'member_suspended',
  'page_reported', 'backup_failed', 'forwarding_failing', 'group_address_joined',
  'group_address_left', 'operator_added', 'operator_removed'
)) NOT VALID`;
