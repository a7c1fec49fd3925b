import { type Kysely, sql } from 'kysely';

/**
 * Groups of members. A row of a deleted group stays for a while, so that nobody else gets its slug,
 * which websites know. A member is in a group while a row of any source says so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE groups (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    slug text NOT NULL UNIQUE CHECK (length(slug) BETWEEN 1 AND 63),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    color text NOT NULL
      CHECK (color IN ('blue', 'orange', 'green', 'yellow', 'purple', 'gray')),
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz
  )`,
  'CREATE UNIQUE INDEX groups_name ON groups (lower(name)) WHERE deleted_at IS NULL',
  `CREATE TABLE group_members (
    group_id uuid NOT NULL REFERENCES groups ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    source text NOT NULL CHECK (source IN ('hand', 'import', 'sign_on')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, account_id, source)
  )`,
  'CREATE INDEX group_members_account_id ON group_members (account_id)',
];
