import { type Kysely, sql } from 'kysely';

/** `sent_on`: the Monday in the time zone of the account for which the last summary was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE week_summaries (
    account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    time_zone text CHECK (length(time_zone) <= 64),
    sent_on date
  )`.execute(db);
  await sql`CREATE INDEX connections_week_summary ON connections (account_id)
    WHERE event_types && ARRAY['week_summary', 'server_week_summary']`.execute(db);
}
