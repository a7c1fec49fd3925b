import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE page_visits DROP CONSTRAINT page_visits_kind_check,
    ADD CONSTRAINT page_visits_kind_check CHECK (kind IN (
      'view', 'click', 'referrer', 'source', 'campaign', 'device', 'country', 'link'
    )) NOT VALID`.execute(db);
}
