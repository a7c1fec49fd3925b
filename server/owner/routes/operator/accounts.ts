import type { Transaction } from 'kysely';
import type { operatorAccounts } from '../../../../contract/owner/operator-accounts.ts';
import { findAccount } from '../../../../db/queries/accounts.ts';
import {
  findOperatorAccount,
  listOperatorAccounts,
} from '../../../../db/queries/operator-accounts.ts';
import { isOperator } from '../../../../db/queries/operators.ts';
import { listUsage } from '../../../../db/queries/usage.ts';
import type { Database } from '../../../../db/schema.ts';
import type { Handlers } from '../../../http/contract/adapter.ts';
import { suspendAccount } from '../../../service/accounts/suspend-account.ts';
import type { Allowances } from '../../../service/allowances/allowances.ts';
import { today } from '../../../service/allowances/waiting.ts';
import { changesByOperator } from '../../../service/audit/operator.ts';
import type { Forwarding } from '../../../service/forwarding/service.ts';
import { demandFreshProof } from '../../../service/sessions/fresh-proof.ts';
import { accountFields, usageFields } from './account-fields.ts';
import { batchOf } from '../batch.ts';

/** Dependencies of what operators do with accounts. */
export interface OperatorDependencies {
  allowances: Allowances;
  forwarding: Forwarding;
  quarantineDays: number;
}

export function operatorAccountsRoutes({
  allowances,
  forwarding,
  quarantineDays,
}: OperatorDependencies): Handlers<typeof operatorAccounts> {
  return {
    listAccounts: async ({ reads, query: { search, state, limit, after }, refuse }) => {
      if (after !== undefined && !(await findOperatorAccount(reads, after, today())))
        throw refuse('cursorInvalid');
      const page = { day: today(), limit: limit + 1, search, after };
      const found = await listOperatorAccounts(reads, {
        ...page,
        suspended: state === 'suspended',
      });
      const { entries, next } = batchOf(found, {
        limit,
        idOf: ({ account_id }) => account_id,
        toEntry: accountFields,
      });
      return { status: 200, body: { accounts: entries, next } };
    },

    getAccount: async ({ reads, query: { accountId }, refuse }) => {
      const [account, [usage]] = await Promise.all([
        findOperatorAccount(reads, accountId, today()),
        listUsage(reads, { day: today(), quarantineDays, limit: 1, accountId }),
      ]);
      if (!account || !usage) throw refuse('accountNotFound');
      const fields = { account: accountFields(account), usage: usageFields(usage, allowances) };
      return { status: 200, body: fields };
    },

    suspendAccount: async ({ accountId: operatorId, via, db, body, refuse }) => {
      await demandFreshProof(db, { accountId: operatorId, via });
      const { accountId: account, reason } = body;
      const change = await changesByOperator(db, operatorId);
      return change('accounts suspend', async (trx, about) => {
        if (!(await isThere(trx, account))) throw refuse('accountNotFound');
        if (await isOperator(trx, account)) throw refuse('accountIsOperator');
        about({ account_id: account, detail: { reason } });
        await suspendAccount(trx, forwarding, { account, suspended: true, reason });
        return changed(trx, account);
      });
    },

    resumeAccount: async ({ accountId: operatorId, via, db, body, refuse }) => {
      await demandFreshProof(db, { accountId: operatorId, via });
      const { accountId: account } = body;
      const change = await changesByOperator(db, operatorId);
      return change('accounts resume', async (trx, about) => {
        if (!(await isThere(trx, account))) throw refuse('accountNotFound');
        about({ account_id: account });
        await suspendAccount(trx, forwarding, { account, suspended: false });
        return changed(trx, account);
      });
    },
  };
}

/** Whether there is an account of an id, which then stays until the end of the transaction. */
async function isThere(trx: Transaction<Database>, accountId: string): Promise<boolean> {
  const found = await findAccount(trx, accountId);
  return found?.account_id === accountId.toLowerCase();
}

async function changed(trx: Transaction<Database>, accountId: string) {
  const account = (await findOperatorAccount(trx, accountId, today()))!;
  return { status: 200, body: { account: accountFields(account) } } as const;
}
