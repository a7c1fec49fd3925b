import type { Transaction } from 'kysely';
import { type AccountRow, findAccount } from '../../../db/queries/accounts.ts';
import type { Database } from '../../../db/schema.ts';
import { RequestError } from '../../service/request-error.ts';

/** The account of a display name or id, which stays until the end of the transaction, or throws 404. */
export async function findAccountOrRefuse(
  trx: Transaction<Database>,
  nameOrId: string,
): Promise<AccountRow> {
  const account = await findAccount(trx, nameOrId);
  if (!account) throw new RequestError(404, `There is no account ${nameOrId}.`);
  return account;
}
