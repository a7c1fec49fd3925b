import { LIMITS } from '#contract/shared/limits.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import { lockAddressChanges } from '#db/queries/addresses.ts';
import {
  deleteSignOnMembers,
  insertGroupMembers,
  listSignOnGroups,
  lockGroup,
} from '#db/queries/groups.ts';
import type { AllFeatures } from '../define-feature.ts';
import type { React } from '../facts.ts';
import { findGroupProblem } from './groups.ts';
import type { AuthenticatedUser } from './identity-provider.ts';
import { auditSignOn } from './operator-group.ts';
import type { SignOnProvider } from './sign-on.ts';

/**
 * Takes the account into the groups that operators mapped to groups of its user, and out of those
 * that only single sign-on had put it into. A claim that is missing or not readable changes nothing.
 */
export async function syncGroups(
  db: Database,
  { react, features }: { react: React; features: Pick<AllFeatures, 'off'> },
  { name: provider }: SignOnProvider,
  user: AuthenticatedUser,
  { accountId, hasLeft }: { accountId: string; hasLeft: boolean },
): Promise<void> {
  if (features.off.includes('groups') || (await listSignOnGroups(db, accountId)).length === 0)
    return;
  const { groups: claim } = await user.loadClaims();
  if (!hasLeft && !isReadable(claim)) return;
  const listChanges = async (trx: ReadDatabase) =>
    (await listSignOnGroups(trx, accountId)).filter(
      ({ sign_on, is_member }) =>
        is_member === (hasLeft || findGroupProblem(claim, [sign_on]) !== undefined),
    );
  if ((await listChanges(db)).length === 0) return;
  await inTransaction(db, async (trx) => {
    await lockAddressChanges(trx);
    if (!(await lockAccounts(trx, [accountId])).has(accountId)) return;
    for (const { id: groupId, name: group, is_member } of await listChanges(trx)) {
      const locked = await lockGroup(trx, groupId);
      if (!locked || (!is_member && locked.members >= LIMITS.groupMembers)) continue;
      if (is_member) await deleteSignOnMembers(trx, { groupId, accountId });
      else await insertGroupMembers(trx, { groupId, accountIds: [accountId], source: 'sign_on' });
      await react(trx, 'groupChanged', { groupId, operatorId: null });
      const action = is_member ? 'groups.removeMembers' : 'groups.addMembers';
      await auditSignOn(trx, { provider, action, accountId, detail: { group } });
    }
  });
}

const isReadable = (claim: unknown) =>
  claim !== undefined && [claim].flat().every((group) => typeof group === 'string');
