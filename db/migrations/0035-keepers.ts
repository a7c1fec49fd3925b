import { type Kysely, sql } from 'kysely';

/**
 * Members who look after an account. An account with an owner among them has no sign-in of its own.
 * `actor_id` is the keeper who made a key or a connection, null for the account itself. It is not a
 * foreign key: without its keeper, a key must not become one of the account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE keepers (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    keeper_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    is_owner boolean NOT NULL DEFAULT false,
    invited_by uuid,
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, keeper_id),
    CHECK (account_id <> keeper_id)
  )`,
  'CREATE UNIQUE INDEX keepers_owner ON keepers (account_id) WHERE is_owner',
  'CREATE INDEX keepers_keeper_id ON keepers (keeper_id)',
  `CREATE TABLE keeper_invitations (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    keeper_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    invited_by uuid NOT NULL,
    token_hash bytea UNIQUE CHECK (length(token_hash) = 32),
    expires_at timestamptz NOT NULL DEFAULT now() + interval '14 days',
    UNIQUE (account_id, keeper_id),
    CHECK (account_id <> keeper_id)
  )`,
  'CREATE INDEX keeper_invitations_keeper_id ON keeper_invitations (keeper_id)',
  'CREATE INDEX keeper_invitations_expires_at ON keeper_invitations (expires_at)',
  'ALTER TABLE api_keys ADD COLUMN actor_id uuid',
  'ALTER TABLE connections ADD COLUMN actor_id uuid',
  `ALTER TABLE owner_mails DROP CONSTRAINT owner_mails_kind_check,
    ADD CONSTRAINT owner_mails_kind_check CHECK (kind IN (
      'login', 'key', 'passkey', 'identity', 'deletion', 'alert', 'report', 'message', 'backup',
      'operator', 'suspension', 'resumption', 'link', 'confirmation', 'event', 'group',
      'application', 'leaver', 'keeper')) NOT VALID`,
  `ALTER TABLE events DROP CONSTRAINT events_type_check,
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
      'week_summary', 'server_week_summary', 'application_received', 'app_connected',
      'app_disconnected', 'keeper_invited', 'keeper_joined', 'keeper_left',
      'account_transferred')) NOT VALID`,
];
