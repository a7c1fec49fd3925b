import { type Kysely, sql } from 'kysely';

/** Creates the schema of the first release. `db/schema.sql` shows the current one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(SCHEMA).execute(db);
}

const SCHEMA = `
CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- While set, API keys are rejected, mail is not forwarded, and the page is hidden.
  suspended_at timestamptz,
  -- Set when the deletion starts.
  closed_at timestamptz,
  -- Never shown to the owner.
  suspension_reason text CHECK (length(suspension_reason) BETWEEN 1 AND 500),
  -- Whether the dashboard shows developer tools. The API works either way.
  developer_tools boolean NOT NULL DEFAULT false,
  -- Null until the first login from a browser that prefers a supported language.
  language text CHECK (language ~ '^[a-z]{2}$'),
  -- Set by an operator. Null means the limit of the server.
  picture_limit_mb integer CHECK (picture_limit_mb > 0),
  last_seen_at timestamptz,
  CHECK (suspension_reason IS NULL OR suspended_at IS NOT NULL),
  -- An account that is being deleted stays suspended.
  CHECK (closed_at IS NULL OR suspended_at IS NOT NULL)
);
CREATE INDEX accounts_closed_at ON accounts (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX accounts_created_at ON accounts (created_at, id);
CREATE INDEX accounts_suspended ON accounts (created_at, id) WHERE suspended_at IS NOT NULL;

-- Accounts with operator rights.
CREATE TABLE operators (
  account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
  id text PRIMARY KEY CHECK (id ~ '^np_[A-Za-z0-9]+$'),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
  label text CHECK (length(label) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  scope text NOT NULL DEFAULT 'all' CHECK (scope IN ('all', 'read', 'metrics', 'operator')),
  expires_at timestamptz
);
CREATE INDEX api_keys_account_id ON api_keys (account_id);

-- forwarding_confirmed is null if mail is forwarded unconfirmed, because the server could not send mail.
CREATE TABLE forwarding_settings (
  account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  forwarding_enabled boolean NOT NULL DEFAULT false,
  forwarding_email text CHECK (length(forwarding_email) <= 254),
  forwarding_confirmed boolean,
  -- From the sign-up, or a later confirmed one. Receives login links if forwarding_email is not confirmed.
  login_email text CHECK (length(login_email) <= 254),
  -- Scope of the key or session that set the address.
  email_scope text NOT NULL DEFAULT 'operator' CHECK (email_scope IN ('all', 'operator')),
  CHECK (NOT forwarding_enabled OR forwarding_email IS NOT NULL)
);
CREATE INDEX forwarding_settings_forwarding_email ON forwarding_settings (lower(forwarding_email));
CREATE INDEX forwarding_settings_login_email ON forwarding_settings (lower(login_email)) WHERE login_email IS NOT NULL;
CREATE INDEX forwarding_settings_unconfirmed ON forwarding_settings (account_id)
  WHERE forwarding_enabled AND NOT forwarding_confirmed;

-- account_id is unique at commit only: a rename claims the new name before it releases the old one.
CREATE TABLE display_names (
  name text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'),
  account_id uuid REFERENCES accounts ON DELETE RESTRICT,
  -- Whether the current or last owner ever had mail forwarded.
  was_forwarded boolean NOT NULL DEFAULT false,
  last_account_id uuid REFERENCES accounts ON DELETE SET NULL,
  released_at timestamptz,
  -- When the forwarding provider confirmed that the alias of the released name is gone.
  alias_removed_at timestamptz,
  -- Whether the current or last owner's page was ever visible under the name.
  was_visible boolean NOT NULL DEFAULT false,
  -- Whether the released name redirects to its last owner's page.
  redirects boolean NOT NULL DEFAULT false,
  CONSTRAINT display_names_account_id UNIQUE (account_id) DEFERRABLE INITIALLY DEFERRED,
  CHECK ((account_id IS NULL) = (released_at IS NOT NULL)),
  CHECK (account_id IS NULL OR NOT redirects)
);
CREATE INDEX display_names_last_account_id ON display_names (last_account_id);

-- suspended_at: when an operator took the page down.
-- on_front_page: whether the owner lets the front page of the server show the page.
CREATE TABLE sites (
  account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  enabled boolean NOT NULL DEFAULT false,
  bio text CHECK (length(bio) <= 4000),
  avatar_url text CHECK (length(avatar_url) <= 2048),
  theme_id uuid,
  custom_theme jsonb CHECK (jsonb_typeof(custom_theme) = 'object'),
  display_name text CHECK (length(display_name) <= 200),
  location text CHECK (length(location) <= 200),
  mood text CHECK (length(mood) <= 200),
  settings json,
  -- Increased by every change.
  version bigint NOT NULL DEFAULT 1,
  suspended_at timestamptz,
  suspension_reason text CHECK (length(suspension_reason) BETWEEN 1 AND 500),
  counts_visits boolean NOT NULL DEFAULT true,
  on_front_page boolean NOT NULL DEFAULT false,
  CHECK ((suspended_at IS NULL) = (suspension_reason IS NULL))
);
CREATE INDEX sites_on_front_page ON sites (account_id) WHERE on_front_page;

CREATE TABLE blocks (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  id uuid NOT NULL,
  position integer NOT NULL CHECK (position BETWEEN 0 AND 99),
  type text NOT NULL CHECK (type ~ '^[a-z0-9_-]{1,32}$'),
  enabled boolean NOT NULL,
  content text CHECK (length(content) <= 10000),
  url text CHECK (length(url) <= 2048),
  fields json NOT NULL,
  PRIMARY KEY (account_id, id),
  CONSTRAINT blocks_position UNIQUE (account_id, position) DEFERRABLE INITIALLY DEFERRED
);

-- A project with closed_at is being deleted and accepts no metrics.
CREATE TABLE projects (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  metric_retention_days integer NOT NULL DEFAULT 0 CHECK (metric_retention_days BETWEEN 0 AND 3660),
  -- Increased when metrics are deleted.
  metric_revision bigint NOT NULL DEFAULT 0
);
CREATE INDEX projects_account_id ON projects (account_id, created_at, id);
CREATE INDEX projects_closed_at ON projects (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX projects_metric_retention_days ON projects (id) WHERE metric_retention_days > 0;

-- One partition a month, created when the server starts and every hour.
CREATE SEQUENCE metrics_id CACHE 100;
CREATE TABLE metrics (
  id bigint NOT NULL DEFAULT nextval('metrics_id'),
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  received_at timestamptz NOT NULL DEFAULT now(),
  payload json NOT NULL,
  PRIMARY KEY (project_id, received_at, id)
) PARTITION BY RANGE (received_at);

-- The primary key starts with account_id, so that Citus can distribute events by account.
CREATE TABLE events (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  type text NOT NULL CHECK (type IN (
    'display_name_updated', 'forwarding_updated', 'chat_message_sent', 'chat_message_edited',
    'logged_in', 'login_failed', 'logged_out', 'session_ended', 'sessions_ended',
    'key_created', 'key_revoked', 'passkey_added', 'passkey_removed',
    'identity_linked', 'identity_unlinked',
    'account_suspended', 'account_resumed', 'page_changed', 'page_visibility_changed',
    'alert_firing', 'alert_recovered',
    'domain_added', 'domain_verified', 'domain_lost', 'domain_removed')),
  outcome text NOT NULL CHECK (outcome IN ('pending', 'succeeded', 'failed')),
  detail jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX events_account_id ON events (account_id, created_at DESC, id);
CREATE INDEX events_created_at ON events (created_at);
CREATE INDEX events_domain_verified ON events (created_at) WHERE type = 'domain_verified';

-- State of each display name at the forwarding provider.
CREATE TABLE provider_aliases (
  name text PRIMARY KEY,
  -- Increased when the desired destination may have changed.
  revision integer NOT NULL DEFAULT 1,
  -- The latest revision that the provider has confirmed.
  synced_revision integer NOT NULL DEFAULT 0,
  destination text,
  -- Until this time, only the server with the lease may call the provider about this name.
  leased_until timestamptz,
  -- Until this time, an earlier call without a response may still take effect.
  uncertain_until timestamptz,
  last_error jsonb
);
CREATE INDEX provider_aliases_unsynced ON provider_aliases (name)
  WHERE synced_revision < revision;

-- Read by mail servers. With the barrier, functions in a reader's query never see filtered rows.
CREATE VIEW postfix_aliases WITH (security_barrier = true) AS
  SELECT display_names.name, forwarding_settings.forwarding_email AS destination
  FROM display_names
  JOIN forwarding_settings USING (account_id)
  JOIN accounts ON accounts.id = forwarding_settings.account_id
  WHERE forwarding_settings.forwarding_enabled AND forwarding_settings.forwarding_confirmed IS NOT FALSE
    AND accounts.suspended_at IS NULL;

-- The URL is encrypted with a key that is not in the database.
CREATE TABLE chat_webhooks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- The chat platform's id of the webhook. Not a secret.
  platform_id text NOT NULL CHECK (platform_id ~ '^[0-9]{1,20}$'),
  encrypted_url bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX chat_webhooks_account_id ON chat_webhooks (account_id, created_at, id);

-- Messages that the account sent in the same second, and in the same minute, as its latest one.
CREATE TABLE chat_send_counts (
  account_id uuid PRIMARY KEY,
  second timestamptz NOT NULL,
  in_second integer NOT NULL,
  minute timestamptz NOT NULL,
  in_minute integer NOT NULL
);

-- Hashed, so that no address outlives its removal from forwarding_settings.
CREATE TABLE forwarding_destinations (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  address_hash bytea NOT NULL CHECK (length(address_hash) = 32),
  added_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  confirmed_at timestamptz,
  token_hash bytea UNIQUE CHECK (length(token_hash) = 32),
  token_expires_at timestamptz,
  -- Confirmation mails in the 24 hours from mail_count_since.
  mail_count integer NOT NULL DEFAULT 0,
  mail_count_since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, address_hash),
  CHECK ((token_hash IS NULL) = (token_expires_at IS NULL))
);
CREATE INDEX forwarding_destinations_unconfirmed
  ON forwarding_destinations ((greatest(added_at, mail_count_since)))
  WHERE confirmed_at IS NULL;

-- Addresses that this installation added at the forwarding provider.
CREATE TABLE provider_destinations (
  email text PRIMARY KEY,
  unused_since timestamptz
);

-- Actions of administrators. Rows outlive the accounts they are about.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT now(),
  who text NOT NULL,
  via text NOT NULL CHECK (via IN ('command', 'first start', 'operator')),
  action text NOT NULL,
  account_id uuid,
  name text,
  project_id uuid,
  key_id text,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_log_created_at ON audit_log (created_at DESC, id);
CREATE INDEX audit_log_account_id ON audit_log (account_id, created_at DESC, id);
CREATE INDEX audit_log_name ON audit_log (name);

-- Usage per account and UTC day, summed over all servers.
CREATE TABLE daily_usage (
  account_id uuid NOT NULL,
  day date NOT NULL,
  metric_bytes bigint NOT NULL DEFAULT 0,
  response_bytes bigint NOT NULL DEFAULT 0,
  name_changes integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
);
CREATE INDEX daily_usage_day ON daily_usage (day);

-- Daily counts (UTC), nothing about single visitors. Views and clicks have an empty value.
CREATE TABLE page_visits (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('view', 'click', 'referrer', 'device', 'country', 'link')),
  day date NOT NULL,
  value text NOT NULL CHECK (length(value) <= 1000),
  count bigint NOT NULL,
  PRIMARY KEY (account_id, kind, day, value)
);
CREATE INDEX page_visits_day ON page_visits (day);

-- Includes the current version.
CREATE TABLE site_versions (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  version bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  configuration json NOT NULL,
  bytes integer NOT NULL,
  PRIMARY KEY (account_id, version)
);

-- WebP in three sizes. The id ends with the width and height of the largest one.
CREATE TABLE pictures (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22}-[0-9]+x[0-9]+$'),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  file_hash bytea NOT NULL CHECK (length(file_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it was last uploaded or found in a stored site version.
  used_at timestamptz NOT NULL DEFAULT now(),
  bytes integer NOT NULL,
  webp_96 bytea NOT NULL,
  webp_512 bytea NOT NULL,
  webp_1200 bytea NOT NULL,
  UNIQUE (account_id, file_hash)
);
CREATE INDEX pictures_used_at ON pictures (used_at);

-- Custom domains. Several accounts can add a domain; the one whose token is in its DNS gets it verified.
CREATE TABLE domains (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  domain text NOT NULL CHECK (domain ~ '^[a-z0-9-]+(\\.[a-z0-9-]+)+$' AND length(domain) <= 253),
  -- Expected in the domain's TXT record (the proof record).
  token text NOT NULL CHECK (token ~ '^[A-Za-z0-9_-]{22}$'),
  -- Whether the page on the server's host redirects to this domain.
  redirect boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  verified_at timestamptz,
  -- When the proof record of a verified domain was first missing.
  missing_since timestamptz,
  -- Whether the domain resolves to the server's addresses; null if unknown.
  points_here boolean,
  problem jsonb,
  checked_at timestamptz,
  PRIMARY KEY (account_id, domain),
  CHECK (missing_since IS NULL OR verified_at IS NOT NULL)
);
CREATE UNIQUE INDEX domains_verified ON domains (domain) WHERE verified_at IS NOT NULL;
CREATE UNIQUE INDEX domains_redirect ON domains (account_id) WHERE redirect;
CREATE INDEX domains_checked_at ON domains (checked_at NULLS FIRST);

CREATE TABLE passkeys (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]+$' AND length(id) <= 1400),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  public_key bytea NOT NULL,
  -- 0 if the authenticator does not count.
  counter bigint NOT NULL,
  transports json NOT NULL,
  -- Scope of the key or session that added it. Its logins have no other rights.
  scope text NOT NULL CHECK (scope IN ('all', 'operator')),
  label text CHECK (length(label) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_account_id ON passkeys (account_id, created_at);

-- Users of identity providers. Each belongs to one account.
CREATE TABLE identities (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  issuer text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 500),
  -- The provider's permanent id for the user.
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  -- Scope of the session that linked it; operator if it created the account.
  scope text NOT NULL CHECK (scope IN ('all', 'operator')),
  label text CHECK (length(label) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  UNIQUE (issuer, subject),
  UNIQUE (account_id, issuer)
);

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  via text NOT NULL CHECK (via IN ('link', 'key', 'passkey', 'oidc')),
  -- The credential used to log in. Deleting it ends the session.
  key_id text REFERENCES api_keys ON DELETE CASCADE,
  agent text CHECK (length(agent) <= 300),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  passkey_id text REFERENCES passkeys ON DELETE CASCADE,
  identity_id uuid REFERENCES identities ON DELETE CASCADE,
  -- When the identity provider last authenticated the user.
  authenticated_at timestamptz,
  -- Scope of the login link; null for other logins.
  scope text CHECK (scope IN ('all', 'operator')),
  CHECK ((via = 'key') = (key_id IS NOT NULL)),
  CHECK ((via = 'passkey') = (passkey_id IS NOT NULL)),
  CHECK ((via = 'oidc') = (identity_id IS NOT NULL)),
  CHECK ((via = 'oidc') = (authenticated_at IS NOT NULL))
);
CREATE INDEX sessions_account_id ON sessions (account_id, created_at);
CREATE INDEX sessions_key_id ON sessions (key_id);
CREATE INDEX sessions_last_seen_at ON sessions (last_seen_at);
CREATE INDEX sessions_passkey_id ON sessions (passkey_id);
CREATE INDEX sessions_identity_id ON sessions (identity_id);
CREATE INDEX sessions_created_at ON sessions (created_at);

CREATE TABLE login_links (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  -- That of the address to which the link was mailed.
  scope text NOT NULL DEFAULT 'operator' CHECK (scope IN ('all', 'operator'))
);
CREATE INDEX login_links_account_id ON login_links (account_id);
CREATE INDEX login_links_expires_at ON login_links (expires_at);

CREATE TABLE invitations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Null until the mail is sent.
  token_hash bytea UNIQUE CHECK (length(token_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  note text CHECK (length(note) BETWEEN 1 AND 200),
  max_uses integer NOT NULL DEFAULT 1 CHECK (max_uses BETWEEN 1 AND 10000),
  uses integer NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND max_uses),
  -- Member list; null for a link.
  batch_id uuid,
  name text CHECK (length(name) BETWEEN 1 AND 200),
  email text CHECK (length(email) <= 254),
  display_name text CHECK (length(display_name) <= 63),
  forward_to text CHECK (length(forward_to) <= 254),
  -- Null if the invitation is not mailed.
  mail_state text CHECK (mail_state IN ('waiting', 'sent', 'failed')),
  mail_tries integer NOT NULL DEFAULT 0,
  mail_error text CHECK (length(mail_error) <= 200),
  sent_at timestamptz,
  accepted_at timestamptz,
  account_id uuid REFERENCES accounts ON DELETE CASCADE,
  -- Language of the mail, the name of the operator who invites, and a sentence of the operator.
  language text CHECK (language ~ '^[a-z]{2}$'),
  inviter text CHECK (length(inviter) <= 200),
  sentence text CHECK (length(sentence) BETWEEN 1 AND 300)
);
CREATE UNIQUE INDEX invitations_email ON invitations (lower(email)) WHERE email IS NOT NULL;
CREATE INDEX invitations_expires_at ON invitations (expires_at);
CREATE INDEX invitations_created_at ON invitations (created_at DESC, id);
CREATE INDEX invitations_account_id ON invitations (account_id);

-- Requested accounts, until the link in the mail is opened.
CREATE TABLE sign_ups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL CHECK (length(email) <= 254),
  display_name text NOT NULL CHECK (length(display_name) <= 63),
  invitation_hash bytea CHECK (length(invitation_hash) = 32),
  -- Null until the link is mailed.
  token_hash bytea UNIQUE CHECK (length(token_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sign_ups_email ON sign_ups (lower(email), created_at);
CREATE INDEX sign_ups_invitation_hash ON sign_ups (invitation_hash)
  WHERE invitation_hash IS NOT NULL;
CREATE INDEX sign_ups_created_at ON sign_ups (created_at);

-- Number of mails to unconfirmed addresses, and of test mails, in the latest hour that had one.
CREATE TABLE unconfirmed_mails (
  purpose text PRIMARY KEY
    CHECK (purpose IN ('sign_up', 'invitation', 'group_invitation', 'forwarding', 'test')),
  hour timestamptz NOT NULL,
  count integer NOT NULL
);

-- Time ranges of metrics that are still to be deleted.
CREATE TABLE metric_deletions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX metric_deletions_project_id ON metric_deletions (project_id);

-- An alert without a target is mailed. notified_state is the state in the latest message.
-- revision is increased by every change of the owner and every message.
CREATE TABLE alerts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  target jsonb NOT NULL,
  webhook_id uuid GENERATED ALWAYS AS ((target->>'webhook_id')::uuid) STORED REFERENCES chat_webhooks,
  path json NOT NULL,
  aggregate text NOT NULL CHECK (aggregate IN ('count', 'sum', 'avg', 'min', 'max')),
  -- Length of the evaluated window.
  minutes integer NOT NULL CHECK (minutes BETWEEN 1 AND 1440),
  comparison text NOT NULL CHECK (comparison IN ('above', 'below', 'absent')),
  threshold double precision,
  pause_minutes integer NOT NULL CHECK (pause_minutes BETWEEN 0 AND 10080),
  created_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'fine', 'firing', 'no_data')),
  value double precision,
  changed_at timestamptz,
  evaluated_at timestamptz,
  evaluation_seconds double precision NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 0,
  notified_state text NOT NULL DEFAULT 'fine' CHECK (notified_state IN ('fine', 'firing')),
  firing_notified_at timestamptz,
  sent_at timestamptz,
  last_error jsonb,
  CHECK ((comparison = 'absent') = (threshold IS NULL))
);
CREATE INDEX alerts_account_id ON alerts (account_id, created_at, id);
CREATE INDEX alerts_project_id ON alerts (project_id, created_at, id);
CREATE INDEX alerts_webhook_id ON alerts (webhook_id);
CREATE INDEX alerts_evaluated_at ON alerts (evaluated_at NULLS FIRST);

-- Recent mails to owners. Rows outlive the account, because one kind reports its deletion.
CREATE TABLE owner_mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN (
    'login', 'key', 'passkey', 'identity', 'deletion', 'alert', 'report', 'message', 'backup',
    'operator', 'suspension', 'resumption', 'link')),
  account_id uuid NOT NULL,
  -- SHA-256, as in all columns with a hash.
  address_hash bytea NOT NULL CHECK (length(address_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX owner_mails_account_id ON owner_mails (account_id, created_at);
CREATE INDEX owner_mails_address_hash ON owner_mails (address_hash, created_at);
CREATE INDEX owner_mails_created_at ON owner_mails (created_at);

-- Rows are deleted after 24 hours. Metrics have no response, because it is always the same.
CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL CHECK (length(body_hash) = 32),
  -- interrupted: the write may have taken effect. Only external writes have it or running.
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'interrupted')),
  -- HTTP status; null unless done.
  status smallint CHECK (status BETWEEN 200 AND 499),
  response json,
  created_at timestamptz NOT NULL DEFAULT now(),
  error_code text,
  PRIMARY KEY (account_id, method, path, key)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

-- Abuse reports by visitors. count is the number of identical reports.
CREATE TABLE reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  -- Display name at the time of the report.
  name text NOT NULL,
  reason text NOT NULL CHECK (
    reason IN ('scam', 'impersonation', 'harassment', 'malware', 'illegal', 'other')),
  text text CHECK (length(text) BETWEEN 1 AND 2000),
  -- The reporter's, never shown to the page's owner.
  email text CHECK (length(email) <= 254),
  count integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  outcome text CHECK (outcome IN ('dismissed', 'hidden', 'suspended')),
  -- Display name of the operator.
  closed_by text CHECK (length(closed_by) <= 63),
  -- Of the suspension, of the page or the account.
  closed_reason text CHECK (length(closed_reason) <= 500),
  CHECK ((closed_at IS NULL) = (outcome IS NULL)),
  CHECK (closed_at IS NOT NULL OR (closed_by IS NULL AND closed_reason IS NULL))
);
CREATE INDEX reports_account_id ON reports (account_id, created_at);
CREATE INDEX reports_open ON reports (created_at DESC, id) WHERE closed_at IS NULL;
CREATE INDEX reports_closed ON reports (created_at DESC, id) WHERE closed_at IS NOT NULL;
CREATE INDEX reports_created_at ON reports (created_at);
CREATE INDEX reports_closed_at ON reports (closed_at);

-- The secret signs challenges of passkeys and single sign-on. Each challenge works once.
CREATE TABLE challenge_secret (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  secret bytea NOT NULL CHECK (length(secret) = 32)
);
CREATE TABLE used_challenges (
  signature bytea PRIMARY KEY CHECK (length(signature) = 32),
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_challenges_expires_at ON used_challenges (expires_at);

CREATE TABLE last_maintenance (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  finished_at timestamptz NOT NULL,
  seconds double precision NOT NULL,
  failed_tasks integer NOT NULL
);

-- The last two are null after a success.
CREATE TABLE last_backup (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  finished_at timestamptz,
  failed_at timestamptz,
  error text CHECK (error IN ('space', 'file', 'missing', 'denied', 'readonly', 'other')),
  CHECK ((failed_at IS NULL) = (error IS NULL))
);

-- How the operators present this installation. Null means the default look.
CREATE TABLE instance (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  name text CHECK (length(name) BETWEEN 1 AND 60),
  line text CHECK (length(line) BETWEEN 1 AND 100),
  -- As chosen. The plate uses a darker color if white text would be unreadable.
  color text CHECK (color ~ '^#[0-9a-f]{6}$'),
  -- 22 characters of the file's hash, then its width and height.
  logo_id text,
  -- WebP, at most 512 pixels on its longest side.
  logo bytea,
  dark_logo_id text,
  dark_logo bytea,
  contact text CHECK (length(contact) BETWEEN 1 AND 2048),
  imprint_url text CHECK (length(imprint_url) BETWEEN 1 AND 2048),
  privacy_url text CHECK (length(privacy_url) BETWEEN 1 AND 2048),
  terms_url text CHECK (length(terms_url) BETWEEN 1 AND 2048),
  -- Markdown, like the other texts. Replaces the link.
  imprint text CHECK (length(imprint) BETWEEN 1 AND 50000),
  privacy text CHECK (length(privacy) BETWEEN 1 AND 50000),
  terms text CHECK (length(terms) BETWEEN 1 AND 50000),
  welcome text CHECK (length(welcome) BETWEEN 1 AND 2000),
  CHECK ((logo IS NULL) = (logo_id IS NULL)),
  CHECK ((dark_logo IS NULL) = (dark_logo_id IS NULL))
);
`;
