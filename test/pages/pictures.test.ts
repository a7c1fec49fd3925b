import { beforeAll, expect, it } from 'vitest';
import { setSuspended } from '#db/queries/accounts.ts';
import { setPageSuspended } from '#db/queries/public-sites.ts';
import { pictureOf } from '#page/fields/picture.ts';
import { send } from '../support/call.ts';
import { addPicture } from '../support/pictures.ts';
import { createPage, toComparable } from '../support/publish-page.ts';
import { logIn } from '../support/session.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({ PUBLIC_URL: 'https://names.example.org' });

/** Creates an account with a visible page and a picture. */
async function publish(picture = {}) {
  const page = await createPage(server);
  const { url, id } = await addPicture(server, page.account, picture);
  return { ...page, url, id, path: new URL(url).pathname };
}

const get = async (url: string, headers: Record<string, string> = {}) =>
  toComparable(await server.app.inject({ url, headers }));

let notFound: Awaited<ReturnType<typeof get>>;
beforeAll(async () => {
  notFound = await get(`/pictures/${'x'.repeat(22)}-1x1/512.webp`);
});

it('the URL of a picture is absolute and outlives the display name, and other sites may embed it', async () => {
  const { account, url, path } = await publish();
  expect(url).toMatch(/^https:\/\/names\.example\.org\/pictures\/[\w-]{22}-600x400\/1200\.webp$/);
  await account.client.account.updateDisplayName({ display_name: 'renamed-painter' });
  const picture = await get(path);
  expect(picture).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=86400, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    },
  });
  const cached = await get(path, { 'if-none-match': String(picture.headers.etag) });
  expect([cached.status, cached.body.length]).toEqual([304, 0]);
});

it.each([
  '/pictures/x/512.webp',
  '/pictures/x/99.webp',
  '/pictures/../512.webp',
  `/pictures/${'x'.repeat(22)}-1x1/99.webp`,
  `/pictures/${'x'.repeat(22)}-0x0/512.webp`,
])('%s returns 404', async (path) => {
  expect(await get(path)).toMatchObject({ status: 404 });
});

it.each([
  ['is hidden', ({ client }: TestAccount) => client.site.toggleSiteVisibility()],
  [
    'is suspended',
    ({ id }: TestAccount) =>
      server.db.transaction().execute((trx) => setPageSuspended(trx, id, 'Spam')),
  ],
] as const)(
  'if the page %s, its pictures are a 404 except to the owner and keepers',
  async (_title, hidePage) => {
    const { account, path } = await publish();
    await get(path);
    const owner = await logIn(server, account.id);
    await hidePage(account);
    expect(await get(path)).toEqual(notFound);
    const person = await server.createAccount();
    const session = await logIn(server, person.id);
    expect(await get(path, session)).toEqual(notFound);
    await server.sql`INSERT INTO keepers (account_id, keeper_id) VALUES (${account.id}, ${person.id})`;
    for (const headers of [owner, session])
      expect(await get(path, headers)).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'private, no-cache' },
      });
  },
);

it('if an account is suspended, its pictures return 404 to everyone', async () => {
  const { account, path } = await publish();
  const owner = await logIn(server, account.id);
  await server.db.transaction().execute((trx) => setSuspended(trx, account.id, null));
  expect(await get(path)).toEqual(notFound);
  expect(await get(path, owner)).toEqual(notFound);
});

it('a deleted picture returns 404', async () => {
  const { account, id, path } = await publish();
  await get(path);
  await send(server, account, 'POST /owner/pictures/delete-picture', { picture_id: id });
  expect(await get(path)).toEqual(notFound);
});

it('a page loads pictures with relative URLs, a srcset, and their width and height', async () => {
  const { account, name, url, id } = await publish({ width: 1_600, height: 800 });
  await account.client.site.updateSiteConfiguration({
    avatar_url: url,
    blocks: [{ type: 'image', url, alt: 'A field', width: 5, height: 5 }],
  });
  const page = String((await get(`/@${name}`)).body);
  const images = [...page.matchAll(/<img[^>]*srcset[^>]*>/g)].map(([tag]) => tag);
  const srcset = `/pictures/${id}/96.webp 96w, /pictures/${id}/512.webp 512w, /pictures/${id}/1200.webp 1200w`;
  // The profile and the block.
  expect(images).toHaveLength(2);
  for (const image of images) {
    expect(image).toContain(`src="/pictures/${id}/1200.webp"`);
    expect(image).toContain(`srcset="${srcset}"`);
  }
  expect(page).toMatch(/alt="A field"\s+width="1200" height="600"/);
});

it('the srcset of a small picture uses its real width', () => {
  const picture = pictureOf(`https://example.org/pictures/${'x'.repeat(22)}-300x60/96.webp`);
  const path = `/pictures/${'x'.repeat(22)}-300x60`;
  expect(picture).toEqual({
    src: `${path}/1200.webp`,
    srcset: `${path}/96.webp 96w, ${path}/512.webp 300w`,
    size: { width: 300, height: 60 },
  });
});

it.each([
  'https://example.com/jane.png',
  'https://example.com/pictures/jane/512.webp',
  `https://example.com/pictures/${'x'.repeat(22)}-300x60/99.webp`,
])('the external picture %s has no srcset', (url) => {
  expect(pictureOf(url)).toEqual({ src: url, srcset: undefined, size: undefined });
});
