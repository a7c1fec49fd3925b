import { type Kysely, sql } from 'kysely';

/** Accounts, keys, names, sites, projects, metrics, events and stored answers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE accounts (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE api_keys (
    id text PRIMARY KEY CHECK (id ~ '^np_[A-Za-z0-9]+$'),
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    label text CHECK (length(label) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    revoked_at timestamptz
  )`,
  `CREATE INDEX api_keys_account_id ON api_keys (account_id)`,
  `CREATE TABLE profiles (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    forwarding_enabled boolean NOT NULL DEFAULT false,
    forwarding_email text CHECK (length(forwarding_email) <= 254),
    CHECK (NOT forwarding_enabled OR forwarding_email IS NOT NULL)
  )`,
  // The owner is checked at commit: a rename takes the new name before it lets go of the old one,
  // so that two accounts that swap names cannot lock each other out.
  `CREATE TABLE display_names (
    name text PRIMARY KEY
      CHECK (name ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'),
    account_id uuid REFERENCES accounts ON DELETE RESTRICT,
    forwarded boolean NOT NULL DEFAULT false,
    last_account_id uuid REFERENCES accounts ON DELETE SET NULL,
    released_at timestamptz,
    alias_gone_at timestamptz,
    CONSTRAINT display_names_account_id UNIQUE (account_id) DEFERRABLE INITIALLY DEFERRED,
    CHECK ((account_id IS NULL) = (released_at IS NOT NULL))
  )`,
  `CREATE INDEX display_names_last_account_id ON display_names (last_account_id)`,
  `CREATE TABLE sites (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    enabled boolean NOT NULL DEFAULT false,
    bio text CHECK (length(bio) <= 4000),
    avatar_url text CHECK (length(avatar_url) <= 2048),
    theme_id uuid,
    custom_theme jsonb CHECK (jsonb_typeof(custom_theme) = 'object'),
    display_name text CHECK (length(display_name) <= 200),
    location text CHECK (length(location) <= 200),
    mood text CHECK (length(mood) <= 200)
  )`,
  `CREATE TABLE blocks (
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
  )`,
  `CREATE TABLE projects (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX projects_account_id ON projects (account_id, created_at, id)`,
  `CREATE SEQUENCE metrics_id CACHE 100`,
  `CREATE TABLE metrics (
    id bigint NOT NULL DEFAULT nextval('metrics_id'),
    project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    received_at timestamptz NOT NULL DEFAULT now(),
    payload json NOT NULL,
    PRIMARY KEY (project_id, received_at, id)
  ) PARTITION BY RANGE (received_at)`,
  `CREATE TABLE events (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    type text NOT NULL
      CHECK (type IN ('display_name_updated', 'chat_message_sent', 'chat_message_edited')),
    outcome text NOT NULL CHECK (outcome IN ('pending', 'succeeded', 'failed')),
    detail jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz
  )`,
  `CREATE INDEX events_account_id ON events (account_id, created_at DESC, id)`,
  `CREATE TABLE idempotency_keys (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    method text NOT NULL,
    path text NOT NULL,
    key text NOT NULL,
    body_hash bytea NOT NULL CHECK (length(body_hash) = 32),
    status smallint CHECK (status BETWEEN 200 AND 499),
    answer json,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, method, path, key)
  )`,
  `CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at)`,
];
