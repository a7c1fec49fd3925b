import { type Kysely, sql } from 'kysely';

/** The API knows all software that the form knows. The form recognized it by its addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE oauth_clients DROP CONSTRAINT oauth_clients_software_check,
    ADD CONSTRAINT oauth_clients_software_check CHECK (software IN ('nextcloud', 'gitea',
      'discourse', 'wordpress', 'wikijs', 'grafana', 'apache', 'oauth2-proxy', 'other'))`.execute(
    db,
  );
  await sql`UPDATE oauth_clients SET software = CASE
      WHEN redirect_uris[1] LIKE '%/wp-admin/admin-ajax.php?action=openid-connect-authorize'
        THEN 'wordpress'
      WHEN redirect_uris[1] LIKE '%/login/generic_oauth' THEN 'grafana'
      WHEN redirect_uris[1] LIKE '%/oauth2/callback' THEN 'oauth2-proxy'
      ELSE 'apache' END
    WHERE software = 'other' AND kind = 'website' AND (backchannel_logout_uri LIKE '%?logout=backchannel'
      OR redirect_uris[1] ~ '/(openid-connect-authorize|generic_oauth|oauth2/callback|oidc/callback)$')`.execute(
    db,
  );
}
