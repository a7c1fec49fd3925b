import { beforeAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { publishPage } from '../support/publish-page.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { expectNoEndpoints } from './support/no-endpoints.ts';

const SERVER_HOST = 'names.example.org';
const PAGES_HOST = 'pages.example.net';

const { server, account: jane } = useServer({
  account: true,
  PUBLIC_URL: `https://${SERVER_HOST}`,
  PAGES_URL: `https://${PAGES_HOST}:8443`,
  ABUSE_CONTACT: 'abuse@example.org',
});
beforeAll(async () => {
  await publishPage(jane, 'jane-doe');
  await server.sql`UPDATE sites SET on_front_page = true`;
});

const request = (host: string, url: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
  server.app.inject({ method, url, headers: { host, ...jane.headers } });
const readStatus = async (host: string, url: string) => (await request(host, url)).statusCode;

const PAGE_URLS = [
  '/@jane-doe',
  '/@jane-doe/card.png',
  '/@jane-doe/card.vcf',
  '/@jane-doe/page.json',
  '/@jane-doe/events.ics',
  '/@jane-doe/qr.svg',
  '/@jane-doe/qr.png',
  '/@jane-doe/share',
  '/sitemap.xml',
  `/.well-known/webfinger?resource=acct:jane-doe@${PAGES_HOST}:8443`,
];
const SHARED_URLS = ['/robots.txt', '/favicon.ico', '/.well-known/security.txt'];
const SERVER_URLS = [
  '/dashboard/',
  '/docs/',
  '/docs/owner/',
  '/docs/errors',
  '/llms.txt',
  '/openapi.json',
  '/owner/openapi.json',
  '/healthz',
];

it.each(PAGE_URLS)('with PAGES_URL, pages are served only on its host: %s', async (url) => {
  expect(await readStatus(PAGES_HOST, url)).toBe(200);
  for (const host of ['Pages.Example.NET.:8443', `${PAGES_HOST}:80`])
    expect([host, await readStatus(host, url)]).toEqual([host, 200]);
  const unknown = await request(SERVER_HOST, url.replace('jane-doe', 'nobody'));
  for (const host of [SERVER_HOST, 'localhost', '127.0.0.1:3000', '[::1]']) {
    const { statusCode, payload } = await request(host, url);
    expect([host, statusCode, payload]).toEqual([host, 404, unknown.payload]);
  }
  expect(await readStatus('evil.example', url)).toBe(404);
});

it.each(SHARED_URLS)('with PAGES_URL, pages share these files with every host: %s', async (url) => {
  for (const host of [SERVER_HOST, PAGES_HOST, '127.0.0.1'])
    expect([host, await readStatus(host, url)]).toEqual([host, 200]);
  expect(await readStatus('evil.example', url)).toBe(421);
});

it("with PAGES_URL, pages can load fonts from both hosts, because previews are on the server's host", async () => {
  const { payload } = await request(PAGES_HOST, '/@jane-doe');
  expect(payload).toContain('@jane-doe');
  for (const host of [SERVER_HOST, PAGES_HOST]) {
    const { payload: fontResponse } = await request(host, '/fonts/x.woff2');
    expect([host, fontResponse]).toEqual([host, expect.stringContaining('No page here')]);
  }
});

it('with PAGES_URL, pages share their host with no endpoint, dashboard or document, even with an API key', async () => {
  for (const url of ['/', '/dashboard/assets/x.js', `/confirm/${'x'.repeat(43)}`, ...SERVER_URLS])
    expect([url, await readStatus(PAGES_HOST, url)]).toEqual([url, 404]);
  await expectNoEndpoints(server, jane, PAGES_HOST);
  for (const url of SERVER_URLS)
    expect([url, await readStatus(SERVER_HOST, url)]).toEqual([url, 200]);
});

it("with PAGES_URL, pages return 404 on the server's host for every method, and vice versa", async () => {
  for (const method of ['HEAD', 'POST'] as const) {
    expect((await request(SERVER_HOST, '/@jane-doe', method)).statusCode).toBe(404);
    expect((await request(PAGES_HOST, '/dashboard/', method)).statusCode).toBe(404);
  }
  expect((await request(PAGES_HOST, '/@jane-doe', 'POST')).statusCode).toBe(405);
});

it('with PAGES_URL, pages use the pages host in canonical URLs, redirects and previews', async () => {
  const url = `https://${PAGES_HOST}:8443/@jane-doe`;
  const page = await request(PAGES_HOST, '/@jane-doe');
  expect(page.payload).toContain(`<link rel="canonical" href="${url}" />`);
  expect(page.payload).not.toContain(SERVER_HOST);
  expect((await request(PAGES_HOST, '/@JANE-DOE')).headers.location).toBe('/@jane-doe');
  const { body } = await send(
    server,
    jane,
    'POST /owner/page/preview-page',
    {},
    { host: SERVER_HOST },
  );
  expect(body).toMatchObject({
    html: expect.stringContaining(`<link rel="canonical" href="${url}" />`) as string,
  });
});

it('with PAGES_URL, pages are linked from the dashboard', async () => {
  const { payload, headers } = await request(SERVER_HOST, '/dashboard/');
  expect(payload).toContain(`&quot;pagesUrl&quot;:&quot;https://${PAGES_HOST}:8443&quot;`);
  // The dashboard loads QR codes from the pages host.
  expect(headers['content-security-policy']).toContain(
    `img-src 'self' data: https: https://${PAGES_HOST}:8443;`,
  );
});

it("without PAGES_URL, the server's host serves pages, and the dashboard contains no other URL", async () => {
  const withoutPagesHost = await openTestApp(
    { PUBLIC_URL: `https://${SERVER_HOST}` },
    server.database,
  );
  for (const url of ['/@jane-doe', '/dashboard/', '/healthz']) {
    const { statusCode, payload } = await withoutPagesHost.app.inject({
      url,
      headers: { host: SERVER_HOST },
    });
    expect([url, statusCode]).toEqual([url, 200]);
    expect(payload).not.toContain('pagesUrl');
  }
});
