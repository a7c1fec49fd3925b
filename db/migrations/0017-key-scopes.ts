import { type Kysely, sql } from 'kysely';

/** A key can be made for less than everything, and for a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE api_keys
    ADD COLUMN scope text NOT NULL DEFAULT 'all' CHECK (scope IN ('all', 'read', 'metrics')),
    ADD COLUMN expires_at timestamptz`.execute(db);
}
