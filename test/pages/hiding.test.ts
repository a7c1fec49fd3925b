import { type Transaction, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toggleSite } from '#db/queries/sites/sites.ts';
import type { Database } from '#db/schema.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import {
  type TestDatabase,
  connectPostgresDatabase,
  createPostgresDatabase,
} from '../support/test-database.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';

let servers: [TestApp, TestApp];
let outside: TestDatabase;
beforeAll(async () => {
  const url = await createPostgresDatabase('nameplate_template');
  outside = connectPostgresDatabase(url);
  const start = () =>
    startTestApp({ publicUrl: 'https://example.org' }, connectPostgresDatabase(url));
  servers = [await start(), await start()];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await outside.close();
});

let count = 0;

async function publish(): Promise<{ account: TestAccount; name: string }> {
  const account = await servers[0].createAccount();
  count += 1;
  const name = `potter-${count}`;
  await account.client.account.updateDisplayName({ display_name: name });
  await account.client.site.updateSiteConfiguration({ bio: 'before' });
  await account.client.site.toggleSiteVisibility();
  return { account, name };
}

async function get(name: string, { app } = servers[0]) {
  const response = await app.inject({ method: 'GET', url: `/@${name}` });
  const { 'x-request-id': _id, date: _date, ...headers } = response.headers;
  return { status: response.statusCode, headers, body: response.body };
}

const getEverywhere = (name: string) => Promise.all(servers.map((server) => get(name, server)));

const toggle = ({ id }: TestAccount) => toggleSite(outside.db, id);

/** Runs `work` while a table is locked against reads. */
async function whileLocked(
  table: keyof Database,
  work: (trx: Transaction<Database>) => Promise<void>,
): Promise<void> {
  await outside.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(trx);
    await work(trx);
  });
}

describe('a page that is hidden during a request', () => {
  it.each(['never asked for before', 'kept, and changed since'])(
    'gets 404 if it had not been read yet: %s',
    async (how) => {
      const { account, name } = await publish();
      if (how !== 'never asked for before') {
        await getEverywhere(name);
        await account.client.site.updateSiteConfiguration({ bio: 'between' });
      }
      let answers: ReturnType<typeof getEverywhere> | undefined;
      await whileLocked('blocks', async (trx) => {
        answers = getEverywhere(name);
        await waitForBlockedQuery(trx);
        expect(await toggle(account)).toBe(false);
      });
      const absent = await get('nobody-at-all');
      expect(absent.status).toBe(404);
      expect(await answers).toEqual([absent, absent]);
    },
  );

  it('gets 404 for later requests, even while earlier ones are still waiting', async () => {
    const { account, name } = await publish();
    const project = await servers[0].createProject(account);
    await account.client.site.updateSiteConfiguration({
      blocks: [{ type: 'metric', project }],
    });
    await whileLocked('metrics', async (trx) => {
      // The page was read and waits for its numbers.
      const before = getEverywhere(name);
      await waitForBlockedQuery(trx);
      expect(await toggle(account)).toBe(false);
      expect((await getEverywhere(name)).map(({ status }) => status)).toEqual([404, 404]);
      for (const { status, body } of await before)
        if (status !== 404) expect(body).toContain('before');
      expect((await getEverywhere(name)).map(({ status }) => status)).toEqual([404, 404]);
    });
    expect((await getEverywhere(name)).map(({ status }) => status)).toEqual([404, 404]);
    await account.client.site.updateSiteConfiguration({ bio: 'after' });
    expect(await toggle(account)).toBe(true);
    for (const { body } of await getEverywhere(name)) expect(body).toContain('after');
  });
});
