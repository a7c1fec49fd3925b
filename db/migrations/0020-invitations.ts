import { type Kysely, sql } from 'kysely';

/** Links by which somebody makes an account of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE invitations (
    token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    expires_at timestamptz NOT NULL
  )`.execute(db);
  await sql`CREATE INDEX invitations_expires_at ON invitations (expires_at)`.execute(db);
}
