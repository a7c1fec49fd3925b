import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createPage } from '../support/publish-page.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({ TRUST_ACCOUNTS: 'false' });

async function publish(seconds: number, block?: { type: 'page'; indexing: boolean }) {
  const { account, name } = await createPage(server, { blocks: block ? [block] : [] });
  const createdAt = sql`now() - interval '7 days' + ${seconds} * interval '1 second'`;
  await server.sql`UPDATE accounts SET created_at = ${createdAt} WHERE id = ${account.id}`;
  return `/@${name}`;
}

const accountOf = (url: string) =>
  sql`(SELECT account_id FROM display_names WHERE name = ${url.slice('/@'.length)})`;

async function get(url: string, { app } = server) {
  const { headers, payload } = await app.inject({ url });
  return {
    tag: headers.etag,
    header: headers['x-robots-tag'],
    element: /<meta name="robots" content="([^"]*)"/.exec(payload)?.[1],
  };
}

const NOINDEX = { header: 'noindex', element: 'noindex' };
const INDEXABLE = { header: undefined, element: undefined };

it('search engines must not index the page and files of an account that is younger than a week', async () => {
  const [newUrl, oldUrl] = [await publish(3_600), await publish(-1)];
  expect(await get(newUrl)).toMatchObject(NOINDEX);
  expect(await get(oldUrl)).toMatchObject(INDEXABLE);
  for (const file of ['page.json', 'card.vcf']) {
    expect((await get(`${newUrl}/${file}`)).header).toBe('noindex');
    expect((await get(`${oldUrl}/${file}`)).header).toBeUndefined();
  }
});

it('search engines may index the page of a new account if TRUST_ACCOUNTS is true', async () => {
  const withoutDelay = await openTestApp({ TRUST_ACCOUNTS: 'true' }, server.database);
  expect(await get(await publish(3_600), withoutDelay)).toMatchObject(INDEXABLE);
});

it('search engines respect the owner’s choice only once the account is a week old', async () => {
  const indexable = { type: 'page', indexing: true } as const;
  expect(await get(await publish(3_600, indexable))).toMatchObject(NOINDEX);
  expect(await get(await publish(-1, indexable))).toMatchObject(INDEXABLE);
  expect(await get(await publish(-1, { type: 'page', indexing: false }))).toMatchObject(NOINDEX);
});

it('search engines may index a cached page as soon as the account is a week old, and the ETag changes', async () => {
  // On a slow machine, the account may already be too old. Retry with more time.
  let [url, newPage] = ['', await get('/')];
  for (let seconds = 1; newPage.header === undefined; seconds *= 2) {
    url = await publish(seconds);
    newPage = await get(url);
  }
  const oldPage = await eventually(
    () => get(url),
    ({ header }) => header === undefined,
  );
  expect([newPage, oldPage]).toMatchObject([NOINDEX, INDEXABLE]);
  expect(oldPage.tag).not.toBe(newPage.tag);
});

it('search engines find the pages that are on the front page and may be indexed, at their own address only', async () => {
  const listed = await publish(-1);
  const others = [await publish(3_600), await publish(-1, { type: 'page', indexing: false })];
  const withDomain = await publish(-1);
  const hidden = await publish(-1);
  const notShown = await publish(-1);
  for (const url of [listed, ...others, withDomain, hidden])
    await server.sql`UPDATE sites SET on_front_page = true WHERE account_id = ${accountOf(url)}`;
  await server.sql`UPDATE sites SET enabled = false WHERE account_id = ${accountOf(hidden)}`;
  await server.sql`
      INSERT INTO domains (account_id, domain, token, redirect, verified_at, points_here)
      VALUES (${accountOf(withDomain)}, 'jane.example.net', ${'x'.repeat(22)}, true, now(), true)`;
  const { headers, payload } = await server.app.inject({ url: '/sitemap.xml' });
  expect(headers['content-type']).toBe('application/xml; charset=utf-8');
  const found = [...payload.matchAll(/<loc>[^<]*(\/@[^<]*)<\/loc>/g)].map(([, path]) => path);
  expect(payload).toContain(
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<url><loc>',
  );
  expect(found).toContain(listed);
  for (const url of [...others, withDomain, hidden, notShown]) expect(found).not.toContain(url);
});

it.each([
  ['has the front page', {}, 'example.org', 200, ['https://example.org/']],
  ['is missing without one', { HOME_URL: 'https://club.example/' }, 'example.org', 404, []],
  ['has no other host', { PAGES_URL: 'https://pages.example' }, 'pages.example', 404, []],
])(
  'search engines find a valid sitemap on a server without listed pages: it %s',
  async (_what, settings, host, status, urls) => {
    const { app } = await openTestApp({ PUBLIC_URL: 'https://example.org', ...settings });
    const response = await app.inject({ url: '/sitemap.xml', headers: { host } });
    expect(response.statusCode).toBe(status);
    const found = [...response.payload.matchAll(/<loc>(.*?)<\/loc>/g)];
    expect(found.map(([, url]) => url)).toEqual(urls);
  },
);
