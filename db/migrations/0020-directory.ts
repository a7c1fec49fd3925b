import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE instance ADD COLUMN directory text NOT NULL DEFAULT 'off'
    CHECK (directory IN ('off', 'members', 'everybody'))`.execute(db);
}
