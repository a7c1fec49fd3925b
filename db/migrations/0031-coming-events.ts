import { type Kysely, sql } from 'kysely';

/** The front page reads only events whose last day has not passed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX blocks_last_event_day ON blocks (left(greatest(
      fields->>'starts_at', fields->>'ends_at',
      CASE WHEN fields->>'repeats' <> 'never' THEN coalesce(fields->>'repeats_until', '9999') END
    ), 10)) WHERE type = 'event' AND enabled`.execute(db);
}
