import type { groupImports } from '#contract/owner/group-imports.ts';
import type { groups } from '#contract/owner/groups.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import { lockAddressChanges } from '#db/queries/addresses.ts';
import { listImports } from '#db/queries/group-imports.ts';
import {
  countGroupMembers,
  deleteGroup,
  deleteGroupMembers,
  deleteSignOnMembers,
  findGroup,
  findNonMember,
  type GroupRow,
  insertGroup,
  insertGroupMembers,
  isGroupNameTaken,
  listGroups,
  listSlugs,
  lockGroup,
  updateGroup,
} from '#db/queries/groups.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import type { React } from '../facts.ts';
import type { NameRules } from '../names/reserved-names.ts';
import { createGroupSlug } from './group-slug.ts';
import { groupImportRoutes } from './import-routes.ts';

export function groupRoutes(app: {
  react: React;
  names: NameRules;
}): Handlers<typeof groups & typeof groupImports> {
  const { react } = app;
  return {
    ...groupImportRoutes(app),

    listGroups: async ({ readDb, query: { deleted } }) => ({
      groups: (await listGroups(readDb, { isDeleted: deleted })).map(serializeTimes),
      imports: (await listImports(readDb)).map(serializeTimes),
    }),

    createGroup: async ({ db, body, refuse, audit }) => {
      const { name, color, sign_on = null, in_directory = false } = body;
      await lockAddressChanges(db);
      if (await isGroupNameTaken(db, { name })) throw refuse('groupNameTaken', { name });
      if (await isFull(db)) throw refuse('groupLimitReached', { limit: LIMITS.memberGroups });
      const slug = createGroupSlug(name, await listSlugs(db));
      const id = await insertGroup(db, { name, color, sign_on, in_directory, slug });
      audit({ detail: { group: name } });
      return readGroup(db, id);
    },

    updateGroup: async ({
      accountId: operatorId,
      db,
      body: { group_id: id, deleted, ...change },
      refuse,
      audit,
    }) => {
      await lockAddressChanges(db);
      const group = await lockGroup(db, id, { isDeleted: deleted === false });
      if (!group) throw refuse('groupNotFound');
      const { name = group.name, color = group.color, sign_on = group.sign_on } = change;
      if (await isGroupNameTaken(db, { id, name })) throw refuse('groupNameTaken', { name });
      if (group.deleted_at && (await isFull(db)))
        throw refuse('groupLimitReached', { limit: LIMITS.memberGroups });
      const { in_directory = group.in_directory } = change;
      await updateGroup(db, id, { name, color, sign_on, in_directory, deleted_at: null });
      const isOtherSignOn = sign_on !== group.sign_on;
      if (isOtherSignOn) await deleteSignOnMembers(db, { groupId: id });
      if (group.deleted_at || isOtherSignOn)
        await react(db, 'groupChanged', { groupId: id, operatorId });
      const restored = group.deleted_at !== null && { restored: true };
      audit({ detail: { group: group.name, ...change, ...restored } });
      return readGroup(db, id);
    },

    deleteGroup: async ({ accountId: operatorId, db, body: { group_id: id }, refuse, audit }) => {
      await lockAddressChanges(db);
      const group = await lockGroup(db, id);
      if (!group) throw refuse('groupNotFound');
      await deleteGroup(db, id);
      await react(db, 'groupChanged', { groupId: id, operatorId });
      audit({ detail: { group: group.name, members: group.members } });
    },

    addMembers: async ({ db, body, refuse, audit, accountId: operatorId }) => {
      const { group_id: groupId, account_ids } = body;
      await lockAddressChanges(db);
      await lockAccounts(db, account_ids);
      const group = await lockGroup(db, groupId);
      if (!group) throw refuse('groupNotFound');
      const member = await findNonMember(db, account_ids);
      if (member !== undefined) throw refuse('memberNotFound', { member });
      await insertGroupMembers(db, { groupId, accountIds: account_ids, source: 'hand' });
      const changed = await readGroup(db, groupId);
      if (changed.group.members > LIMITS.groupMembers)
        throw refuse('groupFull', { limit: formatLimit(LIMITS.groupMembers) });
      await react(db, 'groupChanged', { groupId, operatorId });
      const added = changed.group.members - group.members;
      audit(describeChange(group, account_ids, { added }));
      return { ...changed, added };
    },

    removeMembers: async ({ db, body, refuse, audit, accountId: operatorId }) => {
      const { group_id: groupId, account_ids } = body;
      await lockAddressChanges(db);
      await lockAccounts(db, account_ids);
      const group = await lockGroup(db, groupId);
      if (!group) throw refuse('groupNotFound');
      await deleteGroupMembers(db, { groupId, accountIds: account_ids });
      await react(db, 'groupChanged', { groupId, operatorId });
      const changed = await readGroup(db, groupId);
      const removed = group.members - changed.group.members;
      audit(describeChange(group, account_ids, { removed }));
      const kept = await countGroupMembers(db, { groupId, accountIds: account_ids });
      return { ...changed, removed, kept };
    },
  };
}

async function isFull(db: ReadDatabase): Promise<boolean> {
  return (await listGroups(db)).length >= LIMITS.memberGroups;
}

async function readGroup(db: ReadDatabase, id: string) {
  return { group: serializeTimes((await findGroup(db, id))!) };
}

/** An entry about one member is in the audit trail of that member. */
function describeChange({ name: group }: GroupRow, accountIds: readonly string[], counts: object) {
  const [account_id, ...others] = accountIds;
  return account_id !== undefined && others.length === 0
    ? { account_id, detail: { group, ...counts } }
    : { detail: { group, account_ids: accountIds, ...counts } };
}
