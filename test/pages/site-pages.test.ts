import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findPages } from '#db/queries/public-sites.ts';
import { SitePageCache } from '#server/entry/pages/site/site-page-cache.ts';
import { createPage } from '../support/publish-page.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({ PUBLIC_URL: 'https://example.org', mailEnabled: true });

const publish = () => createPage(server);

function createCache(maxBytes?: number) {
  const pages = new SitePageCache(server.nameplate, maxBytes);
  return async (name: string) => {
    const url = `https://example.org/@${name}`;
    return (await pages.find({ name, url, file: 'page', encoding: 'br' }, () => true))
      ?.representation;
  };
}

it('cached pages are rendered once for all visitors until they change', async () => {
  const { account, name } = await publish();
  const findPage = createCache();
  /** The page that four visitors get, three of them at once. */
  const findCommonPage = async () => {
    const pages = await Promise.all([findPage(name), findPage(name), findPage(name)]);
    expect(new Set([...pages, await findPage(name)]).size).toBe(1);
    return pages[0];
  };
  const first = await findCommonPage();
  expect(first).toBeDefined();
  await account.client.site.updateSiteConfiguration({ bio: 'changed' });
  expect(await findCommonPage()).not.toBe(first);
});

it('cached pages change with the mail destination, although the site does not change', async () => {
  const { account, name } = await publish();
  const blocks = [{ type: 'contact' as const, forwarding: true, email: 'jane@example.com' }];
  await account.client.site.updateSiteConfiguration({ blocks });
  const findPage = createCache();
  const showsAddress = async () =>
    brotliDecompressSync((await findPage(name))!.body).includes(`${name}@nameplate.example`);
  const setConfirmed = (confirmed: boolean) =>
    server.db
      .updateTable('forwarding_settings')
      .set({
        forwarding_email: 'jane@example.com',
        forwarding_enabled: true,
        forwarding_confirmed: confirmed,
      })
      .where('account_id', '=', account.id)
      .execute();
  expect(await showsAddress()).toBe(false);
  await setConfirmed(true);
  expect(await showsAddress()).toBe(true);
  await setConfirmed(false);
  expect(await showsAddress()).toBe(false);
});

it('cached pages are evicted if the cache is full, least recently used first', async () => {
  const names = await Promise.all(Array.from({ length: 20 }, () => publish()));
  const findPage = createCache(30_000);
  const [first, second] = [await findPage(names[0]!.name), await findPage(names[1]!.name)];
  for (const { name } of names.slice(2)) {
    await findPage(name);
    expect(await findPage(names[0]!.name)).toBe(first);
  }
  expect(await findPage(names[1]!.name)).not.toBe(second);
});

it('the lookup of names takes one statement for a page that is requested for the first time', async () => {
  const { name } = await publish();
  const before = server.queryCount();
  const responses = await Promise.all(
    Array.from({ length: 3 }, () => server.app.inject({ url: `/@${name}` })),
  );
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(server.queryCount() - before).toBe(1);
});

it.each(['', '/page.json'])(
  'a change costs one statement at the lookup of /@name%s',
  async (file) => {
    const { account, name } = await publish();
    const request = { url: `/@${name}${file}` };
    const first = await server.app.inject(request);
    await account.client.site.updateSiteConfiguration({ bio: 'another one' });
    const before = server.queryCount();
    const second = await server.app.inject(request);
    expect(server.queryCount() - before).toBe(1);
    expect(first.body).not.toContain('another one');
    expect(second.body).toContain('another one');
  },
);

it('the lookup of names takes one statement for concurrent requests of several pages', async () => {
  const names = await Promise.all(Array.from({ length: 5 }, () => publish()));
  const get = () =>
    Promise.all(names.map(({ name }) => server.app.inject({ url: `/@${name}/qr.svg` })));
  await get();
  const before = server.queryCount();
  for (const { statusCode } of await get()) expect(statusCode).toBe(200);
  expect(server.queryCount() - before).toBeLessThanOrEqual(2);
});

it('the lookup of names uses a generic plan for any number of names', async () => {
  const { db, close } = connectPostgresDatabase(server.database.url, { max: 1 });
  await sql`WITH made AS (INSERT INTO accounts SELECT FROM generate_series(1, 2000) RETURNING id),
        named AS (INSERT INTO display_names (name, account_id)
          SELECT 'other-' || row_number() OVER (), id FROM made)
      INSERT INTO sites (account_id, enabled) SELECT id, true FROM made`.execute(db);
  await sql`ANALYZE accounts, display_names, sites`.execute(db);
  for (let run = 0; run < 20; run += 1)
    await findPages(
      db,
      Array.from({ length: 1 + (run % 7) }, (_, index) => `name-${index}`),
    );
  const { rows } = await sql<{ planned: string }>`SELECT max(custom_plans) AS planned
      FROM pg_prepared_statements WHERE statement LIKE '%display_names%'`.execute(db);
  await close();
  // After five executions with custom plans, PostgreSQL has switched to a generic plan.
  expect(rows).toEqual([{ planned: '5' }]);
});
