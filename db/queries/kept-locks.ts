import type { Transaction } from '../connections/handles.ts';
import { lockAccounts } from './accounts.ts';
import { listKeptIds } from './keepers.ts';

/**
 * Locks the account and those that it keeps, at once, so that they are locked in the same order
 * everywhere. Two changes after which fewer people can sign in for an account wait for each other.
 */
export async function lockWithKept(
  trx: Transaction,
  accountId: string,
  lock: (trx: Transaction, accountIds: readonly string[]) => Promise<unknown> = lockAccounts,
): Promise<void> {
  const kept = await listKeptIds(trx, accountId);
  await lock(trx, [accountId, ...kept]);
  // One more, if an invitation was accepted meanwhile. The lock on the account prevents others.
  const added = (await listKeptIds(trx, accountId)).filter((id) => !kept.includes(id));
  await lockAccounts(trx, added);
}
