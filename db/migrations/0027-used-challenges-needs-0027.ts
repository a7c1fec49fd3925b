import { type Kysely, sql } from 'kysely';

/** The secret that signs challenges of passkeys, and the challenges that were answered, in place of those that wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP TABLE passkey_challenges`.execute(db);
  await sql`CREATE TABLE challenge_secret (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    secret bytea NOT NULL CHECK (length(secret) = 32)
  )`.execute(db);
  await sql`CREATE TABLE used_challenges (
    signature bytea PRIMARY KEY CHECK (length(signature) = 32),
    expires_at timestamptz NOT NULL
  )`.execute(db);
  await sql`CREATE INDEX used_challenges_expires_at ON used_challenges (expires_at)`.execute(db);
}
