import { type Kysely, sql } from 'kysely';

/** Keys that only read and change the page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE api_keys DROP CONSTRAINT api_keys_scope_check,
    ADD CONSTRAINT api_keys_scope_check
      CHECK (scope IN ('all', 'read', 'page', 'metrics', 'operator')) NOT VALID`.execute(db);
}
