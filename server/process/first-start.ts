import type { Kysely } from 'kysely';
import { insertAccount } from '../../db/queries/accounts.ts';
import { insertProject } from '../../db/queries/stats.ts';
import type { Database } from '../../db/schema.ts';
import { createApiKey } from '../service/keys/create-api-key.ts';

/** What was made for the first owner of an empty embedded database. */
export interface FirstAccount {
  apiKey: string;
  projectId: string;
}

/** Makes one account with a key and a project if the database has no account at all. */
export async function makeFirstAccount(db: Kysely<Database>): Promise<FirstAccount | undefined> {
  return db.transaction().execute(async (trx) => {
    if (await hasAccount(trx)) return undefined;
    const account = await insertAccount(trx);
    const key = await createApiKey(trx, { accountId: account, label: 'first key' });
    const project = await insertProject(trx, account, 'My first project');
    return { apiKey: key.api_key, projectId: project.id };
  });
}

/** Whether there is any account. */
export async function hasAccount(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
}
