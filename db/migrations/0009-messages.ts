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
  // A row stays when its account or outside reader is deleted, so that the counts do not change.
  await sql`CREATE TABLE message_recipients (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    message_id uuid NOT NULL REFERENCES messages ON DELETE CASCADE,
    account_id uuid REFERENCES accounts ON DELETE SET NULL,
    reader_id uuid REFERENCES address_recipients ON DELETE SET NULL,
    state text NOT NULL CHECK (state IN ('waiting', 'sent', 'failed', 'skipped',
      'unsubscribed', 'unreachable', 'shared', 'outside')),
    error text CHECK (length(error) <= 200),
    UNIQUE (message_id, account_id)
  )`.execute(db);
  for (const column of ['account_id', 'reader_id'])
    await sql`CREATE INDEX ON message_recipients (${sql.ref(column)})`.execute(db);
  await sql`CREATE TABLE message_subscriptions (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    token uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    unsubscribed_at timestamptz
  )`.execute(db);
}
