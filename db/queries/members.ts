import { type RawBuilder, sql } from 'kysely';
import type { MemberFilter } from '#contract/owner/members.ts';
import { utcDay } from '#contract/shared/durations.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import type { ReadDatabase } from '../connections/handles.ts';
import { sameAddress } from './applications.ts';
import { containsFoldedText, containsText } from './contains-text.ts';
import { isInGroup, isInNoGroup, type MemberGroup, memberGroups } from './groups.ts';
import { isOwnedByKeeper } from './keepers.ts';
import { isPageForMembers, isPagePublished, isPageVisible } from './public-sites.ts';
import { countRows } from './rows.ts';

export interface Member {
  id: string;
  display_name: string | null;
  /** The confirmed address. On a server without mail, the forwarding address. */
  email: string | null;
  /** Replaces `email` when its owner confirms it. */
  pending_email: string | null;
  created_at: Date;
  /** Null if no use is on record. */
  last_seen_at: Date | null;
  suspended_at: Date | null;
  suspension_reason: string | null;
  closed_at: Date | null;
  operator: boolean;
  /** Whether keepers own it, so that it has no login of its own. */
  kept: boolean;
  page_visible: boolean;
  page_for_members: boolean;
  page_suspended: boolean;
  groups: MemberGroup[];
  /** Of an account that waits. */
  application: { text: string; same_address: string[] } | null;
  /** Whether the identity provider no longer lets them sign in. */
  left_group: boolean;
  open_reports: number;
  /** The name and the picture on its page. */
  page_title: string | null;
  avatar_url: string | null;
  metric_bytes_today: number;
  picture_bytes: number;
  picture_limit_mb: number | null;
}

/** Each subquery uses the index by account. */
export const lastSeenAt = sql<Date | null>`greatest(
  accounts.last_seen_at,
  (SELECT max(last_seen_at) FROM sessions WHERE sessions.account_id = accounts.id),
  (SELECT max(last_used_at) FROM api_keys WHERE api_keys.account_id = accounts.id),
  (SELECT max(last_used_at) FROM passkeys WHERE passkeys.account_id = accounts.id),
  (SELECT max(last_used_at) FROM identities WHERE identities.account_id = accounts.id))`;

const memberEmail = sql<string | null>`CASE WHEN forwarding_confirmed IS FALSE THEN login_email
  ELSE coalesce(forwarding_email, login_email, applications.email) END`;

const pageTitle = sql<string | null>`coalesce(sites.display_name, applications.name)`;

const hasLeftGroup = sql<boolean>`accounts.id IN (
  SELECT account_id FROM identities WHERE left_at IS NOT NULL)`;

/** All but `waiting` without the accounts that wait. */
const FILTERS: Record<MemberFilter, RawBuilder<boolean>> = {
  all: sql`true`,
  waiting: sql`(applications.state = 'waiting' IS TRUE)`,
  suspended: sql`(accounts.suspended_at IS NOT NULL OR sites.suspended_at IS NOT NULL)`,
  operators: sql`accounts.id IN (SELECT account_id FROM operators)`,
  no_page: sql`(${isPagePublished} IS NOT TRUE OR display_names.name IS NULL)`,
  unseen: sql`${lastSeenAt} IS NULL`,
  left_group: hasLeftGroup,
};

const members = sql`accounts
  LEFT JOIN display_names ON display_names.account_id = accounts.id
  LEFT JOIN sites ON sites.account_id = accounts.id
  LEFT JOIN applications ON applications.id = accounts.id`;

/** `search` is an account id, or a part of the display name, an email address or the page's title. */
export interface MemberSelection {
  search?: string | undefined;
  filter?: MemberFilter | undefined;
  /** Id of a group, or `none`. */
  group?: string | undefined;
}

/** Newest first, starting after the account with the id `after`. */
export async function listMembers(
  db: ReadDatabase,
  { limit, after, ...selection }: MemberSelection & { limit: number; after?: string | undefined },
): Promise<Member[]> {
  let accounts = selectAccounts(db).limit(limit).where(isSelected(selection));
  if (after !== undefined)
    accounts = accounts.where(
      sql<boolean>`(accounts.created_at, accounts.id)
        < (SELECT created_at, id FROM accounts WHERE id = ${after})`,
    );
  return accounts.orderBy('accounts.created_at', 'desc').orderBy('accounts.id', 'desc').execute();
}

/** Without accounts that are being deleted. */
export async function countMembers(db: ReadDatabase, selection: MemberSelection): Promise<number> {
  return countRows(
    db,
    sql`${members} WHERE accounts.closed_at IS NULL AND ${isSelected(selection)}`,
  );
}

export interface MemberContact extends Pick<
  Member,
  'id' | 'display_name' | 'email' | 'page_title' | 'page_visible'
> {
  /** `suspended` also if only the page is. */
  state: 'active' | 'waiting' | 'suspended';
  /** Date (UTC). */
  joined: string;
  /** Names. */
  groups: string | null;
}

/**
 * Newest first, without accounts that are being deleted. One statement reads all, which takes a
 * third of the time of one per batch, and about 300 bytes of memory for each member.
 */
export async function listMemberContacts(
  db: ReadDatabase,
  selection: MemberSelection,
): Promise<MemberContact[]> {
  const { rows } = await sql<MemberContact>`
    SELECT accounts.id, display_names.name AS display_name, ${memberEmail} AS email,
      ${pageTitle} AS page_title, ${isPageVisible} AS page_visible,
      CASE WHEN ${FILTERS.waiting} THEN 'waiting'
        WHEN ${FILTERS.suspended} THEN 'suspended' ELSE 'active' END AS state,
      (accounts.created_at AT TIME ZONE 'UTC')::date::text AS joined,
      memberships.names AS groups
    FROM ${members} LEFT JOIN forwarding_settings ON forwarding_settings.account_id = accounts.id
    LEFT JOIN (
      SELECT account_id, string_agg(DISTINCT groups.name, ', ') AS names
      FROM group_members JOIN groups ON groups.id = group_id
      WHERE deleted_at IS NULL GROUP BY account_id
    ) AS memberships ON memberships.account_id = accounts.id
    WHERE accounts.closed_at IS NULL AND ${isSelected(selection)}
    ORDER BY accounts.created_at DESC, accounts.id DESC`.execute(db);
  return rows;
}

/** A condition on `members`. */
function isSelected({
  search: input = '',
  filter = 'all',
  group,
}: MemberSelection): RawBuilder<boolean> {
  const search = input.trim();
  const inGroup =
    group === undefined
      ? sql`true`
      : group === 'none'
        ? isInNoGroup(sql`accounts.id`)
        : isInGroup(sql`accounts.id`, [group]);
  const hasState =
    filter === 'waiting'
      ? sql<boolean>`${FILTERS.waiting} AND ${inGroup}`
      : sql<boolean>`${FILTERS[filter]} AND NOT ${FILTERS.waiting} AND ${inGroup}`;
  if (search === '') return hasState;
  if (UUID_PATTERN.test(search)) return sql`${hasState} AND accounts.id = ${search}`;
  // Each list is read once, and only if an account is not in those before it.
  return sql`${hasState} AND (accounts.id IN (
      SELECT account_id FROM display_names WHERE ${containsFoldedText(sql`name`, search)})
    OR accounts.id IN (SELECT account_id FROM forwarding_settings
      WHERE ${containsText(sql`concat_ws(' ', forwarding_email, login_email)`, search)})
    OR accounts.id IN (SELECT account_id FROM sites
      WHERE ${containsText(sql`display_name`, search)})
    OR accounts.id IN (SELECT id FROM applications
      WHERE ${containsText(sql`concat_ws(' ', name, email)`, search)})
    OR accounts.id IN (SELECT account_id FROM pending_emails
      WHERE ${containsText(sql`email`, search)} AND expires_at > now()))`;
}

export async function findMember(db: ReadDatabase, accountId: string): Promise<Member | undefined> {
  return selectAccounts(db).where('accounts.id', '=', accountId).executeTakeFirst();
}

function selectAccounts(db: ReadDatabase) {
  return db
    .selectFrom('accounts')
    .leftJoin('display_names', 'display_names.account_id', 'accounts.id')
    .leftJoin('forwarding_settings', 'forwarding_settings.account_id', 'accounts.id')
    .leftJoin('sites', 'sites.account_id', 'accounts.id')
    .leftJoin('applications', 'applications.id', 'accounts.id')
    .select(['accounts.id', 'display_names.name as display_name'])
    .select(['accounts.created_at', 'accounts.closed_at'])
    .select(['accounts.suspended_at', 'accounts.picture_limit_mb'])
    .select([pageTitle.as('page_title'), 'sites.avatar_url'])
    .select([
      memberEmail.as('email'),
      sql<string | null>`coalesce(
        (SELECT email FROM pending_emails
          WHERE pending_emails.account_id = accounts.id AND expires_at > now()),
        CASE WHEN forwarding_confirmed IS FALSE THEN forwarding_email END)`.as('pending_email'),
      sql<boolean>`EXISTS (
        SELECT FROM operators WHERE operators.account_id = accounts.id)`.as('operator'),
      isOwnedByKeeper(sql`accounts.id`).as('kept'),
      isPageVisible.as('page_visible'),
      isPageForMembers.as('page_for_members'),
      hasLeftGroup.as('left_group'),
      memberGroups(sql`accounts.id`).as('groups'),
      sql<
        Member['application']
      >`CASE WHEN ${FILTERS.waiting} THEN json_build_object('text', applications.text, 'same_address', ${sameAddress}) END`.as(
        'application',
      ),
      sql<boolean>`sites.suspended_at IS NOT NULL`.as('page_suspended'),
      sql<string | null>`coalesce(accounts.suspension_reason, sites.suspension_reason)`.as(
        'suspension_reason',
      ),
      lastSeenAt.as('last_seen_at'),
      sql<number>`(SELECT coalesce(sum(count), 0)::float8 FROM reports
        WHERE reports.account_id = accounts.id AND reports.closed_at IS NULL)`.as('open_reports'),
      sql<number>`(SELECT coalesce(sum(metric_bytes), 0)::float8 FROM daily_usage
        WHERE daily_usage.account_id = accounts.id AND day = ${utcDay()}::date)`.as(
        'metric_bytes_today',
      ),
      sql<number>`(SELECT coalesce(sum(bytes), 0)::float8 FROM pictures
        WHERE pictures.account_id = accounts.id)`.as('picture_bytes'),
    ]);
}

/**
 * Members who left the group of single sign-on and still have access, newest first. `total`: how many
 * there are.
 */
export async function listLeavers(
  db: ReadDatabase,
  limit: number,
): Promise<{ id: string; name: string | null; total: number }[]> {
  return db
    .selectFrom('accounts')
    .leftJoin('display_names', 'display_names.account_id', 'accounts.id')
    .select(['accounts.id', 'display_names.name', sql<number>`(count(*) OVER ())::int`.as('total')])
    .where(hasLeftGroup)
    .where('suspended_at', 'is', null)
    .where('closed_at', 'is', null)
    .orderBy('accounts.created_at', 'desc')
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
}
