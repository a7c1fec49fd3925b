import { type Kysely, sql } from 'kysely';

/** What accounts stored on a day in UTC, for all servers together; and the oldest events are found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE account_days (
    account_id uuid NOT NULL,
    day date NOT NULL,
    metric_bytes bigint NOT NULL DEFAULT 0,
    answer_bytes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, day)
  )`.execute(db);
  await sql`CREATE INDEX events_created_at ON events (created_at)`.execute(db);
}
