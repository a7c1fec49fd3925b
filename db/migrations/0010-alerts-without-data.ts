import { type Kysely, sql } from 'kysely';

/** `had_value`: since the alert was created or changed, or since its last message about missing data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE alerts
    ADD COLUMN notify_no_data boolean NOT NULL DEFAULT true,
    ADD COLUMN had_value boolean NOT NULL DEFAULT false,
    ADD COLUMN no_data_notified_at timestamptz`.execute(db);
}
