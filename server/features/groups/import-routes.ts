import { randomUUID } from 'node:crypto';
import type { groupImports } from '#contract/owner/group-imports.ts';
import { GROUP_COLORS } from '#contract/shared/group-colors.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import { lockAddressChanges } from '#db/queries/addresses.ts';
import {
  deletePlaces,
  insertImport,
  insertInvitationGroups,
  joinInvitedGroups,
  leadsIntoGroups,
  undoImport,
} from '#db/queries/group-imports.ts';
import {
  deleteGroup,
  findGroup,
  insertGroup,
  insertGroupMembers,
  listSlugs,
  lockGroup,
} from '#db/queries/groups.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import type { Refuse } from '#server/platform/refusal.ts';
import type { Facts, React } from '../facts.ts';
import type { readMemberCsv } from '../invitations/read-member-csv.ts';
import type { NameRules } from '../names/reserved-names.ts';
import { createGroupSlug } from './group-slug.ts';
import { planImport } from './plan-import.ts';

type Refusals = (typeof groupImports)['importMembers']['metadata']['refusals'];

const FULL = { limit: formatLimit(LIMITS.groupMembers) };

export function groupImportRoutes(app: {
  react: React;
  names: NameRules;
}): Handlers<typeof groupImports> {
  const plan = async (
    db: ReadDatabase,
    body: Parameters<typeof readMemberCsv>[0],
    refuse: Refuse<Pick<Refusals, 'groupLimitReached' | 'listedGroupTooLong'>>,
    isCheck = false,
  ) => {
    const csv = await import('../invitations/read-member-csv.ts');
    const { rows } = await csv.readMemberCsv(body);
    const planned = await planImport(db, app.names, rows, { isCheck });
    const { isTooMany, tooLong, counts, unknown_lines } = planned;
    if (tooLong !== undefined) throw refuse('listedGroupTooLong', { line: tooLong });
    if (isTooMany) throw refuse('groupLimitReached', { limit: LIMITS.memberGroups });
    return { ...planned, result: { groups: counts, unknown_lines } };
  };
  return {
    checkImport: async ({ readDb, body, refuse }) =>
      (await plan(readDb, body, refuse, true)).result,

    importMembers: async ({ db, body, refuse, audit, accountId: operatorId }) => {
      await lockAddressChanges(db);
      const { groups, counts, leaving, result } = await plan(db, body, refuse);
      const removed = body.remove_others ? leaving : [];
      const isChange = counts.some(({ added, invited }) => added + invited > 0);
      if (!isChange && removed.length === 0) {
        audit('unchanged');
        return { import_id: null, ...result };
      }
      const id = randomUUID();
      const accounts = await lockAccounts(db, [
        ...groups.flatMap(({ members }) => [...members]),
        ...removed.flatMap(({ account_id }) => account_id ?? []),
      ]);
      const deleted = await deletePlaces(db, removed);
      const created = [];
      for (const { name, members, invited, ...group } of groups) {
        const groupId = group.id ?? (await createImportedGroup(db, name));
        if (group.id === null) created.push(groupId);
        await lockGroup(db, groupId);
        const accountIds = [...members].filter((member) => accounts.has(member));
        await insertGroupMembers(db, { groupId, accountIds, source: 'import', importIds: [id] });
        await insertInvitationGroups(db, { groupId, invitationIds: [...invited], importId: id });
        if ((await findGroup(db, groupId))!.members > LIMITS.groupMembers)
          throw refuse('groupFull', FULL);
        await app.react(db, 'groupChanged', { groupId, operatorId });
      }
      await insertImport(db, { id, created_groups: created, removed: deleted });
      audit({ detail: { import: id, groups: groups.length, removed: removed.length } });
      return { import_id: id, ...result };
    },

    revokeImport: async ({ db, body: { import_id: id }, refuse, audit, accountId: operatorId }) => {
      await lockAddressChanges(db);
      const undone = await undoImport(db, id);
      if (!undone) throw refuse('importNotFound');
      for (const groupId of undone.changed) {
        // Who is put back into a deleted group comes back with it.
        const group = await lockGroup(db, groupId, { isDeleted: true });
        if (!group) continue;
        if (group.members > LIMITS.groupMembers) throw refuse('groupFull', FULL);
        if (undone.binned.includes(groupId)) await deleteGroup(db, groupId);
        await app.react(db, 'groupChanged', { groupId, operatorId });
      }
      audit({ detail: { import: id } });
    },
  };
}

async function createImportedGroup(trx: Transaction, name: string): Promise<string> {
  const slugs = await listSlugs(trx);
  const color = GROUP_COLORS[slugs.length % GROUP_COLORS.length]!;
  return insertGroup(trx, { name, color, slug: createGroupSlug(name, slugs) });
}

/** Who was invited with a list that named groups joins them. */
export async function joinGroups(
  trx: Transaction,
  { react }: { react: React },
  invitation: Facts['invitationAccepted'],
): Promise<void> {
  if (!(await leadsIntoGroups(trx, invitation.invitationId))) return;
  await lockAddressChanges(trx);
  const groupIds = await joinInvitedGroups(trx, invitation);
  for (const groupId of groupIds) await react(trx, 'groupChanged', { groupId, operatorId: null });
}
