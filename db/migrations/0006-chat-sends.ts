import { type Kysely, sql } from 'kysely';

/** How many chat messages each account sends, for all servers together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE chat_sends (
    account_id uuid PRIMARY KEY,
    second timestamptz NOT NULL,
    in_second integer NOT NULL,
    minute timestamptz NOT NULL,
    in_minute integer NOT NULL
  )`.execute(db);
}
