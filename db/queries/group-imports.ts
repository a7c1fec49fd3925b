import { sql } from 'kysely';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row } from '../schema.ts';

/** A member of a group, or an invitation that leads into it. */
export type Place = Row<'group_imports', 'removed'>['removed'][number];

const isRecent = sql<boolean>`created_at > now() - interval '1 day'`;

/** Those that can be taken back, newest first. */
export async function listImports(db: ReadDatabase) {
  return db
    .selectFrom('group_imports')
    .select(['id', 'created_at'])
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
    FROM invitation_groups WHERE group_id = ANY (${groupIds}::uuid[])`.execute(db);
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
  await sql`INSERT INTO invitation_groups (group_id, invitation_id, import_id)
    SELECT ${groupId}::uuid, id, ${importId}::uuid FROM invitations
    WHERE id = ANY (${invitationIds}::uuid[])
    ON CONFLICT DO NOTHING`.execute(trx);
}

const placesOf = (removed: readonly Place[]) => sql`jsonb_to_recordset(
  ${JSON.stringify(removed)}::jsonb) AS place (group_id uuid, account_id uuid, invitation_id uuid)`;

export async function deletePlaces(trx: Transaction, removed: readonly Place[]): Promise<void> {
  await sql`DELETE FROM group_members USING ${placesOf(removed)} WHERE source = 'import'
    AND group_members.group_id = place.group_id
    AND group_members.account_id = place.account_id`.execute(trx);
  await sql`DELETE FROM invitation_groups USING ${placesOf(removed)}
    WHERE invitation_groups.group_id = place.group_id
    AND invitation_groups.invitation_id = place.invitation_id`.execute(trx);
}

export async function insertImport(
  trx: Transaction,
  { removed, ...fields }: { id: string; created_groups: string[]; removed: readonly Place[] },
): Promise<void> {
  await trx
    .insertInto('group_imports')
    .values({
      ...fields,
      removed: JSON.stringify(
        removed.map(({ group_id, account_id, invitation_id }) => ({
          group_id,
          account_id,
          invitation_id,
        })),
      ),
    })
    .execute();
}

/** Returns the groups that it created, and those that changed. Undefined if it is too old. */
export async function undoImport(
  trx: Transaction,
  id: string,
): Promise<{ created: string[]; changed: string[] } | undefined> {
  const found = await trx
    .deleteFrom('group_imports')
    .where('id', '=', id)
    .where(isRecent)
    .returning(['created_groups', 'removed'])
    .executeTakeFirst();
  if (!found) return undefined;
  const { created_groups: created, removed } = found;
  await sql`DELETE FROM invitation_groups WHERE import_id = ${id}`.execute(trx);
  const deleted = await trx
    .deleteFrom('group_members')
    .where('import_id', '=', id)
    .returning('group_id')
    .execute();
  await sql`INSERT INTO group_members (group_id, account_id, source)
    SELECT groups.id, accounts.id, 'import' FROM ${placesOf(removed)}
      JOIN groups ON groups.id = group_id
      JOIN accounts ON accounts.id = account_id AND closed_at IS NULL
    ON CONFLICT DO NOTHING`.execute(trx);
  await sql`INSERT INTO invitation_groups (group_id, invitation_id, import_id)
    SELECT groups.id, invitations.id, ${id}::uuid FROM ${placesOf(removed)}
      JOIN groups ON groups.id = group_id JOIN invitations ON invitations.id = invitation_id
    ON CONFLICT DO NOTHING`.execute(trx);
  const changed = new Set([...created, ...[...deleted, ...removed].map((row) => row.group_id)]);
  return { created, changed: [...changed] };
}

/** Returns the groups that the account joins: not one that is full. */
export async function joinInvitedGroups(
  trx: Transaction,
  { invitationId, accountId }: { invitationId: string; accountId: string },
): Promise<string[]> {
  const { rows } = await sql<{ group_id: string }>`
    INSERT INTO group_members (group_id, account_id, source, import_id)
    SELECT group_id, ${accountId}::uuid, 'import', import_id FROM invitation_groups
      JOIN groups ON groups.id = group_id
    WHERE invitation_id = ${invitationId} AND deleted_at IS NULL
      AND (SELECT count(DISTINCT account_id) FROM group_members
        WHERE group_id = groups.id) < ${LIMITS.groupMembers}
    ON CONFLICT DO NOTHING RETURNING group_id`.execute(trx);
  return rows.map(({ group_id }) => group_id);
}
