import { MEMBER_REFUSALS } from '#contract/owner/members.ts';
import { refusal } from '#contract/refusal.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { type AccountRow, findAndLockAccount, listNamesWithPrefix } from '#db/queries/accounts.ts';
import { findApiKeys } from '#db/queries/api-keys.ts';
import { isWaitingAccount } from '#db/queries/applications.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { didYouMean } from '#server/platform/text/did-you-mean.ts';

const refuse = createRefuser({
  accountWaiting: MEMBER_REFUSALS.accountWaiting,
  accountUnknown: refusal(
    404,
    'No account has the name or id.',
    'There is no account {account}.{suggestion}',
    { account: 'jane-do', suggestion: ' Did you mean jane-doe?' },
  ),
});

/**
 * Finds an account by its name, its id or the id of a key, and protects it from deletion until the
 * transaction ends. Throws a `RefusalError` if there is none.
 */
export async function requireAccount(trx: Transaction, nameOrId: string): Promise<AccountRow> {
  const key = (await findApiKeys(trx, [nameOrId])).get(nameOrId);
  const account = await findAndLockAccount(trx, key?.account_id ?? nameOrId);
  if (account) return account;
  const firstLetter = nameOrId.trim().slice(0, 1).toLowerCase();
  const names = await listNamesWithPrefix(trx, firstLetter);
  const suggestion = didYouMean(nameOrId, names);
  throw refuse('accountUnknown', { account: nameOrId, suggestion });
}

/** Like `requireAccount`, for what an owner does. Refuses an account that waits for a decision. */
export async function requireDecidedAccount(
  trx: Transaction,
  nameOrId: string,
): Promise<AccountRow> {
  const account = await requireAccount(trx, nameOrId);
  if (await isWaitingAccount(trx, account.account_id)) throw refuse('accountWaiting');
  return account;
}
