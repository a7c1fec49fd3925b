import { type Kysely, sql } from 'kysely';

/**
 * `sid`: the session at the identity provider, which it names when it ends. `by_sign_on`: a group
 * at the provider made the operator, so that single sign-on may take that away.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE sessions ADD COLUMN sid text CHECK (length(sid) <= 255)`.execute(db);
  await sql`CREATE INDEX sessions_sid ON sessions (sid) WHERE sid IS NOT NULL`.execute(db);
  await sql`ALTER TABLE operators ADD COLUMN by_sign_on boolean NOT NULL DEFAULT false`.execute(db);
  await sql`ALTER TABLE audit_log DROP CONSTRAINT audit_log_via_check,
    ADD CONSTRAINT audit_log_via_check CHECK (via IN ('command', 'first start', 'operator',
      'single sign-on')) NOT VALID`.execute(db);
}
