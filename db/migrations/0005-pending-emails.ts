import { type Kysely, sql } from 'kysely';

/**
 * New addresses that replace a confirmed one after their confirmation. First addresses are in
 * `forwarding_settings` from the start.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE pending_emails (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    email text NOT NULL CHECK (length(email) <= 254),
    forwarding_enabled boolean NOT NULL,
    email_scope text NOT NULL CHECK (email_scope IN ('all', 'operator')),
    entered_by text NOT NULL,
    expires_at timestamptz NOT NULL
  )`.execute(db);
  await sql`CREATE INDEX pending_emails_expires_at ON pending_emails (expires_at)`.execute(db);
}
