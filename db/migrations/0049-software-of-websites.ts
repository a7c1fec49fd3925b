import { type Kysely, sql } from 'kysely';

/** The API knows all software that the form knows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE oauth_clients DROP CONSTRAINT oauth_clients_software_check,
    ADD CONSTRAINT oauth_clients_software_check CHECK (software IN ('nextcloud', 'gitea',
      'discourse', 'wordpress', 'wikijs', 'grafana', 'apache', 'oauth2-proxy', 'other'))`.execute(
    db,
  );
}
