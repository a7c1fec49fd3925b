import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toggleSite } from '#db/queries/sites.ts';
import type { Schema } from '#db/schema.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { createPage, toComparable } from '../support/publish-page.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import {
  type TestDatabase,
  connectPostgresDatabase,
  createPostgresDatabase,
} from '../support/test-database.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';

let servers: [TestApp, TestApp];
let database: TestDatabase;
beforeAll(async () => {
  const url = await createPostgresDatabase('nameplate_template');
  database = connectPostgresDatabase(url);
  const start = () =>
    startTestApp({ PUBLIC_URL: 'https://example.org' }, connectPostgresDatabase(url));
  servers = [await start(), await start()];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database.close();
});

const publish = () => createPage(servers[0], { bio: 'before' });

const get = async (name: string, { app } = servers[0]) =>
  toComparable(await app.inject(`/@${name}`));

const getFromBoth = (name: string) => Promise.all(servers.map((server) => get(name, server)));

const toggleVisibility = ({ id }: TestAccount) => toggleSite(database.db, id);

/** Runs `task` while the table is locked, so that reads wait. */
async function runWhileLocked(
  table: keyof Schema,
  task: (trx: Transaction) => Promise<void>,
): Promise<void> {
  await database.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(trx);
    await task(trx);
  });
}

describe('a page that is hidden during a request', () => {
  it.each(['not cached', 'cached but outdated'])(
    'returns 404 if the page was not read before that: %s',
    async (state) => {
      const { account, name } = await publish();
      if (state !== 'not cached') {
        await getFromBoth(name);
        await account.client.site.updateSiteConfiguration({ bio: 'between' });
      }
      let responses: ReturnType<typeof getFromBoth> | undefined;
      await runWhileLocked('blocks', async (trx) => {
        responses = getFromBoth(name);
        await waitForBlockedQuery(trx);
        expect(await toggleVisibility(account)).toBe(false);
      });
      const notFound = await get('nobody-at-all');
      expect(notFound.status).toBe(404);
      expect(await responses).toEqual([notFound, notFound]);
    },
  );

  it('returns 404 to later requests, even while earlier ones are waiting', async () => {
    const { account, name } = await publish();
    const project = await servers[0].createProject(account);
    await account.client.site.updateSiteConfiguration({
      blocks: [{ type: 'metric', project }],
    });
    await runWhileLocked('metrics', async (trx) => {
      // The servers have read the page and wait for its metrics.
      const earlierRequests = getFromBoth(name);
      await waitForBlockedQuery(trx);
      expect(await toggleVisibility(account)).toBe(false);
      expect((await getFromBoth(name)).map(({ status }) => status)).toEqual([404, 404]);
      for (const { status, body } of await earlierRequests)
        if (status !== 404) expect(String(body)).toContain('before');
      expect((await getFromBoth(name)).map(({ status }) => status)).toEqual([404, 404]);
    });
    expect((await getFromBoth(name)).map(({ status }) => status)).toEqual([404, 404]);
    await account.client.site.updateSiteConfiguration({ bio: 'after' });
    expect(await toggleVisibility(account)).toBe(true);
    for (const { body } of await getFromBoth(name)) expect(String(body)).toContain('after');
  });
});
