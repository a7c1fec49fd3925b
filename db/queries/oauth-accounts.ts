import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';
import { ownerAddress } from './owner-mails.ts';

/** Creates it at the first use. It never changes and differs from the account's id. */
export async function findOrCreateSubject(db: Executor, accountId: string): Promise<string> {
  const { subject } = await db
    .insertInto('oauth_subjects')
    .values({ account_id: accountId })
    // DO UPDATE returns an existing row, DO NOTHING does not.
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ account_id: accountId }))
    .returning('subject')
    .executeTakeFirstOrThrow();
  return subject;
}

export interface AccountClaims {
  account_id: string;
  display_name: string | null;
  page_title: string | null;
  /** Only if it is confirmed. */
  email: string | null;
  language: string | null;
  time_zone: string | null;
  avatar_url: string | null;
  page_visible: boolean;
  is_operator: boolean;
  /** By name. */
  groups: { id: string; slug: string; name: string }[];
}

/** Undefined if the account is suspended, being deleted or deleted. */
export async function findAccountClaims(
  db: ReadDatabase,
  subject: string,
): Promise<AccountClaims | undefined> {
  return db
    .selectFrom('oauth_subjects')
    .innerJoin('accounts', 'accounts.id', 'oauth_subjects.account_id')
    .leftJoin('display_names', 'display_names.account_id', 'accounts.id')
    .leftJoin('sites', 'sites.account_id', 'accounts.id')
    .leftJoin('forwarding_settings', 'forwarding_settings.account_id', 'accounts.id')
    .leftJoin('week_summaries', 'week_summaries.account_id', 'accounts.id')
    .select(['oauth_subjects.account_id', 'display_names.name as display_name', 'language'])
    .select(['sites.display_name as page_title', 'avatar_url', 'week_summaries.time_zone'])
    .select([
      ownerAddress.as('email'),
      sql<boolean>`coalesce(sites.enabled AND sites.suspended_at IS NULL AND NOT for_members, false)`.as(
        'page_visible',
      ),
      sql<boolean>`EXISTS (SELECT FROM operators WHERE operators.account_id = accounts.id)`.as(
        'is_operator',
      ),
      sql<AccountClaims['groups']>`(
        SELECT coalesce(json_agg(json_build_object('id', groups.id, 'slug', slug, 'name', groups.name)
          ORDER BY lower(groups.name)), '[]')
        FROM groups WHERE deleted_at IS NULL AND groups.id IN (
          SELECT group_id FROM group_members WHERE group_members.account_id = accounts.id))`.as(
        'groups',
      ),
    ])
    .where('subject', '=', subject)
    .where('accounts.suspended_at', 'is', null)
    .executeTakeFirst();
}
