import { type RawBuilder, sql } from 'kysely';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row } from '../schema.ts';
import { isOpenInvitation } from './invitations.ts';
import { exists } from './rows.ts';

/** A member of a group, or an invitation that leads into it. */
export interface Place {
  group_id: string;
  account_id: string | null;
  invitation_id: string | null;
}

type RemovedPlace = Row<'group_imports', 'removed'>['removed'][number];

const isRecent = sql<boolean>`created_at > now() - interval '1 day'`;

/** One nil UUID stands for all imports that can no longer be taken back. */
export const addImportIds = (
  table: 'group_members' | 'invitation_groups',
) => sql`SET import_ids = ARRAY(
    SELECT DISTINCT coalesce(group_imports.id, '00000000-0000-0000-0000-000000000000')
    FROM unnest(${sql.ref(`${table}.import_ids`)}) AS earlier (id)
    LEFT JOIN group_imports USING (id)) || excluded.import_ids`;

/** Whether the import put everybody into the group, who then goes into the bin with it. */
const isOnlyFrom = (importId: RawBuilder<unknown>) => sql<boolean>`NOT EXISTS (
    SELECT FROM group_members WHERE group_id = groups.id AND import_ids <> ARRAY[${importId}] OFFSET 0)
  AND NOT EXISTS (
    SELECT FROM invitation_groups
    WHERE group_id = groups.id AND import_ids <> ARRAY[${importId}] OFFSET 0)`;

/** The imports of the last day, newest first, with the changes that undoing each would make. */
export async function listImports(db: ReadDatabase) {
  const id = sql.ref('group_imports.id');
  return db
    .selectFrom('group_imports')
    .select(['id', 'created_at'])
    .select([
      sql<number>`(SELECT count(*)::int FROM groups WHERE groups.id = ANY (created_groups)
        AND deleted_at IS NULL AND ${isOnlyFrom(id)})`.as('groups'),
      sql<number>`(SELECT count(DISTINCT account_id)::int FROM group_members
        WHERE import_ids = ARRAY[${id}])`.as('members'),
      sql<number>`(SELECT count(DISTINCT invitation_id)::int FROM invitation_groups
        JOIN invitations ON invitations.id = invitation_id
        WHERE import_ids = ARRAY[${id}] AND ${isOpenInvitation})`.as('invited'),
      sql<number>`(SELECT count(DISTINCT coalesce(accounts.id, invitations.id))::int
        FROM ${placesOf(sql.ref('removed'))} JOIN groups ON groups.id = group_id
        LEFT JOIN accounts ON accounts.id = ${placeHolder} AND closed_at IS NULL
        LEFT JOIN invitations ON invitations.id = invitation_id AND uses < max_uses)`.as(
        'restored',
      ),
    ])
    .where(isRecent)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Who is in the groups, and who joins them by accepting an invitation. */
export async function listPlaces(db: ReadDatabase, groupIds: readonly string[]) {
  const { rows } = await sql<Place & { is_import: boolean; is_other: boolean }>`
    SELECT group_id, account_id, NULL::uuid AS invitation_id,
      bool_or(source = 'import') AS is_import, bool_or(source <> 'import') AS is_other
    FROM group_members WHERE group_id = ANY (${groupIds}::uuid[]) GROUP BY group_id, account_id
    UNION ALL
    SELECT group_id, NULL, invitation_id, true, false
    FROM invitation_groups JOIN invitations ON invitations.id = invitation_id
    WHERE group_id = ANY (${groupIds}::uuid[]) AND uses < max_uses`.execute(db);
  return rows;
}

export async function insertInvitationGroups(
  trx: Transaction,
  {
    groupId,
    invitationIds,
    importId,
  }: { groupId: string; invitationIds: readonly string[]; importId: string },
): Promise<void> {
  await sql`INSERT INTO invitation_groups (group_id, invitation_id, import_ids)
    SELECT ${groupId}::uuid, id, ARRAY[${importId}::uuid] FROM invitations
    WHERE id = ANY (${invitationIds}::uuid[])
    ON CONFLICT (group_id, invitation_id) DO UPDATE ${addImportIds('invitation_groups')}`.execute(
    trx,
  );
}

const placesOf = (places: readonly object[] | RawBuilder<unknown>) => sql`jsonb_to_recordset(
    ${Array.isArray(places) ? sql`${JSON.stringify(places)}::jsonb` : places})
  AS place (group_id uuid, account_id uuid, invitation_id uuid, import_ids uuid[])`;

/** The member of a place, or who accepted its invitation. */
const placeHolder = sql`coalesce(place.account_id,
    (SELECT account_id FROM invitations WHERE id = place.invitation_id))`;

/** Returns what `undoImport` brings back. */
export async function deletePlaces(
  trx: Transaction,
  removed: readonly Place[],
): Promise<RemovedPlace[]> {
  const { rows: members } = await sql<RemovedPlace>`
    DELETE FROM group_members AS old USING ${placesOf(removed)} WHERE source = 'import'
      AND old.group_id = place.group_id AND old.account_id = place.account_id
    RETURNING old.group_id, old.account_id, old.import_ids`.execute(trx);
  const { rows: invitations } = await sql<RemovedPlace>`
    DELETE FROM invitation_groups AS old USING ${placesOf(removed)}
    WHERE old.group_id = place.group_id AND old.invitation_id = place.invitation_id
    RETURNING old.group_id, old.invitation_id, old.import_ids`.execute(trx);
  return [...members, ...invitations];
}

export async function insertImport(
  trx: Transaction,
  { removed, ...fields }: { id: string; created_groups: string[]; removed: RemovedPlace[] },
): Promise<void> {
  await trx
    .insertInto('group_imports')
    .values({ ...fields, removed: JSON.stringify(removed) })
    .execute();
}

/** Returns the groups for the bin, and all that changed. Undefined if it is too old. */
export async function undoImport(
  trx: Transaction,
  id: string,
): Promise<{ binned: string[]; changed: string[] } | undefined> {
  const found = await trx
    .deleteFrom('group_imports')
    .where('id', '=', id)
    .where(isRecent)
    .returning(['created_groups', 'removed'])
    .executeTakeFirst();
  if (!found) return undefined;
  const { created_groups: created, removed } = found;
  const { rows: whole } = await sql<{ id: string }>`SELECT id FROM groups
    WHERE id = ANY (${created}::uuid[]) AND ${isOnlyFrom(sql`${id}::uuid`)}`.execute(trx);
  const binned = whole.map((group) => group.id);
  const deleted = [];
  // What another import added, too, stays.
  for (const table of [sql`group_members`, sql`invitation_groups`]) {
    const { rows } = await sql<{ group_id: string }>`DELETE FROM ${table}
      WHERE import_ids = ARRAY[${id}::uuid] AND group_id <> ALL (${binned}::uuid[])
      RETURNING group_id`.execute(trx);
    deleted.push(...rows);
    await sql`UPDATE ${table} SET import_ids = array_remove(import_ids, ${id}::uuid)
      WHERE import_ids @> ARRAY[${id}::uuid] AND group_id <> ALL (${binned}::uuid[])`.execute(trx);
  }
  await sql`INSERT INTO group_members (group_id, account_id, source, import_ids)
    SELECT groups.id, accounts.id, 'import', import_ids FROM ${placesOf(removed)}
      JOIN groups ON groups.id = group_id
      JOIN accounts ON accounts.id = ${placeHolder} AND closed_at IS NULL
    ON CONFLICT (group_id, account_id, source) DO UPDATE ${addImportIds('group_members')}`.execute(
    trx,
  );
  await sql`INSERT INTO invitation_groups (group_id, invitation_id, import_ids)
    SELECT groups.id, invitations.id, import_ids FROM ${placesOf(removed)}
      JOIN groups ON groups.id = group_id
      JOIN invitations ON invitations.id = invitation_id AND uses < max_uses
    ON CONFLICT (group_id, invitation_id) DO UPDATE ${addImportIds('invitation_groups')}`.execute(
    trx,
  );
  const changed = new Set([...created, ...[...deleted, ...removed].map((row) => row.group_id)]);
  return { binned, changed: [...changed] };
}

export async function leadsIntoGroups(db: ReadDatabase, invitationId: string): Promise<boolean> {
  return exists(db, sql`invitation_groups WHERE invitation_id = ${invitationId}`);
}

/** Returns the groups that the account joins, also those in the bin: not one that is full. */
export async function joinInvitedGroups(
  trx: Transaction,
  { invitationId, accountId }: { invitationId: string; accountId: string },
): Promise<string[]> {
  const { rows } = await sql<{ group_id: string }>`
    INSERT INTO group_members (group_id, account_id, source, import_ids)
    SELECT group_id, ${accountId}::uuid, 'import', import_ids FROM invitation_groups
      JOIN groups ON groups.id = group_id
    WHERE invitation_id = ${invitationId}
      AND (SELECT count(DISTINCT account_id) FROM group_members
        WHERE group_id = groups.id) < ${LIMITS.groupMembers}
    ON CONFLICT DO NOTHING RETURNING group_id`.execute(trx);
  return rows.map(({ group_id }) => group_id);
}
