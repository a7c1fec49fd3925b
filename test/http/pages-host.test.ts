import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { authenticatedEndpoints, unauthenticatedEndpoints } from '../support/endpoints.ts';
import { sendRaw, expectRefusal } from '../support/raw-socket.ts';
import { startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const OWN = 'names.example.org';
const PAGES = 'pages.example.net';

const { server, account: jane } = useServer({
  account: true,
  publicUrl: `https://${OWN}`,
  pagesUrl: `https://${PAGES}:8443`,
  abuseContact: 'abuse@example.org',
});
beforeAll(async () => {
  await jane.client.account.updateDisplayName({ display_name: 'jane-doe' });
  await jane.client.site.toggleSiteVisibility();
});

const ask = (host: string, url: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
  server.app.inject({ method, url, headers: { host, ...jane.headers } });
const statusOf = async (host: string, url: string) => (await ask(host, url)).statusCode;

const OF_PAGES = [
  '/@jane-doe',
  '/@jane-doe/card.png',
  '/@jane-doe/card.vcf',
  '/@jane-doe/page.json',
  '/@jane-doe/qr.svg',
  `/.well-known/webfinger?resource=acct:jane-doe@${PAGES}:8443`,
];
const OF_BOTH = ['/robots.txt', '/favicon.ico', '/.well-known/security.txt'];
const OF_OWNERS = ['/dashboard/', '/docs/', '/openapi.json', '/owner/openapi.json', '/healthz'];

describe('pages on their own host', () => {
  it.each(OF_PAGES)('exist only there: %s', async (url) => {
    expect(await statusOf(PAGES, url)).toBe(200);
    for (const host of ['Pages.Example.NET.:8443', `${PAGES}:80`])
      expect([host, await statusOf(host, url)]).toEqual([host, 200]);
    for (const host of [OWN, 'localhost', '127.0.0.1:3000', '[::1]'])
      expect([host, await statusOf(host, url)]).toEqual([host, 404]);
    expect(await statusOf('evil.example', url)).toBe(404);
  });

  it.each(OF_BOTH)('have the files of every host: %s', async (url) => {
    for (const host of [OWN, PAGES, '127.0.0.1'])
      expect([host, await statusOf(host, url)]).toEqual([host, 200]);
    expect(await statusOf('evil.example', url)).toBe(421);
  });

  it('have the fonts, like previews', async () => {
    const { payload } = await ask(PAGES, '/@jane-doe');
    expect(payload).toContain('@jane-doe');
    for (const host of [OWN, PAGES]) {
      const { payload: said } = await ask(host, '/fonts/x.woff2');
      expect([host, said]).toEqual([host, expect.stringContaining('There is no such page.')]);
    }
  });

  it('have no endpoints, dashboard or documents there, also not with a key', async () => {
    for (const url of ['/', '/dashboard/assets/x.js', `/confirm/${'x'.repeat(43)}`, ...OF_OWNERS])
      expect([url, await statusOf(PAGES, url)]).toEqual([url, 404]);
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as AddressInfo;
    // Raw requests, because injected ones are checked against the OpenAPI documents, which do not describe this host.
    for (const { method, path } of [...authenticatedEndpoints, ...unauthenticatedEndpoints]) {
      const key = `X-API-KEY: ${jane.key}\r\nConnection: close`;
      const [answer] = await sendRaw(
        port,
        `${method} ${path} HTTP/1.1\r\nHost: ${PAGES}\r\n${key}\r\n\r\n`,
      );
      expectRefusal(answer, 404);
      expect([path, answer!.body]).toEqual([path, expect.stringContaining('nothing at this path')]);
    }
    for (const url of OF_OWNERS) expect([url, await statusOf(OWN, url)]).toEqual([url, 200]);
  });

  it('are 404 elsewhere for every method, as all else is there', async () => {
    for (const method of ['HEAD', 'POST'] as const) {
      expect((await ask(OWN, '/@jane-doe', method)).statusCode).toBe(404);
      expect((await ask(PAGES, '/dashboard/', method)).statusCode).toBe(404);
    }
    expect((await ask(PAGES, '/@jane-doe', 'POST')).statusCode).toBe(405);
  });

  it('look like unknown pages on other hosts', async () => {
    const [there, not] = await Promise.all([ask(OWN, '/@jane-doe'), ask(OWN, '/@nobody')]);
    expect(there.payload).toBe(not.payload);
  });

  it('use it in every URL: of the page, its files and link previews', async () => {
    const url = `https://${PAGES}:8443/@jane-doe`;
    const page = await ask(PAGES, '/@jane-doe');
    expect(page.payload).toContain(`<link rel="canonical" href="${url}" />`);
    expect(page.payload).not.toContain(OWN);
    expect((await ask(PAGES, '/@JANE-DOE')).headers.location).toBe(url);
    const preview = await server.app.inject({
      method: 'POST',
      url: '/owner/page/preview',
      headers: { host: OWN, ...jane.headers },
      payload: {},
    });
    expect(preview.json().html).toContain(`<link rel="canonical" href="${url}" />`);
  });

  it('are linked from the dashboard', async () => {
    const { payload, headers } = await ask(OWN, '/dashboard/');
    expect(payload).toContain(`data-pages-url="https://${PAGES}:8443"`);
    // The QR code's URL if the request is not over HTTPS.
    expect(headers['content-security-policy']).toContain(
      `img-src 'self' data: https: https://${PAGES}:8443;`,
    );
  });
});

it('without their own host, pages are on the main host, and the dashboard links there', async () => {
  const one = await startTestApp({ publicUrl: `https://${OWN}` }, server.database);
  try {
    for (const url of ['/@jane-doe', '/dashboard/', '/healthz']) {
      const { statusCode, payload } = await one.app.inject({ url, headers: { host: OWN } });
      expect([url, statusCode]).toEqual([url, 200]);
      expect(payload).not.toContain('data-pages-url');
    }
  } finally {
    await one.app.close();
  }
});
