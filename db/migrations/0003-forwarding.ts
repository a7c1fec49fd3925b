import { type Kysely, sql } from 'kysely';

/** What is known about each name at the forwarding provider, and what a mail server may read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE forwarding_names (
    name text PRIMARY KEY,
    revision integer NOT NULL DEFAULT 1,
    settled_revision integer NOT NULL DEFAULT 0,
    destination text,
    lease integer NOT NULL DEFAULT 0,
    leased_until timestamptz,
    uncertain_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    next_try_at timestamptz
  )`,
  `CREATE INDEX forwarding_names_unsettled ON forwarding_names (name)
    WHERE settled_revision < revision`,
  `CREATE VIEW postfix_aliases AS
    SELECT display_names.name, profiles.forwarding_email AS destination
    FROM display_names
    JOIN profiles USING (account_id)
    WHERE profiles.forwarding_enabled`,
];
