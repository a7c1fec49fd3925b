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
  // Until then, operators can see who did not accept.
  invitations: sql`expires_at < now() - interval '30 days'`,
  key_requests: sql`created_at < now() - interval '7 days'`,
  messages: sql`created_at < now() - interval '1 year'`,
  login_links: sql`expires_at < now()`,
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
