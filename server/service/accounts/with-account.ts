import type { Kysely, Transaction } from 'kysely';
import { type AccountRow, findAccount } from '../../../db/queries/accounts.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { RequestError } from '../request-error.ts';

/**
 * Does something with the account of a display name or id, in one transaction, until the end of
 * which nobody deletes it; throws 404 if there is none.
 */
export function withAccount<T>(
  db: Kysely<Database>,
  nameOrId: string,
  act: (trx: Transaction<Database>, account: AccountRow) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (trx) => {
    const account = await findAccount(trx, nameOrId);
    if (!account) throw new RequestError(404, `There is no account ${nameOrId}.`);
    return act(trx, account);
  });
}
