import { type Kysely, sql } from 'kysely';

/** An event is known by its account and its id, so that the events of accounts can lie on several machines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE events DROP CONSTRAINT events_pkey, ADD PRIMARY KEY (account_id, id)`.execute(
    db,
  );
}
