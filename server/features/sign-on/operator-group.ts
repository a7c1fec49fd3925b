import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findSuspension } from '#db/queries/accounts.ts';
import { insertAuditEntry } from '#db/queries/audit-log.ts';
import { canLoseOperator, findOperator, listOperators } from '#db/queries/operators.ts';
import { changeOperator } from '../members/change-operator.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { findGroupProblem } from './groups.ts';
import type { AuthenticatedUser } from './identity-provider.ts';
import type { SignOnProvider } from './sign-on.ts';

/**
 * Makes the account an operator if its user is in `OIDC_OPERATOR_GROUP`, and a member again if not
 * (or if `hasLeft`), unless it was made an operator by hand or is the last one. A claim that is
 * missing or not readable changes nothing.
 */
export async function syncOperator(
  db: Database,
  app: NameServices,
  { name: provider, operatorGroup }: SignOnProvider,
  user: AuthenticatedUser,
  { accountId, hasLeft }: { accountId: string; hasLeft: boolean },
): Promise<void> {
  if (operatorGroup === undefined) return;
  const { groups } = await user.loadClaims();
  const problem = findGroupProblem(groups, [operatorGroup]);
  const isOperator = problem === undefined && !hasLeft;
  if (!isOperator && !hasLeft && problem !== 'groups_not_allowed') return;
  const isChange = async (trx: Database | Transaction) => {
    const operator = await findOperator(trx, accountId);
    return isOperator ? !operator : operator?.by_sign_on === true;
  };
  if (!(await isChange(db))) return;
  await inTransaction(db, async (trx) => {
    // Locks all operators, so that two logins cannot remove the last two.
    await canLoseOperator(trx, accountId);
    const isPossible = isOperator
      ? (await findSuspension(trx, accountId)) === undefined
      : (await listOperators(trx)).some(({ account_id: id }) => id !== accountId);
    if (!isPossible || !(await isChange(trx))) return;
    await changeOperator(trx, app, { provider, targetId: accountId, isOperator });
    const detail = { operator: isOperator };
    await auditSignOn(trx, { provider, action: 'members.updateMemberRole', accountId, detail });
  });
}

export function auditSignOn(
  trx: Transaction,
  {
    provider: who,
    action,
    accountId: account_id,
    detail,
  }: { provider: string; action: string; accountId: string; detail: Record<string, unknown> },
): Promise<void> {
  const subject = { account_id, name: null, project_id: null, key_id: null };
  return insertAuditEntry(trx, { who, via: 'single sign-on', action, ...subject, detail });
}
