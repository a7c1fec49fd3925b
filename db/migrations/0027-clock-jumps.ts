import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE last_maintenance ADD COLUMN clock_jumped_at timestamptz`.execute(db);
}
