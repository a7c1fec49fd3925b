import { type Kysely, sql } from 'kysely';

/**
 * `token`: for the link in the mail. `told_at`: when the mail was queued. `listed_from`: 14 days after
 * it was sent, if the member has decided nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE instance ADD COLUMN listing text NOT NULL DEFAULT 'agreed'
    CHECK (listing IN ('agreed', 'unless_objected'))`.execute(db);
  await sql`CREATE TABLE listings (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    token uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    told_at timestamptz,
    listed_from timestamptz,
    objected_at timestamptz,
    CHECK (listed_from IS NULL OR (told_at IS NOT NULL AND objected_at IS NULL))
  )`.execute(db);
}
