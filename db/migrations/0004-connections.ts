import { type Kysely, sql } from 'kysely';

/**
 * Stored webhooks become connections to Discord. Servers of the previous version use them through a
 * view with the former name. Alerts keep `target` for them.
 */
export async function up(trx: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENTS).execute(trx);
}

const STATEMENTS = `
ALTER TABLE chat_webhooks RENAME TO connections;
ALTER INDEX chat_webhooks_pkey RENAME TO connections_pkey;
ALTER INDEX chat_webhooks_account_id RENAME TO connections_account_id;
ALTER TABLE connections RENAME CONSTRAINT chat_webhooks_account_id_fkey TO connections_account_id_fkey;
ALTER TABLE connections RENAME CONSTRAINT chat_webhooks_name_check TO connections_name_check;
ALTER TABLE connections RENAME CONSTRAINT chat_webhooks_platform_id_check TO connections_platform_id_check;

-- Only the view uses platform_id. The contract lists the kinds, so that a new one needs no migration.
-- encrypted_secret is the token of ntfy or the key of a webhook.
-- failures counts the failed attempts since the last success. One server at a time sends: the one
-- that set leased_until.
ALTER TABLE connections
  ALTER COLUMN platform_id DROP NOT NULL,
  ALTER COLUMN encrypted_url DROP NOT NULL,
  ADD COLUMN kind text NOT NULL DEFAULT 'discord',
  ADD COLUMN event_types text[] NOT NULL DEFAULT '{}',
  ADD COLUMN encrypted_secret bytea,
  ADD COLUMN encrypted_former_secret bytea,
  ADD COLUMN former_secret_until timestamptz,
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN disabled_reason text CHECK (disabled_reason IN ('owner', 'gone')),
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  ADD COLUMN failing_since timestamptz,
  ADD COLUMN next_attempt_at timestamptz,
  ADD COLUMN leased_until timestamptz;

CREATE VIEW chat_webhooks AS
  SELECT id, account_id, name, platform_id, encrypted_url, created_at
  FROM connections WHERE kind = 'discord';

-- Events on their way. Those of a connection are sent in the order of position.
CREATE TABLE deliveries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  position bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  error jsonb,
  response_status smallint,
  response text CHECK (length(response) <= 500),
  duration_ms integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempted_at timestamptz
);
CREATE INDEX deliveries_connection_id ON deliveries (connection_id, position);
CREATE INDEX deliveries_pending ON deliveries (connection_id, position) WHERE status = 'pending';

-- Null: all connections of the account that carry alerts.
ALTER TABLE alerts
  ALTER COLUMN target SET DEFAULT '{}',
  ADD COLUMN connection_id uuid REFERENCES connections;
CREATE INDEX alerts_connection_id ON alerts (connection_id);
INSERT INTO connections (account_id, kind, name)
  SELECT DISTINCT account_id, 'email', 'Email' FROM alerts WHERE webhook_id IS NULL;
UPDATE alerts SET connection_id = coalesce(webhook_id,
  (SELECT id FROM connections WHERE account_id = alerts.account_id AND kind = 'email'));

-- The new lists contain the former ones, so stored rows need no check, which would lock large tables.
-- These come last, because every request that writes waits for them.
ALTER TABLE events DROP CONSTRAINT events_type_check, ADD CONSTRAINT events_type_check CHECK (type IN (
  'display_name_updated', 'forwarding_updated', 'chat_message_sent', 'chat_message_edited',
  'logged_in', 'login_failed', 'logged_out', 'session_ended', 'sessions_ended', 'key_created',
  'key_revoked', 'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked',
  'account_suspended', 'account_resumed', 'page_changed', 'page_visibility_changed', 'alert_firing',
  'alert_recovered', 'domain_added', 'domain_verified', 'domain_lost', 'domain_removed',
  'contact_message_received', 'connection_created', 'connection_deleted', 'connection_disabled',
  'member_joined', 'member_left', 'member_suspended', 'page_reported', 'backup_failed',
  'forwarding_failing', 'group_address_joined', 'group_address_left',
  'operator_added', 'operator_removed')) NOT VALID;

ALTER TABLE owner_mails DROP CONSTRAINT owner_mails_kind_check, ADD CONSTRAINT owner_mails_kind_check
  CHECK (kind IN ('login', 'key', 'passkey', 'identity', 'deletion', 'alert', 'report', 'message',
    'backup', 'operator', 'suspension', 'resumption', 'link', 'confirmation', 'event',
    'group')) NOT VALID;
`;
