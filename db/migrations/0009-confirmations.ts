import { type Kysely, sql } from 'kysely';

/** Addresses are confirmed by their owners; until then no mail is forwarded to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `ALTER TABLE forwarding_destinations
    ADD COLUMN id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    ADD COLUMN confirmed_at timestamptz,
    ADD COLUMN token_hash bytea UNIQUE CHECK (length(token_hash) = 32),
    ADD COLUMN token_expires_at timestamptz,
    ADD COLUMN due text CHECK (due IN ('confirmation', 'change')),
    ADD COLUMN due_address text,
    ADD COLUMN due_name text,
    ADD COLUMN mails integer NOT NULL DEFAULT 0,
    ADD COLUMN mails_since timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN last_error text,
    ADD CHECK (num_nulls(due, due_address, due_name) IN (0, 3)),
    ADD CHECK ((token_hash IS NULL) = (token_expires_at IS NULL))`,
  'ALTER TABLE profiles ADD COLUMN forwarding_confirmed boolean NOT NULL DEFAULT true',
  `CREATE OR REPLACE VIEW postfix_aliases WITH (security_barrier = true) AS
    SELECT display_names.name, profiles.forwarding_email AS destination
    FROM display_names
    JOIN profiles USING (account_id)
    JOIN accounts ON accounts.id = profiles.account_id
    WHERE profiles.forwarding_enabled AND profiles.forwarding_confirmed
      AND accounts.suspended_at IS NULL`,
];
