import type { Transaction } from 'kysely';
import type { Database } from '../schema.ts';

/** Makes an account with its profile: no display name, a hidden site, forwarding off. Returns its id. */
export async function insertAccount(trx: Transaction<Database>): Promise<string> {
  const { id } = await trx
    .insertInto('accounts')
    .defaultValues()
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx.insertInto('profiles').values({ account_id: id }).execute();
  return id;
}
