import { type Kysely, sql } from 'kysely';

/**
 * Two people with one address can both be invited. Servers of version 0.1.0 cannot invite a list once
 * the index is gone; everything else works.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP INDEX invitations_email`.execute(db);
  await sql`CREATE UNIQUE INDEX invitations_email_name
    ON invitations (lower(email), lower(coalesce(name, ''))) WHERE email IS NOT NULL`.execute(db);
}
