import { type Kysely, sql } from 'kysely';

/** `sent_on`: the Monday in the time zone of the account for which the last summary was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE week_summaries (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    time_zone text CHECK (length(time_zone) <= 64),
    sent_on date
  )`.execute(db);
  await sql`CREATE INDEX connections_week_summary ON connections (account_id)
    WHERE event_types && ARRAY['week_summary', 'server_week_summary']`.execute(db);
  await sql.raw(ALLOW_EVENT_TYPES).execute(db);
}

const ALLOW_EVENT_TYPES = `
ALTER TABLE events DROP CONSTRAINT events_type_check, ADD CONSTRAINT events_type_check CHECK (type IN (
  'display_name_updated', 'forwarding_updated', 'chat_message_sent', 'chat_message_edited',
  'logged_in', 'login_failed', 'logged_out', 'session_ended', 'sessions_ended', 'key_created',
  'key_revoked', 'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked',
  'account_suspended', 'account_resumed', 'page_changed', 'page_visibility_changed',
  'alert_firing', 'alert_recovered', 'alert_no_data', 'domain_added', 'domain_verified',
  'domain_lost', 'domain_removed', 'contact_message_received', 'connection_created',
  'connection_deleted', 'connection_disabled', 'member_joined', 'member_left', 'member_suspended',
  'page_reported', 'backup_failed', 'forwarding_failing', 'group_address_joined',
  'group_address_left', 'operator_added', 'operator_removed', 'week_summary',
  'server_week_summary'
)) NOT VALID`;
