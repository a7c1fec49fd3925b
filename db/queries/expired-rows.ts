import { sql } from 'kysely';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Executor } from '../connections/handles.ts';

/** How long rows are kept, by table. Sessions end earlier if their login does. */
const EXPIRED = {
  applications: sql`decided_at < now() - ${sql.lit(LIMITS.decidedApplicationDays)} * interval '1 day'`,
  audit_log: sql`created_at < now() - interval '2 years'`,
  chat_send_counts: sql`minute < now() - interval '1 hour'`,
  // Keeps addresses that are confirmed, count toward a limit or have a valid link.
  forwarding_destinations: sql`greatest(added_at, mail_count_since) <= now() - interval '1 day'
    AND confirmed_at IS NULL AND coalesce(token_expires_at <= now(), true)`,
  group_imports: sql`created_at < now() - interval '1 day'`,
  group_members: sql`group_id IN (SELECT id FROM groups
    WHERE deleted_at < now() - ${sql.lit(LIMITS.deletedGroupDays)} * interval '1 day')`,
  groups: sql`deleted_at < now() - ${sql.lit(LIMITS.groupSlugDays)} * interval '1 day'`,
  // Until then, operators can see who did not accept.
  invitations: sql`expires_at < now() - interval '30 days'`,
  keeper_invitations: sql`expires_at < now()`,
  key_requests: sql`created_at < now() - interval '7 days'`,
  messages: sql`created_at < now() - interval '1 year'`,
  login_links: sql`expires_at < now()`,
  // OFFSET 0 keeps these subqueries index lookups. A refresh token always has a grant.
  oauth_clients: sql`kind IN ('registered', 'document')
    AND coalesce(last_used_at < now() - interval '30 days', created_at < now() - interval '1 day')
    AND NOT EXISTS (SELECT FROM oauth_grants WHERE client_id = oauth_clients.id OFFSET 0)`,
  // Of programs: those without any token. Of websites: those that only repeat an earlier consent.
  oauth_grants: sql`created_at < now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM oauth_tokens WHERE grant_id = oauth_grants.id OFFSET 0)
    AND CASE WHEN (SELECT kind FROM oauth_clients WHERE id = client_id) = 'website'
      THEN NOT EXISTS (SELECT FROM sessions WHERE sessions.id = session_id OFFSET 0)
        AND EXISTS (SELECT FROM oauth_grants AS newer WHERE newer.client_id = oauth_grants.client_id
          AND newer.account_id = oauth_grants.account_id
          AND newer.created_at > oauth_grants.created_at OFFSET 0)
      ELSE true END`,
  // Later than it expires, so that a replay is still recognized.
  oauth_tokens: sql`expires_at < now() - interval '1 hour'`,
  owner_mails: sql`created_at < now() - interval '1 hour'`,
  pending_emails: sql`expires_at < now()`,
  reports: sql`closed_at < now() - interval '90 days' OR created_at < now() - interval '1 year'`,
  sessions: sql`last_seen_at < now() - interval '14 days'
    OR created_at < now() - interval '90 days'`,
  sign_ups: sql`created_at < now() - interval '1 day'`,
  used_challenges: sql`expires_at < now()`,
};
export type ExpiringTable = keyof typeof EXPIRED;

export const EXPIRING_TABLES = Object.keys(EXPIRED) as ExpiringTable[];

export async function deleteExpired(db: Executor, table: ExpiringTable): Promise<void> {
  await sql`DELETE FROM ${sql.table(table)} WHERE ${EXPIRED[table]}`.execute(db);
}
