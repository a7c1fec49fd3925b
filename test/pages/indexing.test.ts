import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type TestApp, startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

let listing: TestApp;
const { server } = useServer({ noindexDays: 7 });
beforeAll(async () => {
  listing = await startTestApp({ noindexDays: 0 }, server.database);
});
afterAll(async () => {
  await listing.app.close();
});

let count = 0;

/** Publishes a page whose account becomes a week old in this many seconds. */
async function publish(seconds: number, block?: { type: 'page'; indexing: boolean }) {
  const { id, client } = await server.createAccount();
  count += 1;
  const name = `potter-${count}`;
  await client.account.updateDisplayName({ display_name: name });
  await client.site.updateSiteConfiguration({ bio: 'Potter', blocks: block ? [block] : [] });
  await client.site.toggleSiteVisibility();
  const createdAt = sql`now() - interval '7 days' + ${seconds} * interval '1 second'`;
  await sql`UPDATE accounts SET created_at = ${createdAt} WHERE id = ${id}`.execute(
    server.database.db,
  );
  return `/@${name}`;
}

async function get(url: string, { app } = server) {
  const { headers, payload } = await app.inject({ url });
  return {
    tag: headers.etag,
    header: headers['x-robots-tag'],
    element: /<meta name="robots" content="([^"]*)"/.exec(payload)?.[1],
  };
}

interface CachedPage {
  url: string;
  young: Awaited<ReturnType<typeof get>>;
}

const NOINDEX = { header: 'noindex', element: 'noindex' };
const LISTED = { header: undefined, element: undefined };

describe('search engines', () => {
  it('must not index the page of an account that is younger than a week', async () => {
    expect(await get(await publish(3_600))).toMatchObject(NOINDEX);
    expect(await get(await publish(-1))).toMatchObject(LISTED);
  });

  it('must not index its JSON and its contact card either', async () => {
    const [young, old] = [await publish(3_600), await publish(-1)];
    for (const file of ['page.json', 'card.vcf']) {
      expect((await get(`${young}/${file}`)).header).toBe('noindex');
      expect((await get(`${old}/${file}`)).header).toBeUndefined();
    }
  });

  it('may index every page on an instance that trusts all accounts', async () => {
    expect(await get(await publish(3_600), listing)).toMatchObject(LISTED);
  });

  it('get the owner’s choice only once the account is old enough', async () => {
    const indexable = { type: 'page', indexing: true } as const;
    expect(await get(await publish(3_600, indexable))).toMatchObject(NOINDEX);
    expect(await get(await publish(-1, indexable))).toMatchObject(LISTED);
    expect(await get(await publish(-1, { type: 'page', indexing: false }))).toMatchObject(NOINDEX);
  });

  it('may index a cached page as soon as the account is old enough, with a new ETag', async () => {
    // Retries with more time if a slow machine missed the moment.
    const lookAt = async (seconds: number): Promise<CachedPage> => {
      const url = await publish(seconds);
      const young = await get(url);
      return young.header ? { url, young } : lookAt(2 * seconds);
    };
    const { url, young } = await lookAt(1);
    const old = await eventually(
      () => get(url),
      ({ header }) => header === undefined,
    );
    expect([young, old]).toMatchObject([NOINDEX, LISTED]);
    expect(old.tag).not.toBe(young.tag);
  });
});
