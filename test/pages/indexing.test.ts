import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createPage } from '../support/publish-page.ts';
import { type TestApp, startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

let withoutDelay: TestApp;
const { server } = useServer({ TRUST_ACCOUNTS: 'false' });
beforeAll(async () => {
  withoutDelay = await startTestApp({ TRUST_ACCOUNTS: 'true' }, server.database);
});
afterAll(async () => {
  await withoutDelay.app.close();
});

/** Publishes a page of an account that will be a week old in `seconds`. */
async function publish(seconds: number, block?: { type: 'page'; indexing: boolean }) {
  const { account, name } = await createPage(server, { blocks: block ? [block] : [] });
  const createdAt = sql`now() - interval '7 days' + ${seconds} * interval '1 second'`;
  await sql`UPDATE accounts SET created_at = ${createdAt} WHERE id = ${account.id}`.execute(
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
  newPage: Awaited<ReturnType<typeof get>>;
}

const NOINDEX = { header: 'noindex', element: 'noindex' };
const INDEXABLE = { header: undefined, element: undefined };

describe('search engines', () => {
  it('must not index the page of an account that is younger than a week', async () => {
    expect(await get(await publish(3_600))).toMatchObject(NOINDEX);
    expect(await get(await publish(-1))).toMatchObject(INDEXABLE);
  });

  it('must not index its JSON and contact card either', async () => {
    const [newUrl, oldUrl] = [await publish(3_600), await publish(-1)];
    for (const file of ['page.json', 'card.vcf']) {
      expect((await get(`${newUrl}/${file}`)).header).toBe('noindex');
      expect((await get(`${oldUrl}/${file}`)).header).toBeUndefined();
    }
  });

  it('may index every page if NOINDEX_DAYS is 0', async () => {
    expect(await get(await publish(3_600), withoutDelay)).toMatchObject(INDEXABLE);
  });

  it('respect the owner’s choice only once the account is a week old', async () => {
    const indexable = { type: 'page', indexing: true } as const;
    expect(await get(await publish(3_600, indexable))).toMatchObject(NOINDEX);
    expect(await get(await publish(-1, indexable))).toMatchObject(INDEXABLE);
    expect(await get(await publish(-1, { type: 'page', indexing: false }))).toMatchObject(NOINDEX);
  });

  it('may index a cached page as soon as the account is a week old, and the ETag changes', async () => {
    // On a slow machine, the account may already be too old. Retry with more time.
    const publishNewPage = async (seconds: number): Promise<CachedPage> => {
      const url = await publish(seconds);
      const newPage = await get(url);
      return newPage.header ? { url, newPage } : publishNewPage(2 * seconds);
    };
    const { url, newPage } = await publishNewPage(1);
    const oldPage = await eventually(
      () => get(url),
      ({ header }) => header === undefined,
    );
    expect([newPage, oldPage]).toMatchObject([NOINDEX, INDEXABLE]);
    expect(oldPage.tag).not.toBe(newPage.tag);
  });
});
