import { closeSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPages } from '../../db/queries/public-sites.ts';
import { type AboutRendered, SitePages } from '../../server/pages/site/site-pages.ts';
import { SpillFile, openNameless } from '../../server/pages/site/spill-file.ts';
import { Figures } from '../../server/service/metrics/figures.ts';
import { eventually } from '../support/eventually.ts';
import { type TestApp, startTestApp } from '../support/test-app.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

let count = 0;

async function publish() {
  const account = await server.createAccount();
  count += 1;
  const name = `potter-${count}`;
  await account.client.account.updateDisplayName({ display_name: name });
  await account.client.site.toggleSiteVisibility();
  return { account, name };
}

function open(maxBytes?: number, spilled?: SpillFile<AboutRendered>) {
  const { db, reads } = server.database;
  const pages = new SitePages({
    spilled,
    reads,
    figures: new Figures({ reads, aggregates: db, onError: () => {} }),
    mailDomain: 'nameplate.example',
    noindexDays: 0,
    abuseContact: undefined,
    ...(maxBytes !== undefined && { maxBytes }),
  });
  return (name: string) =>
    pages.find({ name, url: `https://example.org/@${name}`, file: 'page', encoding: 'br' });
}

describe('pages that are kept', () => {
  it('are rendered once for all who ask, until they change', async () => {
    const { account, name } = await publish();
    const find = open();
    const [first, ...others] = await Promise.all([find(name), find(name), find(name)]);
    expect(first).toBeDefined();
    for (const other of [...others, await find(name)]) expect(other).toBe(first);
    await account.client.site.updateSiteConfiguration({ bio: 'changed' });
    const [changed, ...again] = await Promise.all([find(name), find(name), find(name)]);
    expect(changed).not.toBe(first);
    for (const other of [...again, await find(name)]) expect(other).toBe(changed);
  });

  it('change with where mail goes, which is no change of a site', async () => {
    const { account, name } = await publish();
    const blocks = [{ type: 'contact', forwarding: true, email: 'jane@example.com' }];
    await account.client.site.updateSiteConfiguration({ blocks });
    const find = open();
    const shows = async () =>
      brotliDecompressSync((await find(name))!.representation.body).includes(
        `${name}@nameplate.example`,
      );
    const confirm = (confirmed: boolean) =>
      server.database.db
        .updateTable('profiles')
        .set({
          forwarding_email: 'jane@example.com',
          forwarding_enabled: true,
          forwarding_confirmed: confirmed,
        })
        .where('account_id', '=', account.id)
        .execute();
    expect(await shows()).toBe(false);
    await confirm(true);
    expect(await shows()).toBe(true);
    await confirm(false);
    expect(await shows()).toBe(false);
  });

  it('stay while one changes all the time: of each there is one', async () => {
    const [quiet, busy] = [await publish(), await publish()];
    const find = open(30_000);
    const kept = await find(quiet.name);
    for (let change = 0; change < 20; change += 1) {
      await busy.account.client.site.updateSiteConfiguration({ bio: `change ${change}` });
      await find(busy.name);
    }
    expect(await find(quiet.name)).toBe(kept);
  });

  it('leave when there is no more room, the one that was asked for longest ago first', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, () => publish()));
    const find = open(30_000);
    const [first, second] = [await find(names[0]!.name), await find(names[1]!.name)];
    for (const { name } of names.slice(2)) {
      await find(name);
      expect(await find(names[0]!.name)).toBe(first);
    }
    expect(await find(names[1]!.name)).not.toBe(second);
  });
});

describe('pages that have no room in memory', () => {
  /** Memory has room for some six pages; `leave` pushes out all but the last of them. */
  async function openSpilling(path = '/var/tmp') {
    const handle = path.startsWith('/dev/')
      ? await openFile(path, 'r+')
      : (await openNameless([path], 1_000_000))!;
    const spilled = new SpillFile<AboutRendered>(handle, 1_000_000, () => {});
    files.push(spilled);
    const find = open(20_000, spilled);
    const leave = async () => {
      for (const { name } of await others) await find(name);
    };
    return { find, leave, handle, spilled };
  }
  const files: SpillFile<AboutRendered>[] = [];
  let others: ReturnType<typeof publishMany>;
  const publishMany = () => Promise.all(Array.from({ length: 20 }, () => publish()));
  beforeAll(async () => {
    others = publishMany();
    await others;
  });
  afterAll(async () => {
    for (const file of files) await file.close().catch(() => {});
  });

  it('are found in the file as they were, without being rendered', async () => {
    const { name } = await publish();
    const { find, leave } = await openSpilling();
    const first = await find(name);
    await leave();
    const again = await find(name);
    expect(again).not.toBe(first);
    expect(again).toMatchObject({ isSpilled: true, representation: first!.representation });
    // One of eight takes a place in memory.
    const found = [again];
    for (let turn = 0; turn < 8; turn += 1) found.push(await find(name));
    expect(new Set(found).size).toBe(8);
    expect(found.at(-1)).toBe(found.at(-2));
    await leave();
    expect((await find(name))!.representation).toEqual(first!.representation);
  });

  it('are not found as they were when they have changed', async () => {
    const { name, account } = await publish();
    const { find, leave } = await openSpilling();
    const first = await find(name);
    await leave();
    await account.client.site.updateSiteConfiguration({ bio: 'changed' });
    const changed = await find(name);
    expect(changed).toMatchObject({ isSpilled: false });
    expect(brotliDecompressSync(changed!.representation.body).toString()).toContain('changed');
    expect(changed!.representation.tag).not.toBe(first!.representation.tag);
    await leave();
    expect((await find(name))!.representation).toEqual(changed!.representation);
  });

  it('are not found while they are hidden, nor under a name that was left', async () => {
    const { name, account } = await publish();
    const { find, leave } = await openSpilling();
    await find(name);
    await leave();
    await account.client.site.toggleSiteVisibility();
    expect(await find(name)).toBeUndefined();
    await account.client.site.toggleSiteVisibility();
    await find(name);
    await leave();
    await account.client.account.updateDisplayName({ display_name: `${name}-renamed` });
    expect(await find(name)).toBeUndefined();
    expect(await find(`${name}-renamed`)).toMatchObject({ isSpilled: false });
  });

  it('are not found any more when it is time to show something else', async () => {
    const { name, account } = await publish();
    const until = new Date(Date.now() + 60_000).toISOString();
    await account.client.site.updateSiteConfiguration({
      blocks: [{ type: 'link', url: 'https://example.org/soon-over', until }],
    });
    const { find, leave } = await openSpilling();
    const text = async () =>
      brotliDecompressSync((await find(name))!.representation.body).toString();
    expect(await text()).toContain('soon-over');
    await leave();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    try {
      expect(await text()).not.toContain('soon-over');
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['is on a full disk', '/dev/full', () => Promise.resolve()],
    [
      'cannot be read',
      '/var/tmp',
      ({ handle }: { handle: FileHandle }) => Promise.resolve(closeSync(handle.fd)),
    ],
    ['was spoiled', '/var/tmp', ({ handle }: { handle: FileHandle }) => handle.truncate(0)],
  ])('are rendered where the file %s', async (_how, path, spoil) => {
    const { name } = await publish();
    const { find, leave, handle, spilled } = await openSpilling(path);
    const first = await find(name);
    await leave();
    // A part is written when it is full, and the one after it when that is done.
    const other = { about: {} as AboutRendered, bytes: Buffer.alloc(10_000) };
    for (let at = 0; at < 60; at += 1)
      while (!(spilled.set(`other ${at}`, other) || spilled.isClosed)) await sleep(1);
    await spoil({ handle });
    const again = await find(name);
    expect(again).toMatchObject({ isSpilled: false, representation: first!.representation });
    expect(spilled.size).toBe(0);
  });
});

describe('a page that is asked for often', () => {
  it('is compressed once more, and better, and says the same under the same tag', async () => {
    const { name } = await publish();
    const find = open();
    const first = (await find(name))!.representation;
    await find(name);
    const again = async () => (await find(name))!.representation;
    const better = await eventually(again, ({ body }) => body.length < first.body.length);
    expect({ ...better, body: brotliDecompressSync(better.body) }).toEqual({
      ...first,
      body: brotliDecompressSync(first.body),
    });
  });
});

describe('the look-up of names', () => {
  it('is one statement with all that a page shows which is asked for the first time', async () => {
    const { name } = await publish();
    const before = server.queryCount();
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => server.app.inject({ url: `/@${name}` })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    // Or two: what is counted of views may be written meanwhile.
    expect(server.queryCount() - before).toBeLessThanOrEqual(2);
  });

  it.each(['', '/page.json'])('is one statement after a change, too: of /@name%s', async (file) => {
    const { account, name } = await publish();
    // Not counted as a view, which would be written down at some time.
    const request = { url: `/@${name}${file}`, headers: { 'sec-purpose': 'prefetch' } };
    const first = await server.app.inject(request);
    await account.client.site.updateSiteConfiguration({ bio: 'another one' });
    const before = server.queryCount();
    const second = await server.app.inject(request);
    expect(server.queryCount() - before).toBe(1);
    expect(first.body).not.toContain('another one');
    expect(second.body).toContain('another one');
  });

  it('is one statement for all that are asked for at once', async () => {
    const names = await Promise.all(Array.from({ length: 5 }, () => publish()));
    const get = () =>
      Promise.all(names.map(({ name }) => server.app.inject({ url: `/@${name}/qr.svg` })));
    await get();
    const before = server.queryCount();
    for (const { statusCode } of await get()) expect(statusCode).toBe(200);
    expect(server.queryCount() - before).toBeLessThanOrEqual(2);
  });

  it('is planned once, for however many', async () => {
    const { db, close } = connectPostgresDatabase(server.database.url, { max: 1 });
    await sql`WITH made AS (INSERT INTO accounts SELECT FROM generate_series(1, 2000) RETURNING id),
        named AS (INSERT INTO display_names (name, account_id)
          SELECT 'other-' || row_number() OVER (), id FROM made)
      INSERT INTO sites (account_id, enabled) SELECT id, true FROM made`.execute(db);
    await sql`ANALYZE accounts, display_names, sites`.execute(db);
    for (let round = 0; round < 20; round += 1)
      await findPages(
        db,
        Array.from({ length: 1 + (round % 7) }, (_, at) => `name-${at}`),
      );
    const { rows } = await sql<{ planned: string }>`SELECT max(custom_plans) AS planned
      FROM pg_prepared_statements WHERE statement LIKE '%display_names%'`.execute(db);
    await close();
    // PostgreSQL looks at the first five before it decides.
    expect(rows).toEqual([{ planned: '5' }]);
  });
});
