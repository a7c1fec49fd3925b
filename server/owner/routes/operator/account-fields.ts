import { USAGE } from '../../../../contract/owner/operator-accounts.ts';
import type { OperatorAccountRow } from '../../../../db/queries/operator-accounts.ts';
import type { UsageRow } from '../../../../db/queries/usage.ts';
import { ALLOWANCES, type Allowances } from '../../../service/allowances/allowances.ts';

/** An account as the contract shows it to operators. */
export function accountFields({ closed_at, is_operator, ...row }: OperatorAccountRow) {
  return {
    ...row,
    state: closed_at ? 'deleting' : row.suspended_at ? 'suspended' : 'active',
    operator: is_operator,
    suspended_at: row.suspended_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  } as const;
}

/** The usage of an account, each kind with its limit. */
export function usageFields(usage: UsageRow, allowances: Allowances) {
  return USAGE.map((kind) => ({
    kind,
    used: usage[kind],
    allowed: allowances[ALLOWANCES[kind]] || null,
  }));
}
