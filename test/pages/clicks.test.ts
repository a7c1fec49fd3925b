import { expect, it } from 'vitest';
import { listPageVisits } from '#db/queries/page-visits.ts';
import { addKeeper } from '../support/endpoints.ts';
import { BROWSER_USER_AGENT, createPage, toComparable } from '../support/publish-page.ts';
import { logIn } from '../support/session.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const SHOP_URL = 'https://shop.example/?a=1&b=2';
const CLICK_HEADERS = {
  'user-agent': BROWSER_USER_AGENT,
  'content-type': 'text/ping',
  origin: 'null',
  'ping-from': 'http://localhost/@jane',
  'ping-to': SHOP_URL,
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'no-cors',
  'sec-fetch-site': 'same-origin',
};

const { server } = useServer();

const BLOCKS = [
  { type: 'link', url: SHOP_URL, title: 'Shop' },
  { type: 'social', items: [{ url: 'https://social.example/@jane', label: 'Social' }] },
  {
    type: 'text',
    content: 'See [my notes](https://notes.example/ünö)',
  },
  { type: 'image', url: 'https://i.example/a.png', alt: 'A', link: 'https://gallery.example/' },
  { type: 'link', url: `https://long.example/${'x'.repeat(1_000)}`, title: 'Long' },
  { type: 'contact', email: 'jane@jane.example' },
];

const publishPage = async (name: string, blocks: object[] = BLOCKS) =>
  (await createPage(server, { blocks: blocks as never }, name)).account;

/** Starts another server, which stores its counts when it is closed. */
async function openServer(overrides: Parameters<typeof startTestApp>[0] = {}) {
  const { app } = await startTestApp(overrides, server.database);
  return {
    close: () => app.close(),
    page: (name: string) => app.inject({ url: `/@${name}` }),
    click: async (
      name: string,
      changes: Record<string, string | undefined> = {},
      payload = 'PING',
    ) => {
      // Omits undefined headers.
      const headers = JSON.parse(JSON.stringify({ ...CLICK_HEADERS, ...changes })) as object;
      const request = { method: 'POST', url: `/@${name}/click`, payload, headers } as const;
      return toComparable(await app.inject({ ...request, headers: { ...headers } }));
    },
  };
}

/** Click counts by link URL. The key of the total is empty. */
async function readClicks({ id }: TestAccount): Promise<Record<string, number>> {
  const clicks: Record<string, number> = {};
  for await (const batch of listPageVisits(server.db, id))
    for (const { kind, value, count } of batch)
      if (kind === 'click' || kind === 'link') clicks[value] = count;
  return clicks;
}

it('clicks on the links of a page are sent by links to other sites, and the CSP allows that', async () => {
  await publishPage('pings');
  await publishPage('no-links', [{ type: 'text', content: 'Hello!' }]);
  const { page, close } = await openServer();
  const { payload, headers } = await page('pings');
  const linksWithPing = [...payload.matchAll(/href="([^"]*)" rel="[^"]*" ping="([^"]*)"/g)];
  expect(linksWithPing.map(([, href]) => href)).toEqual([
    'https://shop.example/?a=1&amp;b=2',
    'https://social.example/@jane',
    'https://notes.example/%C3%BCn%C3%B6',
    'https://gallery.example/',
  ]);
  expect(new Set(linksWithPing.map(([, , path]) => path))).toEqual(new Set(['/@pings/click']));
  expect(payload.split(' ping=')).toHaveLength(5);
  expect(headers['content-security-policy']).toContain("connect-src 'self'");
  const pageWithoutLinks = await page('no-links');
  expect(pageWithoutLinks.payload).not.toContain('ping=');
  expect(pageWithoutLinks.headers['content-security-policy']).not.toContain('connect-src');
  await close();
});

it('clicks on the links of a page are counted by URL, and get a 204 without cookies', async () => {
  const jane = await publishPage('jane');
  const { click, close } = await openServer();
  const response = await click('jane');
  expect(response).toMatchObject({ status: 204, body: Buffer.of() });
  expect(response.headers).not.toHaveProperty('set-cookie');
  await click('jane', { 'ping-to': 'https://notes.example/%C3%BCn%C3%B6' });
  await click('JANE');
  // Old browsers send no fetch metadata, nor does any browser over plain HTTP.
  await click('jane', { 'sec-fetch-site': undefined, host: 'localhost' });
  await close();
  expect(await readClicks(jane)).toEqual({
    '': 4,
    [SHOP_URL]: 3,
    'https://notes.example/%C3%BCn%C3%B6': 1,
  });
});

it('clicks on the links of a page get the same response even if the page or link does not exist', async () => {
  const visibleOwner = await publishPage('known');
  const hiddenOwner = await publishPage('hidden');
  await hiddenOwner.client.site.toggleSiteVisibility();
  const { click, close } = await openServer();
  const response = await click('known');
  for (const [name, headers] of [
    ['unknown', {}],
    ['hidden', {}],
    ['n', {}],
    ['known', { 'ping-to': 'https://other.example/' }],
    ['known', { 'ping-to': 'javascript:alert(1)' }],
    ['known', { 'ping-to': `https://long.example/${'x'.repeat(1_000)}` }],
    ['known', { 'ping-to': undefined }],
  ] as const)
    expect(await click(name, headers)).toEqual(response);
  await close();
  expect(await readClicks(visibleOwner)).toEqual({ '': 1, [SHOP_URL]: 1 });
  expect(await readClicks(hiddenOwner)).toEqual({});
});

it.each<Record<string, string | undefined>>([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  // The address bar
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': undefined, 'ping-from': 'https://evil.example/' },
  { 'sec-fetch-site': undefined, 'ping-from': undefined },
  { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
  { 'user-agent': undefined },
])('clicks on the links of a page are not counted with the headers %j', async (headers) => {
  const name = `from-${crypto.randomUUID()}`;
  const account = await publishPage(name);
  const { click, close } = await openServer();
  expect(await click(name, headers)).toEqual(await click('unknown'));
  await close();
  expect(await readClicks(account)).toEqual({});
});

it('clicks on the links of a page are not counted from the owner and keepers', async () => {
  const [owner, otherAccount] = [await publishPage('owned'), await server.createAccount()];
  const { account_id: keeper } = await addKeeper(server, owner);
  const { click, close } = await openServer();
  for (const id of [owner.id, keeper])
    await click('owned', { cookie: (await logIn(server, id))['cookie'] });
  await click('owned', { cookie: (await logIn(server, otherAccount.id))['cookie'] });
  await close();
  expect(await readClicks(owner)).toEqual({ '': 1, [SHOP_URL]: 1 });
});

it('clicks on the links of a page are counted up to a limit per network, and get the same response beyond it', async () => {
  const account = await publishPage('flooded');
  const { click, close } = await openServer({
    rateLimitOptions: { requestsPerMinute: 0, clicksPerMinute: 3 },
  });
  const responses = [];
  for (let index = 0; index < 5; index += 1) responses.push(await click('flooded'));
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  await close();
  expect(await readClicks(account)).toEqual({ '': 3, [SHOP_URL]: 3 });
});

it('clicks on the links of a page are counted without reading the body, whatever its size', async () => {
  const account = await publishPage('large-body');
  const { click, close } = await openServer();
  expect((await click('large-body', {}, 'P'.repeat(5_000_000))).status).toBe(204);
  await close();
  expect(await readClicks(account)).toEqual({ '': 1, [SHOP_URL]: 1 });
});

it('clicks on the links of a page are neither sent nor counted while visit counting is off', async () => {
  const account = await publishPage('uncounted');
  const { page, click, close } = await openServer();
  expect((await page('uncounted')).payload).toContain(' ping=');
  await server.sql`UPDATE sites SET counts_visits = false WHERE account_id = ${account.id}`;
  const { payload, headers } = await page('uncounted');
  expect(payload).not.toContain('ping=');
  expect(headers['content-security-policy']).not.toContain('connect-src');
  await click('uncounted');
  await close();
  expect(await readClicks(account)).toEqual({});
});
