import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { otherKind } from '#client/index.ts';
import { setSuspended } from '#db/queries/accounts.ts';
import { updateDomain } from '#db/queries/domains.ts';
import { setPageSuspended } from '#db/queries/public-sites.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { publishPage } from '../support/publish-page.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { expectNoEndpoints } from './support/no-endpoints.ts';

const SERVER_HOST = 'names.example.org';
const DOMAIN = 'jane.example';
const SHOP_URL = 'https://shop.example/';
const DID = 'did:plc:z72i7hdynmk6r22z27h6tvur';
const BLOCK_ID = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';
const EVENT_ID = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b21';

const { server, account: jane } = useServer({
  account: true,
  PUBLIC_URL: `https://${SERVER_HOST}`,
});
beforeAll(async () => {
  const projectId = await server.createProject(jane);
  await jane.client.stats.ingestMetrics({ projectId, payload: { visitors: 7 } });
  await publishPage(jane, 'jane-doe', {
    bio: 'Potter.',
    blocks: [
      { id: BLOCK_ID, type: 'metric', project: projectId, field: 'visitors' },
      { id: EVENT_ID, type: 'event', title: 'Open studio', starts_at: '2026-12-05' },
      { type: 'qr' },
      { type: 'link', url: SHOP_URL, title: 'Shop' },
      { type: otherKind('share') },
      { type: 'page', bluesky: DID },
    ],
  });
  await insertDomain(DOMAIN, { verified_at: new Date() });
  await insertDomain('claimed.example', {});
});

/** Inserts a domain of the account directly into the database. */
async function insertDomain(
  domain: string,
  state: Parameters<typeof updateDomain>[2],
  accountId = jane.id,
): Promise<void> {
  await server.db
    .insertInto('domains')
    .values({ account_id: accountId, domain, token: 'A'.repeat(22), ...state })
    .execute();
}

async function updateState(state: Parameters<typeof updateDomain>[2]): Promise<void> {
  await server.db.updateTable('domains').set(state).where('domain', '=', DOMAIN).execute();
}

const request = (url: string, host = DOMAIN, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
  server.app.inject({ method, url, headers: { host, ...jane.headers } });
const readStatus = async (url: string, host?: string) => (await request(url, host)).statusCode;

const FILES = [
  '/card.png',
  '/card.vcf',
  '/events.ics',
  '/feed.xml',
  '/page.json',
  '/qr.svg',
  '/qr.png',
  '/share',
  `/metric/${BLOCK_ID}.svg`,
  `/event/${EVENT_ID}.ics`,
];

it.each(['/healthz', '/readyz'])('%s does not look up the owner of the host', async (url) => {
  await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE domains`.execute(trx);
    for (const host of [DOMAIN, 'probe.example'])
      expect([host, await readStatus(url, host)]).toEqual([host, 200]);
  });
});

it('a custom domain serves the page at /, which is the canonical URL', async () => {
  const { statusCode, payload, headers } = await request('/');
  expect(statusCode).toBe(200);
  expect(payload).toContain(`<link rel="canonical" href="https://${DOMAIN}" />`);
  expect(payload).toContain(`<meta property="og:url" content="https://${DOMAIN}" />`);
  expect(payload).toContain('ping="/click"');
  expect(payload).not.toContain(SERVER_HOST);
  expect(payload).not.toMatch(/(?:src|href)="\/\//);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  for (const host of ['Jane.Example', 'jane.example.', 'jane.example:443'])
    expect([host, await readStatus('/', host)]).toEqual([host, 200]);
  expect((await request('/', DOMAIN, 'HEAD')).statusCode).toBe(200);
});

it("a custom domain links from an unknown path to the owner's page", async () => {
  const { statusCode, payload } = await server.app.inject({
    url: '/about-me',
    headers: { host: DOMAIN, accept: 'text/html' },
  });
  expect(statusCode).toBe(404);
  expect(payload).toContain('<a class="button" href="/">Go to the home page</a>');
  expect(payload).not.toContain('Did you mean');
});

it.each(FILES)("a custom domain serves the page's file %s, as no other host does", async (file) => {
  const { statusCode, headers } = await request(file);
  expect(statusCode).toBe(200);
  const { headers: expected } = await request(`/@jane-doe${file}`, SERVER_HOST);
  expect(headers['content-type']).toBe(expected['content-type']);
  for (const host of [SERVER_HOST, 'localhost', '127.0.0.1:3000', 'evil.example'])
    expect([host, await readStatus(file, host)]).toEqual([host, 404]);
});

it("a custom domain is used in the URLs inside the page's files", async () => {
  expect((await request('/page.json')).json()).toMatchObject({ url: `https://${DOMAIN}` });
  expect((await request('/card.vcf')).payload).toContain(`URL:https://${DOMAIN}`);
  expect((await request('/@jane-doe/page.json', SERVER_HOST)).json()).toMatchObject({
    url: `https://${SERVER_HOST}/@jane-doe`,
  });
});

it('a custom domain and the name below the host of the pages are Bluesky handles of a visible page', async () => {
  const url = '/.well-known/atproto-did';
  for (const host of [DOMAIN, `jane-doe.${SERVER_HOST}`, `Jane-Doe.${SERVER_HOST}:443`]) {
    const { statusCode, headers, payload } = await request(url, host);
    expect([host, statusCode, payload]).toEqual([host, 200, DID]);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  }
  for (const host of [
    SERVER_HOST,
    'localhost',
    `nobody-here.${SERVER_HOST}`,
    `a.jane-doe.${SERVER_HOST}`,
  ])
    expect([host, await readStatus(url, host)]).toEqual([host, 404]);
  expect(await readStatus('/@jane-doe', `jane-doe.${SERVER_HOST}`)).toBe(421);
  await jane.client.site.toggleSiteVisibility();
  for (const host of [DOMAIN, `jane-doe.${SERVER_HOST}`])
    expect([host, await readStatus(url, host)]).toEqual([host, 404]);
  await jane.client.site.toggleSiteVisibility();
});

it('a custom domain can be indexed by search engines, and has an icon', async () => {
  expect((await request('/robots.txt')).payload).toBe('User-agent: *\nAllow: /\n');
  expect(await readStatus('/favicon.ico')).toBe(200);
});

it('a custom domain returns 404 for endpoints, the dashboard, documents and other pages, even with an API key', async () => {
  for (const url of [
    '/dashboard/',
    '/dashboard/assets/x.js',
    '/docs/',
    '/openapi.json',
    '/owner/openapi.json',
    '/@jane-doe',
    '/@jane-doe/card.png',
    '/@nobody',
    `/confirm/${'x'.repeat(43)}`,
    '/.well-known/nameplate/domain?domain=jane.example',
    `/.well-known/webfinger?resource=acct:jane-doe@${SERVER_HOST}`,
    '//',
    '/nothing',
  ]) {
    const { statusCode, headers } = await request(url);
    expect([url, statusCode, headers['set-cookie']]).toEqual([url, 404, undefined]);
  }
  await expectNoEndpoints(server, jane, DOMAIN);
});

it('a custom domain does not accept POST', async () => {
  expect((await request('/', DOMAIN, 'POST')).statusCode).toBeGreaterThanOrEqual(404);
  expect((await request('/card.vcf', DOMAIN, 'POST')).statusCode).toBe(405);
});

it('a custom domain returns the same 404 for a hidden or suspended page as for an unknown one', async () => {
  const notFoundResponse = await request('/metric/nothing.svg');
  const expectNotFound = async () => {
    for (const url of ['/', ...FILES]) {
      const { statusCode, payload } = await request(url);
      const expected = url.endsWith('.json')
        ? '{"error":"There is no such page."}'
        : notFoundResponse.payload;
      expect([url, statusCode, payload]).toEqual([url, 404, expected]);
    }
  };
  await jane.client.site.toggleSiteVisibility();
  await expectNotFound();
  await jane.client.site.toggleSiteVisibility();
  await server.db.transaction().execute((trx) => setPageSuspended(trx, jane.id, 'Spam'));
  await expectNotFound();
  await server.db.transaction().execute((trx) => setPageSuspended(trx, jane.id, null));
  expect(await readStatus('/')).toBe(200);
});

it('a custom domain still works after a change of the display name', async () => {
  await jane.client.account.updateDisplayName({ display_name: 'jane-roe' });
  await eventually(async () => expect(await readStatus('/')).toBe(200));
  await jane.client.account.updateDisplayName({ display_name: 'jane-doe' });
  await eventually(async () => expect(await readStatus('/')).toBe(200));
});

it.each(['claimed.example', 'www.jane.example', 'jane.example.evil.example'])(
  'a custom domain does not serve the page on the host %s',
  async (host) => {
    const { statusCode, payload } = await request('/', host);
    expect(statusCode).toBe(421);
    expect(payload).not.toContain('Potter');
  },
);

it('the page at /@name redirects to a verified domain if the owner enables that; its files do not redirect', async () => {
  expect(await readStatus('/@jane-doe', SERVER_HOST)).toBe(200);
  await updateState({ redirect: true, points_here: true });
  const { statusCode, headers } = await request('/@jane-doe', SERVER_HOST);
  expect([statusCode, headers.location]).toEqual([308, `https://${DOMAIN}/`]);
  expect(headers['cache-control']).toBe('no-cache, no-transform');
  const tagged = await request('/@jane-doe?utm_source=flyer&id=7', SERVER_HOST);
  expect(tagged.headers.location).toBe(`https://${DOMAIN}/?utm_source=flyer`);
  expect(await readStatus('/')).toBe(200);
  for (const file of FILES) expect(await readStatus(`/@jane-doe${file}`, SERVER_HOST)).toBe(200);
});

it.each([{ points_here: false }, { points_here: null }, { missing_since: new Date() }])(
  'the page at /@name does not redirect to a domain that may not work (%j)',
  async (state) => {
    await updateState({ redirect: true, points_here: true, missing_since: null, ...state });
    expect(await readStatus('/@jane-doe', SERVER_HOST)).toBe(200);
  },
);

it('the page at /@name does not reveal the redirect while it is hidden', async () => {
  await updateState({ redirect: true, points_here: true, missing_since: null });
  await jane.client.site.toggleSiteVisibility();
  const { statusCode, payload } = await request('/@jane-doe', SERVER_HOST);
  expect(statusCode).toBe(404);
  expect(payload).toBe((await request('/@nobody', SERVER_HOST)).payload);
  await jane.client.site.toggleSiteVisibility();
  await updateState({ redirect: false });
});

const askForCertificate = (query: string, host = '127.0.0.1:3000') =>
  server.app.inject({ url: `/.well-known/nameplate/domain${query}`, headers: { host } });

it('the certificate check for proxies (Caddy "ask") returns 200 for verified domains, even if the page is hidden, and on any host', async () => {
  for (const host of ['127.0.0.1', 'localhost:3000', 'nameplate', 'host.docker.internal']) {
    const { statusCode } = await askForCertificate(`?domain=${DOMAIN}`, host);
    expect([host, statusCode]).toEqual([host, 200]);
  }
  expect((await askForCertificate('?domain=Jane.Example')).statusCode).toBe(200);
  await jane.client.site.toggleSiteVisibility();
  expect((await askForCertificate(`?domain=${DOMAIN}`)).statusCode).toBe(200);
  await jane.client.site.toggleSiteVisibility();
});

it(`the certificate check for proxies (Caddy "ask") returns 404 for a domain that points elsewhere, and for a suspended account's domain`, async () => {
  await insertDomain('elsewhere.example', { verified_at: new Date(), points_here: false });
  expect((await askForCertificate('?domain=elsewhere.example')).statusCode).toBe(404);
  const { id } = await server.createAccount();
  await insertDomain('suspended.example', { verified_at: new Date(), points_here: true }, id);
  await server.db.transaction().execute((trx) => setSuspended(trx, id, null));
  expect((await askForCertificate('?domain=suspended.example')).statusCode).toBe(404);
});

it.each([
  '',
  '?domain=',
  '?domain=claimed.example',
  '?domain=unknown.example',
  `?domain=${SERVER_HOST}`,
  '?domain=127.0.0.1',
  '?domain=jane.example&domain=jane.example',
  '?domain=%00',
  `?domain=${'a'.repeat(5_000)}`,
])('the certificate check for proxies (Caddy "ask") returns 404 for others: %s', async (query) => {
  expect((await askForCertificate(query)).statusCode).toBe(404);
});

it("a request to the server's own host needs no domain lookup, and to an unknown host only one in a few seconds", async () => {
  const countQueries = async (url: string, host: string) => {
    const before = server.queryCount();
    await request(url, host);
    return server.queryCount() - before;
  };
  expect(await countQueries('/@jane-doe/qr.svg', SERVER_HOST)).toBe(1);
  expect(await countQueries('/healthz', SERVER_HOST)).toBe(0);
  expect(await countQueries('/nowhere', 'nowhere.example')).toBe(1);
  expect(await countQueries('/nowhere', 'nowhere.example')).toBe(0);
});

it('a request to a removed domain gets 421, immediately on this server and soon on others', async () => {
  const options = { PUBLIC_URL: `https://${SERVER_HOST}` };
  const secondServer = await openTestApp(options, server.database);
  const statusOnOtherServer = async () =>
    (await secondServer.app.inject({ url: '/', headers: { host: DOMAIN } })).statusCode;
  expect(await statusOnOtherServer()).toBe(200);
  expect(await readStatus('/')).toBe(200);
  await send(server, jane, 'POST /owner/domains/delete-domain', { domain: DOMAIN });
  expect(await readStatus('/')).toBe(421);
  await eventually(async () => expect(await statusOnOtherServer()).toBe(421));
});

it('a server without CUSTOM_DOMAINS serves no domains, and refuses to add one', async () => {
  await insertDomain('gone.example', { verified_at: new Date() });
  const withoutDomains = await openTestApp(
    { PUBLIC_URL: `https://${SERVER_HOST}`, CUSTOM_DOMAIN_TARGET: undefined },
    server.database,
  );
  for (const [url, host, status] of [
    ['/', 'gone.example', 421],
    ['/.well-known/nameplate/domain?domain=gone.example', SERVER_HOST, 404],
  ] as const)
    expect(await withoutDomains.app.inject({ url, headers: { host } })).toMatchObject({
      statusCode: status,
    });
  const domain = { domain: 'new.example' };
  const refused = await send(withoutDomains, jane, 'POST /owner/domains/create-domain', domain);
  expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'domainsUnavailable']);
  const { body } = await send(withoutDomains, jane, 'GET /owner/domains/list-domains');
  expect(body).toMatchObject({ target: null });
});
