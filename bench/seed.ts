import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { insertAccount } from '../db/queries/accounts.ts';
import { takeDisplayName } from '../db/queries/display-names.ts';
import { insertApiKey } from '../db/queries/api-keys.ts';
import { upsertBlocks } from '../db/queries/blocks.ts';
import { upsertSite } from '../db/queries/sites.ts';
import { insertProject } from '../db/queries/projects.ts';
import type { Database } from '../db/schema.ts';
import { generateApiKey, hashSecret } from '../server/service/keys/api-key.ts';

const BLOCKS = 10;

/** Makes one account with a name, a site of ten blocks and a project, among a thousand others. */
export async function seed(db: Kysely<Database>) {
  return db.transaction().execute(async (trx) => {
    for (let index = 0; index < 1_000; index += 1) {
      const accountId = await insertAccount(trx);
      await takeDisplayName(trx, { accountId, name: `other-${index}`, quarantineDays: 30 });
    }
    const accountId = await insertAccount(trx);
    const { id, secret } = generateApiKey();
    await insertApiKey(trx, { id, accountId, secretHash: hashSecret(secret), label: 'bench' });
    await takeDisplayName(trx, { accountId, name: 'jane-doe', quarantineDays: 30 });
    await upsertSite(trx, accountId, { bio: 'Potter in Lisbon.', location: 'Lisbon', mood: '🌞' });
    const blocks = Array.from({ length: BLOCKS }, (_, index) => ({
      id: randomUUID(),
      type: 'text',
      enabled: true,
      content: `Paragraph ${index}: ${'words '.repeat(10)}`,
    }));
    await upsertBlocks(trx, accountId, blocks);
    const project = await insertProject(trx, accountId, 'Shop');
    return { accountId, apiKey: `${id}.${secret}`, projectId: project.id };
  });
}
