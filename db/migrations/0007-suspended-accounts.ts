import { type Kysely, sql } from 'kysely';

/** An account that is suspended has no mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE accounts ADD COLUMN suspended_at timestamptz`.execute(db);
  await sql`CREATE OR REPLACE VIEW postfix_aliases WITH (security_barrier = true) AS
    SELECT display_names.name, profiles.forwarding_email AS destination
    FROM display_names
    JOIN profiles USING (account_id)
    JOIN accounts ON accounts.id = profiles.account_id
    WHERE profiles.forwarding_enabled AND accounts.suspended_at IS NULL`.execute(db);
}
