import { type Kysely, sql } from 'kysely';

/** What a site was after each change of it; what sites are by now is their first version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE site_versions (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    version bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    configuration json NOT NULL,
    bytes integer NOT NULL,
    PRIMARY KEY (account_id, version)
  )`.execute(db);
  await sql`INSERT INTO site_versions (account_id, version, configuration, bytes)
    SELECT account_id, version, configuration, octet_length(configuration::text)
    FROM sites
    CROSS JOIN LATERAL (
      SELECT json_build_object(
        'bio', bio, 'avatar_url', avatar_url, 'custom_theme', custom_theme, 'theme_id', theme_id,
        'display_name', display_name, 'location', location, 'mood', mood,
        'blocks', (
          SELECT coalesce(json_agg(json_build_object(
            'id', id, 'type', type, 'enabled', enabled, 'content', content, 'url', url,
            'fields', fields) ORDER BY position), '[]')
          FROM blocks WHERE blocks.account_id = sites.account_id
        )
      ) AS configuration
    ) AS now`.execute(db);
}
