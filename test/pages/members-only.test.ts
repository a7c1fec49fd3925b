import { expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { addPicture } from '../support/pictures.ts';
import { createPage, toComparable } from '../support/publish-page.ts';
import { logIn } from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({ PUBLIC_URL: 'https://example.org', mailEnabled: true });

const EVENT = { type: 'event' as const, title: 'Regatta', starts_at: '2027-05-01T10:00' };

async function createMembersPage(site = {}) {
  const page = await createPage(server, { bio: 'For the crew', ...site });
  await page.account.owner.page.updatePageVisibility({ visible: false, members: true });
  return page;
}

async function cookieOf(accountId: string) {
  return (await logIn(server, accountId))['cookie']!;
}

it('a page for members is there for everybody who is signed in, and a 404 for others', async () => {
  const { account, name } = await createMembersPage({ blocks: [EVENT, EVENT] });
  const [member, former] = [await server.createAccount(), await server.createAccount()];
  const cookie = await cookieOf(member.id);
  const formerCookie = await cookieOf(former.id);
  await setSuspended(server, former.id);
  const get = (path: string, headers = {}) => server.app.inject({ url: path, headers });
  const getUnknown = async (path = '') => toComparable(await get(`/@nobody-is-here${path}`));
  const unknown = await getUnknown();
  for (const path of ['', '/', '/card.png', '/feed.xml', '/events.ics', '/page.json', '/report'])
    for (const headers of [
      {},
      { cookie: formerCookie },
      { authorization: `Bearer ${account.key}` },
    ])
      expect(toComparable(await get(`/@${name}${path}`, headers)), path).toEqual(
        await getUnknown(path),
      );
  expect(toComparable(await get(`/@${name.toUpperCase()}`))).toEqual(unknown);

  for (const reader of [cookie, await cookieOf(account.id)]) {
    const response = await get(`/@${name}`, { cookie: reader });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({ 'cache-control': 'private, no-store, no-transform' });
    expect(response.headers['vary']).toMatch(/\bcookie\b/);
    expect(response.body).toContain('For the crew');
    expect(response.body).toContain('Calendar apps cannot subscribe');
    expect(response.body).toContain('<meta name="robots" content="noindex"');
    expect(response.body).not.toMatch(/og:|card\.png|feed\.xml|ld\+json/);
  }
  // Rendering it for a member does not show it to others.
  expect(toComparable(await get(`/@${name}`))).toEqual(unknown);
  for (const path of [
    '/share',
    '/qr.svg',
    '/qr.png',
    '/card.vcf',
    '/events.ics',
    '/feed.xml',
    '/report',
  ])
    expect((await get(`/@${name}${path}`, { cookie })).statusCode, path).toBe(200);
  for (const path of ['/card.png', '/page.json'])
    expect((await get(`/@${name}${path}`, { cookie })).statusCode, path).toBe(404);
});

it('a page for members is not listed, and its pictures are for members, too', async () => {
  const { account, name } = await createMembersPage();
  await account.owner.page.updateFrontPage({ visible: true });
  const picture = await addPicture(server, account);
  const member = await server.createAccount();
  const cookie = await cookieOf(member.id);
  for (const path of ['/', '/sitemap.xml', `/${name}`])
    expect((await server.app.inject({ url: path, headers: { cookie } })).body).not.toContain(
      `@${name}`,
    );
  const url = new URL(picture.url, 'https://example.org').pathname;
  expect((await server.app.inject({ url })).statusCode).toBe(404);
  const shown = await server.app.inject({ url, headers: { cookie } });
  expect(shown.statusCode).toBe(200);
  expect(shown.headers['cache-control']).toBe('private, no-store');
});

it('after a link on another site, the 404 page of any name asks again with the cookie', async () => {
  const { name } = await createMembersPage();
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  for (const url of [`/@${name}`, '/@nobody-is-here'])
    expect((await server.app.inject({ url, headers })).headers['refresh']).toBe(`0; url=${url}`);
  const sameSite = { ...headers, 'sec-fetch-site': 'same-origin' };
  const again = await server.app.inject({ url: `/@${name}`, headers: sameSite });
  expect(again.headers).not.toHaveProperty('refresh');
});

it('the public toggle hides a page for members, which reads as not visible', async () => {
  const { account } = await createMembersPage();
  const read = () => account.owner.page.getPageVisibility();
  expect(await read()).toEqual({ visible: false, members: true });
  expect(await account.client.site.getSiteStatus()).toEqual({ enabled: false });
  const states = [];
  for (let count = 0; count < 2; count += 1)
    states.push((await account.client.site.toggleSiteVisibility()).newStatus);
  expect(states).toEqual([false, true]);
  expect(await read()).toEqual({ visible: true, members: false });
  const body = { visible: false };
  expect(
    await send(server, account, 'POST /owner/page/update-page-visibility', body),
  ).toMatchObject(okBody({ visible: false, members: false }));
});

it('a page that a server of 0.2.0 publishes and hides is hidden', async () => {
  const { account } = await createMembersPage();
  for (const enabled of [true, false])
    await server.sql`UPDATE sites SET enabled = ${enabled} WHERE account_id = ${account.id}`;
  expect(await account.owner.page.getPageVisibility()).toEqual({ visible: false, members: false });
});

it('a host for pages alone has no page for members', async () => {
  const app = await openTestApp({
    PUBLIC_URL: 'https://example.org',
    PAGES_URL: 'https://pages.example.net',
  });
  const account = await app.createAccount();
  const request = { visible: false, members: true };
  expect(
    await send(app, account, 'POST /owner/page/update-page-visibility', request),
  ).toMatchObject(errorText(409, expect.stringContaining('cannot tell who is signed in')));
});
