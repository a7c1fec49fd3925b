import { type Kysely, sql } from 'kysely';

/** An account that is being deleted is suspended, and stays so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE accounts
    ADD COLUMN closed_at timestamptz,
    ADD CHECK (closed_at IS NULL OR suspended_at IS NOT NULL)`.execute(db);
  await sql`CREATE INDEX accounts_closed_at ON accounts (closed_at) WHERE closed_at IS NOT NULL`.execute(
    db,
  );
}
