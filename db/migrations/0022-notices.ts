import { type Kysely, sql } from 'kysely';

/** Mails to the owners of accounts, which outlive those that they tell the end of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE notices (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    kind text NOT NULL CHECK (kind IN ('login', 'key', 'deletion')),
    account_id uuid NOT NULL,
    address text,
    address_hash bytea NOT NULL CHECK (length(address_hash) = 32),
    about text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`.execute(db);
  await sql`CREATE INDEX notices_account_id ON notices (account_id, created_at)`.execute(db);
  await sql`CREATE INDEX notices_address_hash ON notices (address_hash, created_at)`.execute(db);
  await sql`CREATE INDEX notices_created_at ON notices (created_at)`.execute(db);
}
