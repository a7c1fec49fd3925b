import { type Kysely, sql } from 'kysely';

/**
 * An address counts as confirmed only if its owner confirmed it. One that got mail without anybody
 * having been asked is neither confirmed nor waiting: null.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `ALTER TABLE profiles
    ALTER COLUMN forwarding_confirmed DROP NOT NULL,
    ALTER COLUMN forwarding_confirmed DROP DEFAULT`,
  `UPDATE profiles SET forwarding_confirmed = NULL
    WHERE forwarding_confirmed AND NOT EXISTS (
      SELECT FROM forwarding_destinations AS destination
      WHERE destination.account_id = profiles.account_id AND destination.confirmed_at IS NOT NULL
        AND destination.address_hash = sha256(
          convert_to(profiles.account_id::text || ' ' || profiles.forwarding_email, 'UTF8')))`,
  `CREATE OR REPLACE VIEW postfix_aliases WITH (security_barrier = true) AS
    SELECT display_names.name, profiles.forwarding_email AS destination
    FROM display_names
    JOIN profiles USING (account_id)
    JOIN accounts ON accounts.id = profiles.account_id
    WHERE profiles.forwarding_enabled AND profiles.forwarding_confirmed IS NOT FALSE
      AND accounts.suspended_at IS NULL`,
];
