import { type Kysely, sql } from 'kysely';

/** `left_at`: since when the identity provider says that the user may not sign in here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE identities ADD COLUMN left_at timestamptz`.execute(db);
  await sql`CREATE INDEX identities_left_at ON identities (account_id)
    WHERE left_at IS NOT NULL`.execute(db);
}
