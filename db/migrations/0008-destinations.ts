import { type Kysely, sql } from 'kysely';

/** Which addresses an account chose, and which of them we made known to the provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE forwarding_destinations (
    account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    address_hash bytea NOT NULL CHECK (length(address_hash) = 32),
    chosen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, address_hash)
  )`,
  `CREATE TABLE provider_destinations (
    email text PRIMARY KEY,
    unwanted_since timestamptz
  )`,
  'CREATE INDEX profiles_forwarding_email ON profiles (lower(forwarding_email))',
];
