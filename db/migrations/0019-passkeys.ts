import { type Kysely, sql } from 'kysely';

/** Passkeys, the challenges that they answer, and the sessions that they begin. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE passkeys (
    id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]+$' AND length(id) <= 1400),
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports json NOT NULL,
    label text CHECK (length(label) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz
  )`.execute(db);
  await sql`CREATE INDEX passkeys_account_id ON passkeys (account_id, created_at)`.execute(db);
  await sql`CREATE TABLE passkey_challenges (
    challenge_hash bytea PRIMARY KEY CHECK (length(challenge_hash) = 32),
    account_id uuid REFERENCES accounts ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  )`.execute(db);
  await sql`CREATE INDEX passkey_challenges_account_id ON passkey_challenges (account_id)`.execute(
    db,
  );
  await sql`CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at)`.execute(
    db,
  );
  await sql`ALTER TABLE sessions
    ADD COLUMN passkey_id text REFERENCES passkeys ON DELETE CASCADE,
    DROP CONSTRAINT sessions_via_check,
    ADD CONSTRAINT sessions_via_check CHECK (via IN ('link', 'key', 'passkey')),
    ADD CHECK ((via = 'passkey') = (passkey_id IS NOT NULL))`.execute(db);
  await sql`CREATE INDEX sessions_passkey_id ON sessions (passkey_id)`.execute(db);
}
