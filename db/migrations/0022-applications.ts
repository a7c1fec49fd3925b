import { type Kysely, sql } from 'kysely';

/**
 * Applications have no address, name and text once they are approved: the account has them. `held`: for
 * an application; the row of a former name keeps its history.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE applications (
    id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
    display_name text NOT NULL CHECK (length(display_name) <= 63),
    name text CHECK (length(name) <= 200),
    email text CHECK (length(email) <= 254),
    text text NOT NULL CHECK (length(text) <= 500),
    language text NOT NULL CHECK (length(language) <= 35),
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
    token_hash bytea UNIQUE CHECK (length(token_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    sentence text CHECK (length(sentence) <= 300),
    CHECK ((state = 'waiting') = (decided_at IS NULL)),
    CHECK (state = 'approved' OR email IS NOT NULL)
  )`.execute(db);
  await sql`CREATE INDEX applications_state ON applications (state, created_at DESC, id)`.execute(
    db,
  );
  await sql`CREATE INDEX applications_decided_at ON applications (decided_at)`.execute(db);
  await sql`CREATE INDEX applications_email ON applications (lower(email))
    WHERE state = 'waiting'`.execute(db);
  await sql`ALTER TABLE sign_ups
    ADD COLUMN application_text text CHECK (length(application_text) <= 500),
    ADD COLUMN application_name text CHECK (length(application_name) <= 200)`.execute(db);
  await sql`ALTER TABLE display_names ADD COLUMN held boolean NOT NULL DEFAULT false`.execute(db);
  await sql`ALTER TABLE owner_mails DROP CONSTRAINT owner_mails_kind_check,
    ADD CONSTRAINT owner_mails_kind_check CHECK (kind IN (
      'login', 'key', 'passkey', 'identity', 'deletion', 'alert', 'report', 'message', 'backup',
      'operator', 'suspension', 'resumption', 'link', 'confirmation', 'event', 'group',
      'application', 'leaver')) NOT VALID`.execute(db);
  await sql`ALTER TABLE events DROP CONSTRAINT events_type_check,
    ADD CONSTRAINT events_type_check CHECK (type IN (
      'display_name_updated', 'forwarding_updated', 'chat_message_sent', 'chat_message_edited',
      'logged_in', 'login_failed', 'logged_out', 'session_ended', 'sessions_ended', 'key_created',
      'key_revoked', 'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked',
      'account_suspended', 'account_resumed', 'page_changed', 'page_visibility_changed',
      'alert_firing', 'alert_recovered', 'alert_no_data', 'domain_added', 'domain_verified',
      'domain_lost', 'domain_removed', 'contact_message_received', 'connection_created',
      'connection_updated', 'connection_deleted', 'connection_disabled', 'member_joined',
      'member_left', 'member_suspended', 'page_reported', 'backup_failed', 'forwarding_failing',
      'group_address_joined', 'group_address_left', 'operator_added', 'operator_removed',
      'week_summary', 'server_week_summary', 'application_received')) NOT VALID`.execute(db);
}
