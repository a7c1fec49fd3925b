import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database, Executor } from '#db/connections/handles.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { insertApiKey } from '#db/queries/api-keys.ts';
import { upsertBlocks } from '#db/queries/blocks.ts';
import { claimNameForAccount } from '#db/queries/display-names.ts';
import { insertProject } from '#db/queries/projects.ts';
import { toggleSite, upsertSite } from '#db/queries/sites.ts';
import { generateApiKey, hashSecret } from '#server/features/keys/api-key.ts';

const BLOCK_COUNT = 20;

export interface SeedData {
  accountId: string;
  apiKey: string;
  projectId: string;
  /** Other accounts, each with a key and a name. */
  otherAccounts: { accountId: string; apiKey: string }[];
}

/**
 * Creates an account with a name, a visible site with 20 blocks and a project, and other accounts.
 * With `fills`, also runs `fill.sql`.
 */
export async function seedDatabase(db: Database, keys: number, fills: boolean): Promise<SeedData> {
  const seedData = await db.transaction().execute(async (trx) => {
    const otherAccounts = await insertOtherAccounts(trx, keys);
    const accountId = await insertAccount(trx);
    const { id, secret } = generateApiKey();
    await insertApiKey(trx, { id, accountId, secretHash: hashSecret(secret), label: 'bench' });
    await claimNameForAccount(trx, { accountId, name: 'jane-doe', quarantineDays: 30 });
    await toggleSite(trx, accountId);
    await upsertSite(trx, accountId, { bio: 'Potter in Lisbon.', location: 'Lisbon', mood: '🌞' });
    const blocks = Array.from({ length: BLOCK_COUNT }, (_, index) => ({
      id: randomUUID(),
      type: 'text',
      enabled: true,
      content: `Paragraph ${index}: ${'words '.repeat(10)}`,
    }));
    await upsertBlocks(trx, accountId, blocks);
    const project = await insertProject(trx, accountId, 'Shop');
    return { accountId, apiKey: `${id}.${secret}`, projectId: project.id, otherAccounts };
  });
  if (fills)
    await sql.raw(await readFile(join(import.meta.dirname, 'fill.sql'), 'utf8')).execute(db);
  // Autovacuum would do this within a minute. Until then, plans assume empty tables.
  await sql`VACUUM ANALYZE`.execute(db);
  return seedData;
}

async function insertOtherAccounts(trx: Executor, keys: number) {
  const otherAccounts = Array.from({ length: keys }, (_, number) => {
    const { id, secret } = generateApiKey();
    const hash = hashSecret(secret).toString('hex');
    return { number, account: randomUUID(), id, hash, apiKey: `${id}.${secret}` };
  });
  const rows = JSON.stringify(otherAccounts.map(({ apiKey: _apiKey, ...row }) => row));
  await sql`
    WITH other AS (
      SELECT * FROM json_to_recordset(${rows}) AS other (number int, account uuid, id text, hash text)
    ), account_row AS (INSERT INTO accounts (id) SELECT account FROM other),
      settings AS (INSERT INTO forwarding_settings (account_id) SELECT account FROM other),
      key AS (
        INSERT INTO api_keys (id, account_id, secret_hash) SELECT id, account, decode(hash, 'hex') FROM other
      )
    INSERT INTO display_names (name, account_id) SELECT 'other-' || number, account FROM other`.execute(
    trx,
  );
  return otherAccounts.map(({ account, apiKey }) => ({ accountId: account, apiKey }));
}
