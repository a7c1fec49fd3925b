import { type Kysely, sql } from 'kysely';

/** Logins from a browser, and the links that begin them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE sessions (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    via text NOT NULL CHECK (via IN ('link', 'key')),
    key_id text REFERENCES api_keys ON DELETE CASCADE,
    agent text CHECK (length(agent) <= 300),
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((via = 'key') = (key_id IS NOT NULL))
  )`.execute(db);
  await sql`CREATE INDEX sessions_account_id ON sessions (account_id, created_at)`.execute(db);
  await sql`CREATE INDEX sessions_key_id ON sessions (key_id)`.execute(db);
  await sql`CREATE INDEX sessions_last_seen_at ON sessions (last_seen_at)`.execute(db);
  await sql`CREATE TABLE login_links (
    token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  )`.execute(db);
  await sql`CREATE INDEX login_links_account_id ON login_links (account_id)`.execute(db);
  await sql`CREATE INDEX login_links_expires_at ON login_links (expires_at)`.execute(db);
}
