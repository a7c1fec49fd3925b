import { expect, it } from 'vitest';
import { sendRaw, useListening } from '../support/raw-socket.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({ PUBLIC_URL: 'https://pages.example.org' });
const listeningPort = useListening(server);

const PAGES = [
  '/',
  '/@jane-doe',
  '/@jane-doe/page.json',
  '/.well-known/webfinger?resource=acct:jane-doe@pages.example.org',
  `/confirm/${'x'.repeat(43)}`,
  '/fonts/x.woff2',
  '/robots.txt',
  '/dashboard',
  '/dashboard/',
  '/dashboard/assets/x.js',
  '/docs',
  '/docs/',
  '/docs/owner/',
  '/docs/errors',
  '/llms.txt',
];
const FOREIGN = [
  'evil.example',
  'pages.example.org.evil.example',
  'example.org',
  '127.0.0.1.evil.example:3000',
  'localhost.evil.example',
];
const MESSAGE =
  'This server has no pages at this host. Its operator can set PUBLIC_URL to its address.';

const readStatus = async (url: string, host: string, { app } = server) =>
  (await app.inject({ url, headers: { host } })).statusCode;

it.each(PAGES)('a page route returns 421 and explains an unknown host: %s', async (url) => {
  for (const host of FOREIGN) {
    const { statusCode, headers, payload } = await server.app.inject({ url, headers: { host } });
    expect([host, statusCode]).toEqual([host, 421]);
    expect(headers['cache-control']).toMatch(/^no-store\b/);
    expect(payload).toContain(MESSAGE);
    // The server's own host, which pages may contain, ends with one of these hosts.
    expect(payload.replaceAll('pages.example.org', '')).not.toContain(host);
  }
});

it.each(['POST', 'DELETE'] as const)('a page route returns 421 to %s, too', async (method) => {
  const headers = { host: 'evil.example' };
  for (const url of ['/dashboard/preview', '/@jane-doe'])
    expect((await server.app.inject({ method, url, headers })).statusCode).toBe(421);
});

it("a page route accepts every spelling of PUBLIC_URL's host, IP addresses and names without a dot", async () => {
  for (const host of [
    'pages.example.org',
    'Pages.Example.ORG',
    'pages.example.org:443',
    'pages.example.org.',
    'localhost:3000',
    'pages.localhost',
    '127.0.0.1',
    '192.0.2.7:8080',
    '[::1]:3000',
    '[::ffff:192.0.2.7]',
    'nameplate:3000',
  ])
    expect([host, await readStatus('/dashboard/', host)]).toEqual([host, 200]);
});

it('a page route accepts only local hosts and HOST if PUBLIC_URL is not set', async () => {
  const withoutPublicUrl = await openTestApp({ HOST: 'nas.home.arpa' }, server.database);
  expect(await readStatus('/dashboard/', 'nas.home.arpa:3000', withoutPublicUrl)).toBe(200);
  expect(await readStatus('/dashboard/', 'localhost:3000', withoutPublicUrl)).toBe(200);
  expect(await readStatus('/dashboard/', 'pages.example.org', withoutPublicUrl)).toBe(421);
});

it.each([
  ['GET /@jane-doe HTTP/1.0\r\n\r\n', 421],
  ['GET /@jane-doe HTTP/1.0\r\nHost: evil.example\r\n\r\n', 421],
  ['GET /@jane-doe HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  [
    'GET http://pages.example.org/@jane-doe HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    400,
  ],
  ['GET /healthz HTTP/1.0\r\n\r\n', 200],
])('a page route responds to %j with %i', async (request, status) => {
  expect(await sendRaw(listeningPort(), request)).toMatchObject([{ status }]);
});

it.each([
  ['/healthz', 200],
  ['/readyz', 200],
  ['/openapi.json', 200],
  ['/site/get-site-status', 401],
  ['/owner/sessions/get-session', 401],
  ['/nowhere', 404],
])('routes other than pages accept every host: %s', async (url, status) => {
  for (const host of FOREIGN) expect([host, await readStatus(url, host)]).toEqual([host, status]);
});
