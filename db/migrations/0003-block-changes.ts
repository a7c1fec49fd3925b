import { type Kysely, sql } from 'kysely';

/** Stored blocks get the time of the migration, without a rewrite of the table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE blocks ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now()`.execute(
    db,
  );
}
