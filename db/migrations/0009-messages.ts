import { type Kysely, sql } from 'kysely';

/** Messages of operators to members. An account without a subscription gets them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE messages (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    audience text NOT NULL CHECK (audience IN ('all', 'no_page', 'unseen', 'self', 'address')),
    address text CHECK ((address IS NOT NULL) = (audience = 'address')),
    subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 200),
    text text NOT NULL CHECK (length(text) BETWEEN 1 AND 10000),
    created_at timestamptz NOT NULL DEFAULT now()
  )`.execute(db);
  await sql`CREATE INDEX messages_created_at ON messages (created_at DESC, id)`.execute(db);
  await sql`CREATE TABLE message_recipients (
    message_id uuid NOT NULL REFERENCES messages ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    state text NOT NULL DEFAULT 'waiting'
      CHECK (state IN ('waiting', 'sent', 'failed', 'skipped')),
    error text CHECK (length(error) <= 200),
    PRIMARY KEY (message_id, account_id)
  )`.execute(db);
  await sql`CREATE INDEX message_recipients_account_id ON message_recipients (account_id)`.execute(
    db,
  );
  await sql`CREATE TABLE message_subscriptions (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    token uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    unsubscribed_at timestamptz
  )`.execute(db);
}
