import { inTransaction } from '#db/connections/transaction.ts';
import { findAndLockAccount, requireAccount } from '#db/queries/accounts.ts';
import { resumeAccount, suspendAccount } from '#server/features/accounts/suspend-account.ts';
import type { TestApp } from './test-app.ts';

/** Suspends or resumes an account, which is given by its id or name. Its owner gets no mail about it. */
export function setSuspended(
  { db, nameplate }: Pick<TestApp, 'db' | 'nameplate'>,
  account: string,
  suspended = true,
) {
  const app = { ...nameplate, outbox: { ...nameplate.outbox, mailOwner: async () => false } };
  return inTransaction(db, async (trx) => {
    const { account_id: accountId } = (await findAndLockAccount(trx, account))!;
    if (suspended) await suspendAccount(trx, app, { accountId, reason: null });
    else await resumeAccount(trx, app, accountId);
    return requireAccount(trx, accountId);
  });
}
