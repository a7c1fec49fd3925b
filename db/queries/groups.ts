import { type RawBuilder, sql } from 'kysely';
import type { GroupColor } from '#contract/shared/group-colors.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row, Schema } from '../schema.ts';
import { isWaiting } from './applications.ts';
import { addImportIds } from './group-imports.ts';
import { isOpenInvitation } from './invitations.ts';
import { exists } from './rows.ts';

const COLUMNS = [
  'id',
  'slug',
  'name',
  'color',
  'sign_on',
  'in_directory',
  'created_at',
  'deleted_at',
] as const;

export type GroupRow = Row<'groups', (typeof COLUMNS)[number]> & {
  members: number;
  /** Open invitations that lead into it. */
  invited: number;
};
export type GroupSource = Schema['group_members']['source'];

export interface MemberGroup {
  id: string;
  name: string;
  color: GroupColor;
  sources: GroupSource[];
}

/** Whether the account `id` is in one of the groups. */
export function isInGroup(
  id: RawBuilder<unknown>,
  groupIds: readonly string[],
): RawBuilder<boolean> {
  return sql<boolean>`${id} IN (SELECT account_id FROM group_members
    JOIN groups ON groups.id = group_id
    WHERE groups.id = ANY (${groupIds}::uuid[]) AND deleted_at IS NULL)`;
}

export function isInNoGroup(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`NOT EXISTS (SELECT FROM group_members
    JOIN groups ON groups.id = group_id WHERE account_id = ${id} AND deleted_at IS NULL)`;
}

/** The groups of the account `id` by name, as JSON. */
export function memberGroups(id: RawBuilder<unknown>): RawBuilder<MemberGroup[]> {
  return sql<MemberGroup[]>`(
    SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'color', color,
      'sources', sources) ORDER BY lower(name)), '[]')
    FROM (SELECT group_id AS id, array_agg(source ORDER BY source) AS sources FROM group_members
      WHERE account_id = ${id} GROUP BY group_id) AS own
    JOIN groups USING (id) WHERE deleted_at IS NULL)`;
}

function selectGroups(db: ReadDatabase) {
  return db.selectFrom('groups').select([
    ...COLUMNS,
    sql<number>`(SELECT count(DISTINCT account_id)::int FROM group_members
      WHERE group_id = groups.id)`.as('members'),
    sql<number>`(SELECT count(*)::int FROM invitation_groups
      JOIN invitations ON invitations.id = invitation_id
      WHERE group_id = groups.id AND ${isOpenInvitation})`.as('invited'),
  ]);
}

/** By name, or those in the bin, newest first. */
export async function listGroups(
  db: ReadDatabase,
  { isDeleted = false } = {},
): Promise<GroupRow[]> {
  if (isDeleted)
    return selectGroups(db).where(isInBin).orderBy('deleted_at', 'desc').orderBy('id').execute();
  return selectGroups(db)
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .execute();
}

const isInBin = sql<boolean>`deleted_at > now() - ${LIMITS.deletedGroupDays} * interval '1 day'`;

/** Undefined if it is deleted, unless it is in the bin and `isDeleted` is set. */
export async function findGroup(
  db: ReadDatabase,
  id: string,
  { isDeleted = false } = {},
): Promise<GroupRow | undefined> {
  return selectGroups(db)
    .where('id', '=', id)
    .where(sql<boolean>`(deleted_at IS NULL OR ${isDeleted}::boolean AND ${isInBin})`)
    .executeTakeFirst();
}

/** As `findGroup`. Locked after accounts, and before group addresses. */
export async function lockGroup(
  trx: Transaction,
  id: string,
  options?: { isDeleted: boolean },
): Promise<GroupRow | undefined> {
  await trx.selectFrom('groups').select('id').where('id', '=', id).forUpdate().execute();
  return findGroup(trx, id, options);
}

export async function isGroupNameTaken(
  db: ReadDatabase,
  { id, name }: { id?: string; name: string },
): Promise<boolean> {
  return exists(
    db,
    sql`groups WHERE lower(name) = lower(${name}) AND deleted_at IS NULL
      AND id IS DISTINCT FROM ${id ?? null}::uuid`,
  );
}

/** Also of groups that were deleted. */
export async function listSlugs(db: ReadDatabase): Promise<string[]> {
  const rows = await db.selectFrom('groups').select('slug').execute();
  return rows.map(({ slug }) => slug);
}

export async function insertGroup(
  trx: Transaction,
  group: {
    slug: string;
    name: string;
    color: GroupColor;
    sign_on?: string | null;
    in_directory?: boolean;
  },
): Promise<string> {
  const { id } = await trx
    .insertInto('groups')
    .values(group)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateGroup(
  trx: Transaction,
  id: string,
  change: Partial<Pick<GroupRow, 'name' | 'color' | 'sign_on' | 'in_directory'>> & {
    deleted_at?: null;
  },
): Promise<void> {
  await trx.updateTable('groups').set(change).where('id', '=', id).execute();
}

export async function deleteGroup(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('groups')
    .set({ deleted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** The first of the accounts that does not exist, waits for a decision or is being deleted. */
export async function findNonMember(
  db: ReadDatabase,
  accountIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM unnest(${accountIds}::uuid[]) AS wanted (id)
    WHERE NOT EXISTS (SELECT FROM accounts WHERE accounts.id = wanted.id AND closed_at IS NULL
      AND NOT ${isWaiting(sql`accounts.id`)}) LIMIT 1`.execute(db);
  return rows[0]?.id;
}

export async function insertGroupMembers(
  trx: Transaction,
  { groupId, accountIds, source, importIds = [] }: Membership & { importIds?: string[] },
): Promise<void> {
  await sql`INSERT INTO group_members (group_id, account_id, source, import_ids)
    SELECT DISTINCT ${groupId}::uuid, id, ${source}, ${importIds}::uuid[]
    FROM unnest(${accountIds}::uuid[]) AS wanted (id)
    ON CONFLICT (group_id, account_id, source) DO UPDATE ${addImportIds('group_members')}`.execute(
    trx,
  );
}

interface Membership {
  groupId: string;
  accountIds: readonly string[];
  source: GroupSource;
}

/** What single sign-on says stays. */
export async function deleteGroupMembers(
  trx: Transaction,
  { groupId, accountIds }: Omit<Membership, 'source'>,
): Promise<void> {
  await sql`DELETE FROM group_members WHERE group_id = ${groupId} AND source <> 'sign_on'
    AND account_id = ANY (${accountIds}::uuid[])`.execute(trx);
}

/** None while the group is deleted. */
export async function listMemberIds(db: ReadDatabase, groupId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_id')
    .select('account_id')
    .distinct()
    .where('group_id', '=', groupId)
    .where('deleted_at', 'is', null)
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** The first of the ids that no group has. */
export async function findMissingGroup(
  db: ReadDatabase,
  ids: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM unnest(${ids}::uuid[]) AS wanted (id) WHERE NOT EXISTS (
      SELECT FROM groups WHERE groups.id = wanted.id AND deleted_at IS NULL) LIMIT 1`.execute(db);
  return rows[0]?.id;
}

/** How many of the accounts are in the group. */
export async function countGroupMembers(
  db: ReadDatabase,
  { groupId, accountIds }: Omit<Membership, 'source'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT account_id)::int AS count FROM group_members
    WHERE group_id = ${groupId} AND account_id = ANY (${accountIds}::uuid[])`.execute(db);
  return rows[0]!.count;
}

export async function deleteMemberships(db: Executor, accountId: string): Promise<void> {
  await db.deleteFrom('group_members').where('account_id', '=', accountId).execute();
}

/** For the export of an account. */
export async function listGroupsOf(db: ReadDatabase, accountId: string) {
  return db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_id')
    .select(['name', 'source', 'group_members.created_at'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('source')
    .execute();
}

/** The groups of single sign-on that lead into groups here, and whether they did for the account. */
export async function listSignOnGroups(db: ReadDatabase, accountId: string) {
  const { rows } = await sql<{ id: string; name: string; sign_on: string; is_member: boolean }>`
    SELECT id, name, sign_on, EXISTS (SELECT FROM group_members
      WHERE group_id = groups.id AND account_id = ${accountId} AND source = 'sign_on') AS is_member
    FROM groups WHERE sign_on IS NOT NULL AND deleted_at IS NULL ORDER BY id`.execute(db);
  return rows;
}

/** Of one account, or of all. */
export async function deleteSignOnMembers(
  trx: Transaction,
  { groupId, accountId = null }: { groupId: string; accountId?: string | null },
): Promise<void> {
  await sql`DELETE FROM group_members WHERE group_id = ${groupId} AND source = 'sign_on'
    AND account_id = coalesce(${accountId}::uuid, account_id)`.execute(trx);
}

/** The groups that the list of members shows, by name. */
export async function listDirectoryGroups(db: ReadDatabase) {
  return db
    .selectFrom('groups')
    .select(['id', 'slug', 'name'])
    .where('in_directory', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .execute();
}
