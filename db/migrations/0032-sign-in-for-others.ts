import { type Kysely, sql } from 'kysely';

/**
 * The OpenID provider. `oauth_clients.kind`: `website` and `program` were created by an operator,
 * `registered` by the client itself, `document` is a client whose id is the URL of its metadata.
 * `oauth_grants.actor_id` is the account that consented, `session_id` the session in which a website
 * uses the grant: not a foreign key, so that a job can still tell the website that it ended.
 * `receiver_host` is where the answer to the consent went, null for an app on a computer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE oauth_clients (
    id text PRIMARY KEY CHECK (length(id) <= 500),
    kind text NOT NULL CHECK (kind IN ('website', 'program', 'registered', 'document')),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    software text NOT NULL DEFAULT 'other'
      CHECK (software IN ('nextcloud', 'gitea', 'discourse', 'other')),
    address text CHECK (length(address) <= 2048),
    logo_id text,
    logo bytea,
    redirect_uris text[] NOT NULL,
    post_logout_redirect_uris text[] NOT NULL DEFAULT '{}',
    backchannel_logout_uri text CHECK (length(backchannel_logout_uri) <= 2048),
    secret_hash bytea CHECK (length(secret_hash) = 32),
    requires_pkce boolean NOT NULL DEFAULT true,
    asks_consent boolean NOT NULL DEFAULT true,
    allowed text NOT NULL DEFAULT 'everybody' CHECK (allowed IN ('everybody', 'operators')),
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    fetched_at timestamptz,
    logout_failed_at timestamptz,
    logout_error text CHECK (length(logout_error) <= 200),
    CHECK ((logo IS NULL) = (logo_id IS NULL))
  )`,
  'CREATE INDEX oauth_clients_logo_id ON oauth_clients (logo_id) WHERE logo_id IS NOT NULL',
  `CREATE TABLE oauth_subjects (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    subject uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE
  )`,
  `CREATE TABLE oauth_grants (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    actor_id uuid NOT NULL,
    client_id text NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
    scopes text[] NOT NULL,
    receiver_host text CHECK (length(receiver_host) <= 2048),
    session_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz
  )`,
  'CREATE INDEX oauth_grants_created_at ON oauth_grants (created_at)',
  'CREATE INDEX oauth_grants_account_id ON oauth_grants (account_id)',
  'CREATE INDEX oauth_grants_client_id ON oauth_grants (client_id, account_id)',
  `CREATE INDEX oauth_grants_session_id ON oauth_grants (session_id)
    WHERE session_id IS NOT NULL`,
  `CREATE TABLE oauth_tokens (
    id_hash bytea PRIMARY KEY CHECK (length(id_hash) = 32),
    kind text NOT NULL,
    grant_id uuid REFERENCES oauth_grants ON DELETE CASCADE,
    payload jsonb NOT NULL,
    expires_at timestamptz NOT NULL,
    consumed_at timestamptz
  )`,
  'CREATE INDEX oauth_tokens_grant_id ON oauth_tokens (grant_id)',
  'CREATE INDEX oauth_tokens_expires_at ON oauth_tokens (expires_at)',
  `CREATE TABLE oauth_keys (
    id text PRIMARY KEY,
    public_key jsonb NOT NULL,
    encrypted_key bytea NOT NULL,
    signs_from timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
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
      'app_disconnected')) NOT VALID`,
];
