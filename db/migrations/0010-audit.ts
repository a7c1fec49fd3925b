import { type Kysely, sql } from 'kysely';

/** What administration did. It outlives the accounts that it is about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE audit (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    who text NOT NULL,
    via text NOT NULL CHECK (via IN ('command', 'first start')),
    action text NOT NULL,
    account_id uuid,
    name text,
    project_id uuid,
    key_id text,
    detail jsonb NOT NULL DEFAULT '{}'
  )`.execute(db);
  await sql`CREATE INDEX audit_created_at ON audit (created_at DESC, id)`.execute(db);
  await sql`CREATE INDEX audit_account_id ON audit (account_id, created_at DESC, id)`.execute(db);
  await sql`CREATE INDEX audit_name ON audit (name)`.execute(db);
}
