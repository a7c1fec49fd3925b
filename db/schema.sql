-- The schema that all migrations make, printed by `npm run generate`. The metrics of a month are a partition,
-- and stored answers have three, one for each day in turn.

CREATE SEQUENCE metrics_id AS bigint START 1 INCREMENT 1 CACHE 100;

CREATE SEQUENCE metric_deletions_id_seq AS bigint START 1 INCREMENT 1 CACHE 1;

CREATE TABLE accounts (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  suspended_at timestamp with time zone,
  closed_at timestamp with time zone,
  suspension_reason text,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_check CHECK (closed_at IS NULL OR suspended_at IS NOT NULL),
  CONSTRAINT accounts_suspension_reason_check CHECK (length(suspension_reason) >= 1 AND length(suspension_reason) <= 500)
);

CREATE INDEX accounts_closed_at ON accounts USING btree (closed_at) WHERE closed_at IS NOT NULL;

CREATE INDEX accounts_created_at ON accounts USING btree (created_at, id);

CREATE INDEX accounts_suspended ON accounts USING btree (created_at, id) WHERE suspended_at IS NOT NULL;

CREATE TABLE operators (
  account_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT operators_pkey PRIMARY KEY (account_id),
  CONSTRAINT operators_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

CREATE TABLE api_keys (
  id text NOT NULL,
  account_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  label text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  scope text NOT NULL DEFAULT 'all'::text,
  expires_at timestamp with time zone,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT api_keys_id_check CHECK (id ~ '^np_[A-Za-z0-9]+$'::text),
  CONSTRAINT api_keys_label_check CHECK (length(label) >= 1 AND length(label) <= 200),
  CONSTRAINT api_keys_scope_check CHECK (scope = ANY (ARRAY['all'::text, 'read'::text, 'metrics'::text, 'operator'::text])),
  CONSTRAINT api_keys_secret_hash_check CHECK (length(secret_hash) = 32)
);

CREATE INDEX api_keys_account_id ON api_keys USING btree (account_id);

CREATE TABLE forwarding_settings (
  account_id uuid NOT NULL,
  forwarding_enabled boolean NOT NULL DEFAULT false,
  forwarding_email text,
  forwarding_confirmed boolean,
  login_email text,
  CONSTRAINT forwarding_settings_pkey PRIMARY KEY (account_id),
  CONSTRAINT forwarding_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT forwarding_settings_check CHECK (NOT forwarding_enabled OR forwarding_email IS NOT NULL),
  CONSTRAINT forwarding_settings_forwarding_email_check CHECK (length(forwarding_email) <= 254),
  CONSTRAINT forwarding_settings_login_email_check CHECK (length(login_email) <= 254)
);

CREATE INDEX forwarding_settings_forwarding_email ON forwarding_settings USING btree (lower(forwarding_email));

CREATE INDEX forwarding_settings_login_email ON forwarding_settings USING btree (lower(login_email)) WHERE login_email IS NOT NULL;

CREATE INDEX forwarding_settings_unconfirmed ON forwarding_settings USING btree (account_id) WHERE forwarding_enabled AND NOT forwarding_confirmed;

CREATE TABLE display_names (
  name text NOT NULL,
  account_id uuid,
  was_forwarded boolean NOT NULL DEFAULT false,
  last_account_id uuid,
  released_at timestamp with time zone,
  alias_removed_at timestamp with time zone,
  was_visible boolean NOT NULL DEFAULT false,
  CONSTRAINT display_names_pkey PRIMARY KEY (name),
  CONSTRAINT display_names_account_id UNIQUE (account_id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT display_names_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE RESTRICT,
  CONSTRAINT display_names_last_account_id_fkey FOREIGN KEY (last_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  CONSTRAINT display_names_check CHECK ((account_id IS NULL) = (released_at IS NOT NULL)),
  CONSTRAINT display_names_name_check CHECK (name ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'::text)
);

CREATE INDEX display_names_last_account_id ON display_names USING btree (last_account_id);

CREATE TABLE sites (
  account_id uuid NOT NULL,
  enabled boolean NOT NULL DEFAULT false,
  bio text,
  avatar_url text,
  theme_id uuid,
  custom_theme jsonb,
  display_name text,
  location text,
  mood text,
  settings json,
  version bigint NOT NULL DEFAULT 1,
  suspended_at timestamp with time zone,
  counts_visits boolean NOT NULL DEFAULT true,
  CONSTRAINT sites_pkey PRIMARY KEY (account_id),
  CONSTRAINT sites_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT sites_avatar_url_check CHECK (length(avatar_url) <= 2048),
  CONSTRAINT sites_bio_check CHECK (length(bio) <= 4000),
  CONSTRAINT sites_custom_theme_check CHECK (jsonb_typeof(custom_theme) = 'object'::text),
  CONSTRAINT sites_display_name_check CHECK (length(display_name) <= 200),
  CONSTRAINT sites_location_check CHECK (length(location) <= 200),
  CONSTRAINT sites_mood_check CHECK (length(mood) <= 200)
);

CREATE INDEX sites_suspended_at ON sites USING btree (suspended_at) WHERE suspended_at IS NOT NULL;

CREATE TABLE blocks (
  account_id uuid NOT NULL,
  id uuid NOT NULL,
  position integer NOT NULL,
  type text NOT NULL,
  enabled boolean NOT NULL,
  content text,
  url text,
  fields json NOT NULL,
  CONSTRAINT blocks_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT blocks_position UNIQUE (account_id, "position") DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT blocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT blocks_content_check CHECK (length(content) <= 10000),
  CONSTRAINT blocks_position_check CHECK ("position" >= 0 AND "position" <= 99),
  CONSTRAINT blocks_type_check CHECK (type ~ '^[a-z0-9_-]{1,32}$'::text),
  CONSTRAINT blocks_url_check CHECK (length(url) <= 2048)
);

CREATE TABLE projects (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  closed_at timestamp with time zone,
  metric_retention_days integer NOT NULL DEFAULT 0,
  metric_revision bigint NOT NULL DEFAULT 0,
  metric_views json NOT NULL DEFAULT '[]'::json,
  CONSTRAINT projects_pkey PRIMARY KEY (id),
  CONSTRAINT projects_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT projects_metric_retention_days_check CHECK (metric_retention_days >= 0 AND metric_retention_days <= 3660),
  CONSTRAINT projects_name_check CHECK (length(name) >= 1 AND length(name) <= 200)
);

CREATE INDEX projects_account_id ON projects USING btree (account_id, created_at, id);

CREATE INDEX projects_closed_at ON projects USING btree (closed_at) WHERE closed_at IS NOT NULL;

CREATE INDEX projects_metric_retention_days ON projects USING btree (id) WHERE metric_retention_days > 0;

CREATE TABLE metrics (
  id bigint NOT NULL DEFAULT nextval('metrics_id'::regclass),
  project_id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  payload json NOT NULL,
  CONSTRAINT metrics_pkey PRIMARY KEY (project_id, received_at, id),
  CONSTRAINT metrics_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
) PARTITION BY RANGE (received_at);

CREATE TABLE events (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  type text NOT NULL,
  outcome text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  completed_at timestamp with time zone,
  CONSTRAINT events_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT events_outcome_check CHECK (outcome = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])),
  CONSTRAINT events_type_check CHECK (type = ANY (ARRAY['display_name_updated'::text, 'forwarding_updated'::text, 'chat_message_sent'::text, 'chat_message_edited'::text, 'logged_in'::text, 'login_failed'::text, 'logged_out'::text, 'session_ended'::text, 'sessions_ended'::text, 'key_created'::text, 'key_revoked'::text, 'passkey_added'::text, 'passkey_removed'::text, 'identity_linked'::text, 'identity_unlinked'::text, 'account_suspended'::text, 'account_resumed'::text, 'page_changed'::text, 'page_visibility_changed'::text, 'alert_firing'::text, 'alert_recovered'::text, 'domain_added'::text, 'domain_verified'::text, 'domain_lost'::text, 'domain_removed'::text]))
);

CREATE INDEX events_account_id ON events USING btree (account_id, created_at DESC, id);

CREATE INDEX events_created_at ON events USING btree (created_at);

CREATE INDEX events_domain_verified ON events USING btree (created_at) WHERE type = 'domain_verified'::text;

CREATE TABLE chat_stops (
  subject text NOT NULL,
  reason text NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT chat_stops_pkey PRIMARY KEY (subject),
  CONSTRAINT chat_stops_reason_check CHECK (reason = ANY (ARRAY['budget'::text, 'limited'::text, 'dead'::text, 'blocked'::text, 'refusals'::text])),
  CONSTRAINT chat_stops_subject_check CHECK (subject ~ '^(?:webhook:[0-9a-f]{64}|account:.+|platform:.+)$'::text)
);

CREATE INDEX chat_stops_until ON chat_stops USING btree (until);

CREATE TABLE chat_rejections (
  platform text NOT NULL,
  account_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now()
);

CREATE INDEX chat_rejections_platform ON chat_rejections USING btree (platform, created_at, account_id);

CREATE TABLE provider_aliases (
  name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  synced_revision integer NOT NULL DEFAULT 0,
  destination text,
  leased_until timestamp with time zone,
  uncertain_until timestamp with time zone,
  last_error text,
  CONSTRAINT provider_aliases_pkey PRIMARY KEY (name)
);

CREATE INDEX provider_aliases_unsynced ON provider_aliases USING btree (name) WHERE synced_revision < revision;

CREATE VIEW postfix_aliases WITH (security_barrier=true) AS
 SELECT display_names.name,
    forwarding_settings.forwarding_email AS destination
   FROM display_names
     JOIN forwarding_settings USING (account_id)
     JOIN accounts ON accounts.id = forwarding_settings.account_id
  WHERE forwarding_settings.forwarding_enabled AND forwarding_settings.forwarding_confirmed IS NOT FALSE AND accounts.suspended_at IS NULL;

CREATE TABLE chat_webhooks (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  name text NOT NULL,
  platform_id text NOT NULL,
  encrypted_url bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT chat_webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT chat_webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT chat_webhooks_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  CONSTRAINT chat_webhooks_platform_id_check CHECK (platform_id ~ '^[0-9]{1,20}$'::text)
);

CREATE INDEX chat_webhooks_account_id ON chat_webhooks USING btree (account_id, created_at, id);

CREATE TABLE chat_send_counts (
  account_id uuid NOT NULL,
  second timestamp with time zone NOT NULL,
  in_second integer NOT NULL,
  minute timestamp with time zone NOT NULL,
  in_minute integer NOT NULL,
  CONSTRAINT chat_send_counts_pkey PRIMARY KEY (account_id)
);

CREATE TABLE forwarding_destinations (
  account_id uuid NOT NULL,
  address_hash bytea NOT NULL,
  added_at timestamp with time zone NOT NULL DEFAULT now(),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  confirmed_at timestamp with time zone,
  token_hash bytea,
  token_expires_at timestamp with time zone,
  mail_count integer NOT NULL DEFAULT 0,
  mail_count_since timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT forwarding_destinations_pkey PRIMARY KEY (account_id, address_hash),
  CONSTRAINT forwarding_destinations_id_key UNIQUE (id),
  CONSTRAINT forwarding_destinations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT forwarding_destinations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT forwarding_destinations_address_hash_check CHECK (length(address_hash) = 32),
  CONSTRAINT forwarding_destinations_check CHECK ((token_hash IS NULL) = (token_expires_at IS NULL)),
  CONSTRAINT forwarding_destinations_token_hash_check CHECK (length(token_hash) = 32)
);

CREATE INDEX forwarding_destinations_unconfirmed ON forwarding_destinations USING btree (GREATEST(added_at, mail_count_since)) WHERE confirmed_at IS NULL;

CREATE TABLE provider_destinations (
  email text NOT NULL,
  unused_since timestamp with time zone,
  CONSTRAINT provider_destinations_pkey PRIMARY KEY (email)
);

CREATE INDEX provider_destinations_unused_since ON provider_destinations USING btree (unused_since);

CREATE TABLE audit_log (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  who text NOT NULL,
  via text NOT NULL,
  action text NOT NULL,
  account_id uuid,
  name text,
  project_id uuid,
  key_id text,
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id),
  CONSTRAINT audit_log_via_check CHECK (via = ANY (ARRAY['command'::text, 'first start'::text, 'operator'::text]))
);

CREATE INDEX audit_log_created_at ON audit_log USING btree (created_at DESC, id);

CREATE INDEX audit_log_account_id ON audit_log USING btree (account_id, created_at DESC, id);

CREATE INDEX audit_log_name ON audit_log USING btree (name);

CREATE TABLE daily_usage (
  account_id uuid NOT NULL,
  day date NOT NULL,
  metric_bytes bigint NOT NULL DEFAULT 0,
  response_bytes bigint NOT NULL DEFAULT 0,
  name_changes integer NOT NULL DEFAULT 0,
  CONSTRAINT daily_usage_pkey PRIMARY KEY (account_id, day)
);

CREATE INDEX daily_usage_day ON daily_usage USING btree (day);

CREATE TABLE page_visits (
  account_id uuid NOT NULL,
  kind text NOT NULL,
  day date NOT NULL,
  value text NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT page_visits_pkey PRIMARY KEY (account_id, kind, day, value),
  CONSTRAINT page_visits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT page_visits_kind_check CHECK (kind = ANY (ARRAY['view'::text, 'click'::text, 'referrer'::text, 'device'::text, 'country'::text, 'link'::text])),
  CONSTRAINT page_visits_value_check CHECK (length(value) <= 1000)
);

CREATE INDEX page_visits_day ON page_visits USING btree (day);

CREATE TABLE site_versions (
  account_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  configuration json NOT NULL,
  bytes integer NOT NULL,
  CONSTRAINT site_versions_pkey PRIMARY KEY (account_id, version),
  CONSTRAINT site_versions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

CREATE TABLE pictures (
  id text NOT NULL,
  account_id uuid NOT NULL,
  file_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  used_at timestamp with time zone NOT NULL DEFAULT now(),
  bytes integer NOT NULL,
  webp_96 bytea NOT NULL,
  webp_512 bytea NOT NULL,
  webp_1200 bytea NOT NULL,
  CONSTRAINT pictures_pkey PRIMARY KEY (id),
  CONSTRAINT pictures_account_id_file_hash_key UNIQUE (account_id, file_hash),
  CONSTRAINT pictures_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT pictures_file_hash_check CHECK (length(file_hash) = 32),
  CONSTRAINT pictures_id_check CHECK (id ~ '^[A-Za-z0-9_-]{22}-[0-9]+x[0-9]+$'::text)
);

CREATE INDEX pictures_used_at ON pictures USING btree (used_at);

CREATE TABLE domains (
  account_id uuid NOT NULL,
  domain text NOT NULL,
  token text NOT NULL,
  redirect boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  verified_at timestamp with time zone,
  missing_since timestamp with time zone,
  points_here boolean,
  problem text,
  checked_at timestamp with time zone,
  CONSTRAINT domains_pkey PRIMARY KEY (account_id, domain),
  CONSTRAINT domains_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT domains_check CHECK (missing_since IS NULL OR verified_at IS NOT NULL),
  CONSTRAINT domains_domain_check CHECK (domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'::text AND length(domain) <= 253),
  CONSTRAINT domains_problem_check CHECK (length(problem) <= 500),
  CONSTRAINT domains_token_check CHECK (token ~ '^[A-Za-z0-9_-]{22}$'::text)
);

CREATE UNIQUE INDEX domains_verified ON domains USING btree (domain) WHERE verified_at IS NOT NULL;

CREATE UNIQUE INDEX domains_redirect ON domains USING btree (account_id) WHERE redirect;

CREATE INDEX domains_checked_at ON domains USING btree (checked_at NULLS FIRST);

CREATE TABLE passkeys (
  id text NOT NULL,
  account_id uuid NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports json NOT NULL,
  label text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT passkeys_id_check CHECK (id ~ '^[A-Za-z0-9_-]+$'::text AND length(id) <= 1400),
  CONSTRAINT passkeys_label_check CHECK (length(label) >= 1 AND length(label) <= 200)
);

CREATE INDEX passkeys_account_id ON passkeys USING btree (account_id, created_at);

CREATE TABLE identities (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  label text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  CONSTRAINT identities_pkey PRIMARY KEY (id),
  CONSTRAINT identities_account_id_issuer_key UNIQUE (account_id, issuer),
  CONSTRAINT identities_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT identities_issuer_check CHECK (length(issuer) >= 1 AND length(issuer) <= 500),
  CONSTRAINT identities_label_check CHECK (length(label) >= 1 AND length(label) <= 200),
  CONSTRAINT identities_subject_check CHECK (length(subject) >= 1 AND length(subject) <= 255)
);

CREATE TABLE sessions (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  via text NOT NULL,
  key_id text,
  agent text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_seen_at timestamp with time zone NOT NULL DEFAULT now(),
  passkey_id text,
  identity_id uuid,
  authenticated_at timestamp with time zone,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_token_hash_key UNIQUE (token_hash),
  CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT sessions_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES identities(id) ON DELETE CASCADE,
  CONSTRAINT sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  CONSTRAINT sessions_passkey_id_fkey FOREIGN KEY (passkey_id) REFERENCES passkeys(id) ON DELETE CASCADE,
  CONSTRAINT sessions_agent_check CHECK (length(agent) <= 300),
  CONSTRAINT sessions_check CHECK ((via = 'key'::text) = (key_id IS NOT NULL)),
  CONSTRAINT sessions_check1 CHECK ((via = 'passkey'::text) = (passkey_id IS NOT NULL)),
  CONSTRAINT sessions_check2 CHECK ((via = 'oidc'::text) = (identity_id IS NOT NULL)),
  CONSTRAINT sessions_check3 CHECK ((via = 'oidc'::text) = (authenticated_at IS NOT NULL)),
  CONSTRAINT sessions_token_hash_check CHECK (length(token_hash) = 32),
  CONSTRAINT sessions_via_check CHECK (via = ANY (ARRAY['link'::text, 'key'::text, 'passkey'::text, 'oidc'::text]))
);

CREATE INDEX sessions_account_id ON sessions USING btree (account_id, created_at);

CREATE INDEX sessions_key_id ON sessions USING btree (key_id);

CREATE INDEX sessions_last_seen_at ON sessions USING btree (last_seen_at);

CREATE INDEX sessions_passkey_id ON sessions USING btree (passkey_id);

CREATE INDEX sessions_identity_id ON sessions USING btree (identity_id);

CREATE INDEX sessions_created_at ON sessions USING btree (created_at);

CREATE TABLE login_links (
  token_hash bytea NOT NULL,
  account_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT login_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT login_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT login_links_token_hash_check CHECK (length(token_hash) = 32)
);

CREATE INDEX login_links_account_id ON login_links USING btree (account_id);

CREATE INDEX login_links_expires_at ON login_links USING btree (expires_at);

CREATE TABLE invitations (
  token_hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  note text,
  CONSTRAINT invitations_pkey PRIMARY KEY (token_hash),
  CONSTRAINT invitations_id_key UNIQUE (id),
  CONSTRAINT invitations_note_check CHECK (length(note) >= 1 AND length(note) <= 200),
  CONSTRAINT invitations_token_hash_check CHECK (length(token_hash) = 32)
);

CREATE INDEX invitations_expires_at ON invitations USING btree (expires_at);

CREATE INDEX invitations_created_at ON invitations USING btree (created_at DESC, id);

CREATE TABLE sign_ups (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  email text NOT NULL,
  display_name text NOT NULL,
  invitation_hash bytea,
  token_hash bytea,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT sign_ups_pkey PRIMARY KEY (id),
  CONSTRAINT sign_ups_token_hash_key UNIQUE (token_hash),
  CONSTRAINT sign_ups_display_name_check CHECK (length(display_name) <= 63),
  CONSTRAINT sign_ups_email_check CHECK (length(email) <= 254),
  CONSTRAINT sign_ups_invitation_hash_check CHECK (length(invitation_hash) = 32),
  CONSTRAINT sign_ups_token_hash_check CHECK (length(token_hash) = 32)
);

CREATE INDEX sign_ups_email ON sign_ups USING btree (lower(email), created_at);

CREATE INDEX sign_ups_invitation_hash ON sign_ups USING btree (invitation_hash) WHERE invitation_hash IS NOT NULL;

CREATE INDEX sign_ups_created_at ON sign_ups USING btree (created_at);

CREATE TABLE unconfirmed_mails (
  purpose text NOT NULL,
  hour timestamp with time zone NOT NULL,
  count integer NOT NULL,
  CONSTRAINT unconfirmed_mails_pkey PRIMARY KEY (purpose),
  CONSTRAINT unconfirmed_mails_purpose_check CHECK (purpose = ANY (ARRAY['sign_up'::text, 'forwarding'::text]))
);

CREATE TABLE metric_deletions (
  id bigint NOT NULL,
  project_id uuid NOT NULL,
  since timestamp with time zone NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT metric_deletions_pkey PRIMARY KEY (id),
  CONSTRAINT metric_deletions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE INDEX metric_deletions_project_id ON metric_deletions USING btree (project_id);

CREATE TABLE alerts (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  project_id uuid NOT NULL,
  webhook_id uuid,
  path json NOT NULL,
  aggregate text NOT NULL,
  minutes integer NOT NULL,
  comparison text NOT NULL,
  threshold double precision,
  pause_minutes integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'new'::text,
  value double precision,
  changed_at timestamp with time zone,
  evaluated_at timestamp with time zone,
  evaluation_seconds double precision NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 0,
  notified_state text NOT NULL DEFAULT 'fine'::text,
  firing_notified_at timestamp with time zone,
  sent_at timestamp with time zone,
  last_error text,
  CONSTRAINT alerts_pkey PRIMARY KEY (id),
  CONSTRAINT alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT alerts_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  CONSTRAINT alerts_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES chat_webhooks(id),
  CONSTRAINT alerts_aggregate_check CHECK (aggregate = ANY (ARRAY['count'::text, 'sum'::text, 'avg'::text, 'min'::text, 'max'::text])),
  CONSTRAINT alerts_check CHECK ((comparison = 'absent'::text) = (threshold IS NULL)),
  CONSTRAINT alerts_comparison_check CHECK (comparison = ANY (ARRAY['above'::text, 'below'::text, 'absent'::text])),
  CONSTRAINT alerts_minutes_check CHECK (minutes >= 1 AND minutes <= 1440),
  CONSTRAINT alerts_notified_state_check CHECK (notified_state = ANY (ARRAY['fine'::text, 'firing'::text])),
  CONSTRAINT alerts_pause_minutes_check CHECK (pause_minutes >= 0 AND pause_minutes <= 10080),
  CONSTRAINT alerts_state_check CHECK (state = ANY (ARRAY['new'::text, 'fine'::text, 'firing'::text, 'no_data'::text]))
);

CREATE INDEX alerts_account_id ON alerts USING btree (account_id, created_at, id);

CREATE INDEX alerts_project_id ON alerts USING btree (project_id, created_at, id);

CREATE INDEX alerts_webhook_id ON alerts USING btree (webhook_id);

CREATE INDEX alerts_evaluated_at ON alerts USING btree (evaluated_at NULLS FIRST);

CREATE TABLE owner_mails (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  account_id uuid NOT NULL,
  address_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT owner_mails_pkey PRIMARY KEY (id),
  CONSTRAINT owner_mails_address_hash_check CHECK (length(address_hash) = 32),
  CONSTRAINT owner_mails_kind_check CHECK (kind = ANY (ARRAY['login'::text, 'key'::text, 'passkey'::text, 'identity'::text, 'deletion'::text, 'alert'::text, 'report'::text]))
);

CREATE INDEX owner_mails_account_id ON owner_mails USING btree (account_id, created_at);

CREATE INDEX owner_mails_address_hash ON owner_mails USING btree (address_hash, created_at);

CREATE INDEX owner_mails_created_at ON owner_mails USING btree (created_at);

CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  status smallint,
  response json,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  error_code text,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, method, path, key),
  CONSTRAINT idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT idempotency_keys_body_hash_check CHECK (length(body_hash) = 32),
  CONSTRAINT idempotency_keys_status_check CHECK (status >= 200 AND status <= 499)
);

CREATE INDEX idempotency_keys_created_at ON idempotency_keys USING btree (created_at);

CREATE TABLE reports (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  name text NOT NULL,
  reason text NOT NULL,
  text text,
  email text,
  count integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  closed_at timestamp with time zone,
  CONSTRAINT reports_pkey PRIMARY KEY (id),
  CONSTRAINT reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT reports_email_check CHECK (length(email) <= 254),
  CONSTRAINT reports_reason_check CHECK (reason = ANY (ARRAY['scam'::text, 'impersonation'::text, 'harassment'::text, 'malware'::text, 'illegal'::text, 'other'::text])),
  CONSTRAINT reports_text_check CHECK (length(text) >= 1 AND length(text) <= 2000)
);

CREATE INDEX reports_account_id ON reports USING btree (account_id, created_at);

CREATE INDEX reports_open ON reports USING btree (created_at DESC, id) WHERE closed_at IS NULL;

CREATE INDEX reports_closed ON reports USING btree (created_at DESC, id) WHERE closed_at IS NOT NULL;

CREATE INDEX reports_created_at ON reports USING btree (created_at);

CREATE INDEX reports_closed_at ON reports USING btree (closed_at);

CREATE TABLE challenge_secret (
  only_row boolean NOT NULL DEFAULT true,
  secret bytea NOT NULL,
  CONSTRAINT challenge_secret_pkey PRIMARY KEY (only_row),
  CONSTRAINT challenge_secret_only_row_check CHECK (only_row),
  CONSTRAINT challenge_secret_secret_check CHECK (length(secret) = 32)
);

CREATE TABLE used_challenges (
  signature bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT used_challenges_pkey PRIMARY KEY (signature),
  CONSTRAINT used_challenges_signature_check CHECK (length(signature) = 32)
);

CREATE INDEX used_challenges_expires_at ON used_challenges USING btree (expires_at);

CREATE TABLE last_maintenance (
  only_row boolean NOT NULL DEFAULT true,
  finished_at timestamp with time zone NOT NULL,
  seconds double precision NOT NULL,
  failed_tasks integer NOT NULL,
  CONSTRAINT last_maintenance_pkey PRIMARY KEY (only_row),
  CONSTRAINT last_maintenance_only_row_check CHECK (only_row)
);

CREATE TABLE last_backup (
  only_row boolean NOT NULL DEFAULT true,
  finished_at timestamp with time zone NOT NULL,
  CONSTRAINT last_backup_pkey PRIMARY KEY (only_row),
  CONSTRAINT last_backup_only_row_check CHECK (only_row)
);
