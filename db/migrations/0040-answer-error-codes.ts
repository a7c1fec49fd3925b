import { type Kysely, sql } from 'kysely';

/** Stores the name of a refusal with its answer, so that a repeat gets it too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE idempotency_keys ADD COLUMN error_code text`.execute(db);
}
