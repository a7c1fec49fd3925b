import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setSuspended } from '#db/queries/accounts.ts';
import { setPageSuspended } from '#db/queries/sites/public-sites.ts';
import { updateDomain } from '#db/queries/domains.ts';
import { authenticatedEndpoints, unauthenticatedEndpoints } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { type TestApp, startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const OWN = 'names.example.org';
const DOMAIN = 'jane.example';
const SHOP = 'https://shop.example/';
const BLOCK = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';

const { server, account: jane } = useServer({ account: true, publicUrl: `https://${OWN}` });
beforeAll(async () => {
  const { client } = jane;
  await client.account.updateDisplayName({ display_name: 'jane-doe' });
  await client.site.toggleSiteVisibility();
  const projectId = await server.createProject(jane);
  await client.stats.ingestMetrics({ projectId, payload: { visitors: 7 } });
  await client.site.updateSiteConfiguration({
    bio: 'Potter.',
    blocks: [
      { id: BLOCK, type: 'metric', project_id: projectId, path: 'visitors' },
      { type: 'qr' },
      { type: 'link', url: SHOP, title: 'Shop' },
      { type: 'share' },
    ],
  });
  await claim(DOMAIN, { verified_at: new Date() });
  await claim('claimed.example', {});
});

/** Adds a domain in a given state to the account. */
async function claim(
  domain: string,
  state: Parameters<typeof updateDomain>[2],
  accountId = jane.id,
): Promise<void> {
  const { db } = server.database;
  await db
    .insertInto('domains')
    .values({ account_id: accountId, domain, token: 'A'.repeat(22), ...state })
    .execute();
}

async function change(state: Parameters<typeof updateDomain>[2]): Promise<void> {
  const { db } = server.database;
  await db.updateTable('domains').set(state).where('domain', '=', DOMAIN).execute();
}

const ask = (url: string, host = DOMAIN, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
  server.app.inject({ method, url, headers: { host, ...jane.headers } });
const statusOf = async (url: string, host?: string) => (await ask(url, host)).statusCode;

const FILES = ['/card.png', '/card.vcf', '/page.json', '/qr.svg', `/metric/${BLOCK}.svg`];

it.each(['/healthz', '/readyz'])('%s does not look up the owner of the host', async (url) => {
  await server.database.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE domains`.execute(trx);
    for (const host of [DOMAIN, 'probe.example'])
      expect([host, await statusOf(url, host)]).toEqual([host, 200]);
  });
});

describe('a custom domain', () => {
  it('serves the page at its root, as the canonical URL', async () => {
    const { statusCode, payload, headers } = await ask('/');
    expect(statusCode).toBe(200);
    expect(payload).toContain(`<link rel="canonical" href="https://${DOMAIN}" />`);
    expect(payload).toContain(`<meta property="og:url" content="https://${DOMAIN}" />`);
    expect(payload).not.toContain(OWN);
    expect(payload).not.toMatch(/(?:src|href)="\/\//);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    for (const host of ['Jane.Example', 'jane.example.', 'jane.example:443'])
      expect([host, await statusOf('/', host)]).toEqual([host, 200]);
    expect((await ask('/', DOMAIN, 'HEAD')).statusCode).toBe(200);
  });

  it("links from an unknown path to the owner's page", async () => {
    const { statusCode, payload } = await server.app.inject({
      url: '/about-me',
      headers: { host: DOMAIN, accept: 'text/html' },
    });
    expect(statusCode).toBe(404);
    expect(payload).toContain('<a class="button" href="/">Go to the home page</a>');
    expect(payload).not.toContain('Did you mean');
  });

  it.each(FILES)(
    "serves files of the page that the server's own root does not have: %s",
    async (file) => {
      const here = await ask(file);
      expect(here.statusCode).toBe(200);
      expect(here.headers['content-type']).toBe(
        (await ask(`/@jane-doe${file}`, OWN)).headers['content-type'],
      );
      for (const host of [OWN, 'localhost', '127.0.0.1:3000', 'evil.example'])
        expect([host, await statusOf(file, host)]).toEqual([host, 404]);
    },
  );

  it("is also used in the files' URLs", async () => {
    expect((await ask('/page.json')).json()).toMatchObject({ url: `https://${DOMAIN}` });
    expect((await ask('/card.vcf')).payload).toContain(`URL:https://${DOMAIN}`);
    expect((await ask('/@jane-doe/page.json', OWN)).json()).toMatchObject({
      url: `https://${OWN}/@jane-doe`,
    });
  });

  it('can be indexed by search engines, and has an icon', async () => {
    expect((await ask('/robots.txt')).payload).toBe('User-agent: *\nAllow: /\n');
    expect(await statusOf('/favicon.ico')).toBe(200);
  });

  it('responds with 404 to endpoints, the dashboard, documents and other pages, also with a key', async () => {
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
      `/.well-known/webfinger?resource=acct:jane-doe@${OWN}`,
      '//',
      '/nothing',
    ]) {
      const { statusCode, headers } = await ask(url);
      expect([url, statusCode, headers['set-cookie']]).toEqual([url, 404, undefined]);
    }
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as AddressInfo;
    // Raw requests, because injected ones are checked against the OpenAPI documents, which do not describe this host.
    for (const { method, path } of [...authenticatedEndpoints, ...unauthenticatedEndpoints]) {
      const key = `X-API-KEY: ${jane.key}\r\nConnection: close`;
      const [answer] = await sendRaw(
        port,
        `${method} ${path} HTTP/1.1\r\nHost: ${DOMAIN}\r\n${key}\r\n\r\n`,
      );
      expect([path, answer?.status]).toEqual([path, 404]);
      expect(JSON.stringify(answer?.headers)).not.toMatch(/set-cookie/i);
    }
  });

  it('counts clicks on links', async () => {
    expect((await ask('/')).payload).toContain('ping="/click"');
    const { statusCode } = await server.app.inject({
      method: 'POST',
      url: '/click',
      headers: { host: DOMAIN, 'ping-to': SHOP, 'sec-fetch-site': 'same-origin' },
    });
    expect(statusCode).toBe(204);
  });

  it('accepts no other method', async () => {
    expect((await ask('/', DOMAIN, 'POST')).statusCode).toBeGreaterThanOrEqual(404);
    expect((await ask('/card.vcf', DOMAIN, 'POST')).statusCode).toBe(405);
  });

  it('responds with 404 while the page is hidden or suspended, like for an unknown page', async () => {
    const { db } = server.database;
    const missing = await ask('/metric/nothing.svg');
    const hidden = async () => {
      for (const url of ['/', ...FILES]) {
        const { statusCode, payload } = await ask(url);
        expect([url, statusCode, payload]).toEqual([url, 404, missing.payload]);
      }
    };
    await jane.client.site.toggleSiteVisibility();
    await hidden();
    await jane.client.site.toggleSiteVisibility();
    await db.transaction().execute((trx) => setPageSuspended(trx, jane.id, true));
    await hidden();
    await db.transaction().execute((trx) => setPageSuspended(trx, jane.id, false));
    expect(await statusOf('/')).toBe(200);
  });

  it('still works after a change of the display name', async () => {
    await jane.client.account.updateDisplayName({ display_name: 'jane-roe' });
    await eventually(async () => expect(await statusOf('/')).toBe(200));
    await jane.client.account.updateDisplayName({ display_name: 'jane-doe' });
    await eventually(async () => expect(await statusOf('/')).toBe(200));
  });

  it.each(['claimed.example', 'www.jane.example', 'jane.example.evil.example'])(
    'does not include the host %s',
    async (host) => {
      const { statusCode, payload } = await ask('/', host);
      expect(statusCode).toBe(421);
      expect(payload).not.toContain('Potter');
    },
  );
});

describe('the page under its display name', () => {
  it('redirects to a verified domain if its owner enables that, but its files do not', async () => {
    expect(await statusOf('/@jane-doe', OWN)).toBe(200);
    await change({ redirect: true, points_here: true });
    const { statusCode, headers } = await ask('/@jane-doe', OWN);
    expect([statusCode, headers.location]).toEqual([308, `https://${DOMAIN}/`]);
    expect(headers['cache-control']).toBe('no-cache');
    expect(await statusOf('/')).toBe(200);
    for (const file of FILES) expect(await statusOf(`/@jane-doe${file}`, OWN)).toBe(200);
  });

  it.each([{ points_here: false }, { points_here: null }, { missing_since: new Date() }])(
    'does not redirect to a domain that may not work: %j',
    async (state) => {
      await change({ redirect: true, points_here: true, missing_since: null, ...state });
      expect(await statusOf('/@jane-doe', OWN)).toBe(200);
    },
  );

  it('does not reveal the redirect while it is hidden', async () => {
    await change({ redirect: true, points_here: true, missing_since: null });
    await jane.client.site.toggleSiteVisibility();
    const { statusCode, payload } = await ask('/@jane-doe', OWN);
    expect(statusCode).toBe(404);
    expect(payload).toBe((await ask('/@nobody', OWN)).payload);
    await jane.client.site.toggleSiteVisibility();
    await change({ redirect: false });
  });
});

describe('a proxy that asks before it issues a certificate', () => {
  const asked = (query: string, host = '127.0.0.1:3000') =>
    server.app.inject({ url: `/.well-known/nameplate/domain${query}`, headers: { host } });

  it('gets 200 for verified domains, even with a hidden page, and on any host', async () => {
    for (const host of ['127.0.0.1', 'localhost:3000', 'nameplate', 'host.docker.internal', OWN])
      expect([host, (await asked(`?domain=${DOMAIN}`, host)).statusCode]).toEqual([host, 200]);
    expect((await asked('?domain=Jane.Example')).statusCode).toBe(200);
    await jane.client.site.toggleSiteVisibility();
    expect((await asked(`?domain=${DOMAIN}`)).statusCode).toBe(200);
    await jane.client.site.toggleSiteVisibility();
  });

  it("gets 404 for a domain that points elsewhere, and for a suspended account's domain", async () => {
    await claim('elsewhere.example', { verified_at: new Date(), points_here: false });
    expect((await asked('?domain=elsewhere.example')).statusCode).toBe(404);
    const { db } = server.database;
    const { id } = await server.createAccount();
    await claim('suspended.example', { verified_at: new Date(), points_here: true }, id);
    await db.transaction().execute((trx) => setSuspended(trx, id, { suspended: true }));
    expect((await asked('?domain=suspended.example')).statusCode).toBe(404);
  });

  it.each([
    '',
    '?domain=',
    '?domain=claimed.example',
    '?domain=unknown.example',
    `?domain=${OWN}`,
    '?domain=127.0.0.1',
    '?domain=jane.example&domain=jane.example',
    '?domain=%00',
    `?domain=${'a'.repeat(5_000)}`,
  ])('gets 404 for anything else: %s', async (query) => {
    expect((await asked(query)).statusCode).toBe(404);
  });
});

describe('requests', () => {
  it("on the server's hosts need no look-up, and others one every few seconds", async () => {
    const count = async (work: () => Promise<unknown>) => {
      const before = server.queryCount();
      await work();
      return server.queryCount() - before;
    };
    const known = await count(() => ask('/@jane-doe', OWN));
    expect(await count(() => ask('/@jane-doe', OWN))).toBe(known);
    expect(await count(() => ask('/healthz', OWN))).toBe(0);
    expect(await count(() => ask('/nowhere', 'unknown-host.example'))).toBe(1);
    expect(await count(() => ask('/nowhere', 'unknown-host.example'))).toBe(0);
  });

  it('on a removed domain get 404, immediately here and soon on another server', async () => {
    let other: TestApp | undefined;
    afterAll(async () => other?.app.close());
    other = await startTestApp({ publicUrl: `https://${OWN}` }, server.database);
    const elsewhere = async () =>
      (await other!.app.inject({ url: '/', headers: { host: DOMAIN } })).statusCode;
    expect(await elsewhere()).toBe(200);
    await server.app.inject({
      method: 'POST',
      url: '/owner/domains/remove-domain',
      headers: jane.headers,
      payload: { domain: DOMAIN },
    });
    expect(await statusOf('/')).toBe(421);
    await eventually(async () => expect(await elsewhere()).toBe(421));
  });
});

it('a server without custom domains serves none, and tells owners so', async () => {
  await claim('gone.example', { verified_at: new Date() });
  const none = await startTestApp(
    { publicUrl: `https://${OWN}`, customDomains: undefined },
    server.database,
  );
  try {
    const get = (url: string, host: string) => none.app.inject({ url, headers: { host } });
    expect((await get('/', 'gone.example')).statusCode).toBe(421);
    expect((await get('/.well-known/nameplate/domain?domain=gone.example', OWN)).statusCode).toBe(
      404,
    );
    const refused = await none.app.inject({
      method: 'POST',
      url: '/owner/domains/add-domain',
      headers: jane.headers,
      payload: { domain: 'new.example' },
    });
    expect([refused.statusCode, refused.headers['x-error-code']]).toEqual([
      409,
      'domainsUnavailable',
    ]);
    const listed = await none.app.inject({
      url: '/owner/domains/list-domains',
      headers: jane.headers,
    });
    expect(listed.json()).toMatchObject({ target: null });
  } finally {
    await none.app.close();
  }
});
