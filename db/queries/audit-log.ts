import { sql } from 'kysely';
import { LIMITS } from '#contract/shared/limits.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Schema } from '../schema.ts';
import { isAfter } from './rows.ts';

export interface AuditEntry {
  /** The operating system user, or the operator. */
  who: string;
  via: Schema['audit_log']['via'];
  /** An operation, such as `members.suspendMember`, or a command. */
  action: string;
  account_id: string | null;
  /** The display name that the action was about, or else the account's display name at the time. */
  name: string | null;
  project_id: string | null;
  key_id: string | null;
  detail: Record<string, unknown>;
}

export async function insertAuditEntry(trx: Transaction, entry: AuditEntry): Promise<void> {
  const accountId = sql<string | null>`coalesce(
    ${entry.account_id}::uuid,
    (SELECT account_id FROM projects WHERE id = ${entry.project_id}::uuid),
    (SELECT account_id FROM api_keys WHERE id = ${entry.key_id}))`;
  await trx
    .insertInto('audit_log')
    .values({
      ...entry,
      account_id: accountId,
      name: sql`coalesce(
        ${entry.name}, (SELECT name FROM display_names WHERE account_id = ${accountId}))`,
      detail: JSON.stringify(entry.detail),
    })
    .execute();
}

export interface AuditEntryRow extends AuditEntry {
  id: string;
  created_at: Date;
}

/**
 * Newest first, starting after the entry with the id `after`. `account` is an id or a current or
 * former display name, and can refer to a deleted account.
 */
export async function listAuditEntries(
  db: ReadDatabase,
  options: {
    account?: string | undefined;
    /** The area of the operations. */
    area?: string | undefined;
    after?: string | undefined;
    limit: number;
  },
): Promise<AuditEntryRow[]> {
  const { account, area, after, limit } = options;
  let entries = db
    .selectFrom('audit_log')
    .select(['id', 'created_at', 'who', 'via', 'action'])
    .select(['account_id', 'project_id', 'key_id', 'detail'])
    .select(
      sql<string | null>`coalesce(name,
        (SELECT name FROM display_names WHERE account_id = audit_log.account_id))`.as('name'),
    );
  if (account !== undefined) {
    const reference = account.trim().toLowerCase();
    entries = UUID_PATTERN.test(reference)
      ? entries.where('account_id', '=', reference)
      : entries.where(
          sql<boolean>`account_id IN (
            SELECT account_id FROM display_names WHERE name = ${reference}
            UNION SELECT account_id FROM audit_log WHERE name = ${reference})`,
        );
  }
  if (area !== undefined) entries = entries.where(sql<boolean>`starts_with(action, ${`${area}.`})`);
  if (after !== undefined) entries = entries.where(isAfter('audit_log', after));
  return entries.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
}

/** The trail has the names of the declined and the answer as long as their application is kept. */
export async function deleteDeclinedNames(trx: Transaction): Promise<void> {
  const days = sql.lit(LIMITS.decidedApplicationDays);
  await sql`UPDATE audit_log SET detail = detail - 'applications' - 'sentence'
    WHERE action IN ('members.declineMembers', 'applications.declineApplications') AND detail ? 'applications'
      AND created_at < now() - ${days} * interval '1 day'`.execute(trx);
}
