import { type Kysely, sql } from 'kysely';

/**
 * Ids of groups, without foreign keys: a deleted group lets nobody in, and one that comes back works
 * as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE oauth_clients
    ADD COLUMN shared_groups uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN allowed_groups uuid[] NOT NULL DEFAULT '{}',
    DROP CONSTRAINT oauth_clients_allowed_check,
    ADD CONSTRAINT oauth_clients_allowed_check
      CHECK (allowed IN ('everybody', 'groups', 'operators'))`.execute(db);
}
