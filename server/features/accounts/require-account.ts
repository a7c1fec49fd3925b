import { refusal } from '#contract/refusal.ts';
import { type AccountRow, findAndLockAccount, listNamesWithPrefix } from '#db/queries/accounts.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { didYouMean } from '#server/platform/text/did-you-mean.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser({
  accountUnknown: refusal(
    404,
    'No account has the name or id.',
    'There is no account {account}.{suggestion}',
    { account: 'jane-do', suggestion: ' Did you mean jane-doe?' },
  ),
});

/**
 * Protects the account from deletion until the transaction ends. Throws a `RefusalError` if no
 * account has the name or id.
 */
export async function requireAccount(trx: Transaction, nameOrId: string): Promise<AccountRow> {
  const account = await findAndLockAccount(trx, nameOrId);
  if (account) return account;
  const firstLetter = nameOrId.trim().slice(0, 1).toLowerCase();
  const names = await listNamesWithPrefix(trx, firstLetter);
  const suggestion = didYouMean(nameOrId, names);
  throw refuse('accountUnknown', { account: nameOrId, suggestion });
}
