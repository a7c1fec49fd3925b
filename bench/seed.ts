import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { insertAccount } from '../db/queries/accounts.ts';
import { takeDisplayName } from '../db/queries/display-names.ts';
import { insertApiKey } from '../db/queries/api-keys.ts';
import { upsertBlocks } from '../db/queries/blocks.ts';
import { toggleSiteEnabled, upsertSite } from '../db/queries/sites.ts';
import { insertProject } from '../db/queries/projects.ts';
import type { Database } from '../db/schema.ts';
import { generateApiKey, hashSecret } from '../server/service/keys/api-key.ts';

const BLOCKS = 10;

/** Makes one account with a name, a visible site of ten blocks and a project, among others with small sites. */
export async function seed(db: Kysely<Database>, others: number) {
  return db.transaction().execute(async (trx) => {
    await sql`
      WITH made AS (INSERT INTO accounts SELECT FROM generate_series(1, ${others}::int) RETURNING id),
        numbered AS (SELECT id, row_number() OVER () - 1 AS number FROM made),
        named AS (INSERT INTO display_names (name, account_id) SELECT 'other-' || number, id FROM numbered),
        shown AS (INSERT INTO sites (account_id, enabled, bio) SELECT id, true, 'Potter ' || number FROM numbered)
      INSERT INTO blocks (account_id, id, position, type, enabled, content, fields)
      SELECT id, gen_random_uuid(), 0, 'text', true, 'Hello from ' || number, '{}' FROM numbered`.execute(
      trx,
    );
    const accountId = await insertAccount(trx);
    const { id, secret } = generateApiKey();
    await insertApiKey(trx, { id, accountId, secretHash: hashSecret(secret), label: 'bench' });
    await takeDisplayName(trx, { accountId, name: 'jane-doe', quarantineDays: 30 });
    await toggleSiteEnabled(trx, accountId);
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
