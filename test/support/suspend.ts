import { inTransaction } from '#db/connections/transaction.ts';
import { setAccountSuspended } from '#server/features/accounts/suspend-account.ts';
import type { TestApp } from './test-app.ts';

/** Suspends or resumes an account, which is given by its id or name. */
export function setSuspended(
  { db, nameplate }: Pick<TestApp, 'db' | 'nameplate'>,
  account: string,
  suspended = true,
) {
  return inTransaction(db, (trx) => setAccountSuspended(trx, nameplate, { account, suspended }));
}
