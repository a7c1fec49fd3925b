import { type Kysely, sql } from 'kysely';

/**
 * An import of a list can be taken back: its memberships name it, and it keeps what it removed.
 * Who is invited joins the groups with the invitation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE group_imports (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    created_groups uuid[] NOT NULL,
    removed jsonb NOT NULL
  )`,
  "ALTER TABLE group_members ADD COLUMN import_ids uuid[] NOT NULL DEFAULT '{}'",
  'CREATE INDEX group_members_import_ids ON group_members USING gin (import_ids)',
  `CREATE TABLE invitation_groups (
    invitation_id uuid NOT NULL REFERENCES invitations ON DELETE CASCADE,
    group_id uuid NOT NULL REFERENCES groups ON DELETE CASCADE,
    import_ids uuid[] NOT NULL,
    PRIMARY KEY (invitation_id, group_id)
  )`,
  'CREATE INDEX invitation_groups_group_id ON invitation_groups (group_id)',
  'CREATE INDEX invitation_groups_import_ids ON invitation_groups USING gin (import_ids)',
];
