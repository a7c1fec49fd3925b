import type { Kysely } from 'kysely';
import { insertAccount } from '../db/queries/accounts.ts';
import { insertApiKey } from '../db/queries/api-keys.ts';
import { insertProject } from '../db/queries/stats.ts';
import type { Database } from '../db/schema.ts';
import { generateApiKey, hashSecret } from './api-key.ts';

/** What was made for the first owner of an empty embedded database. */
export interface FirstAccount {
  apiKey: string;
  projectId: string;
}

/** Makes one account with a key and a project if the database has no account at all. */
export async function makeFirstAccount(db: Kysely<Database>): Promise<FirstAccount | undefined> {
  return db.transaction().execute(async (trx) => {
    if (await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) return undefined;
    const account = await insertAccount(trx);
    const key = generateApiKey();
    await insertApiKey(trx, {
      id: key.id,
      accountId: account,
      secretHash: hashSecret(key.secret),
      label: 'first key',
    });
    const project = await insertProject(trx, account, 'My first project');
    return { apiKey: `${key.id}.${key.secret}`, projectId: project.id };
  });
}
