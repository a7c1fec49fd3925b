import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { otherKind } from '#client/index.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { createPage, toComparable } from '../support/publish-page.ts';
import { logIn } from '../support/session.ts';
import { type TestApp, startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const OPTIONS = { PUBLIC_URL: 'https://example.org', ABUSE_CONTACT: 'abuse@example.org' };
const { server } = useServer(OPTIONS);
/** A second server on the same database, with its own page cache. */
let otherServer: TestApp;
beforeAll(async () => {
  otherServer = await startTestApp(OPTIONS, server.database);
});
afterAll(() => otherServer.app.close());

const publish = (bio = 'Potter') => createPage(server, { bio });

const get = async (url: string, headers: Record<string, string> = {}, { app } = server) =>
  toComparable(await app.inject({ url, headers }));

const FILE_TYPES = {
  '': 'text/html; charset=utf-8',
  '/card.png': 'image/png',
  '/share': 'text/html; charset=utf-8',
  '/qr.svg': 'image/svg+xml',
  '/qr.png': 'image/png',
  '/card.vcf': 'text/vcard; charset=utf-8',
  '/page.json': 'application/json; charset=utf-8',
  '/events.ics': 'text/calendar; charset=utf-8',
  '/feed.xml': 'application/atom+xml; charset=utf-8',
};

const pageUrls = (name: string) => [
  ...Object.keys(FILE_TYPES).map((file) => `/@${name}${file}`),
  `/.well-known/webfinger?resource=acct:${name}@example.org`,
];

const ACCESS_HEADERS = ['cross-origin-resource-policy', 'access-control-allow-origin'];

it('a page and its files have their types', async () => {
  const { name } = await publish();
  for (const [file, type] of Object.entries(FILE_TYPES))
    expect([file, (await get(`/@${name}${file}`)).headers['content-type']]).toEqual([file, type]);
});

it('a page redirects from other cases and a trailing slash to its canonical path at the same host', async () => {
  const { name } = await publish();
  for (const [path, location] of [
    [`/@${name.toUpperCase()}`, `/@${name}`],
    [`/@${name}/`, `/@${name}`],
    [`/@${name.toUpperCase()}/qr.svg`, `/@${name}/qr.svg`],
    [
      `/@${name}/?id=7&ref=a%0D%0Ab&utm_campaign=%C3%A9`,
      `/@${name}?ref=a%0D%0Ab&utm_campaign=%C3%A9`,
    ],
  ] as const)
    expect(await get(path)).toMatchObject({ status: 308, headers: { location } });
  expect((await get(`/%40${name}`)).body).toEqual((await get(`/@${name}`)).body);
});

it('a page is compressed with an accepted encoding, and returns 304 if it is unchanged', async () => {
  const { name } = await publish();
  const uncompressed = await get(`/@${name}`);
  const br = await get(`/@${name}`, { 'accept-encoding': 'gzip, br' });
  const gzip = await get(`/@${name}`, { 'accept-encoding': 'gzip;q=1, br;q=0.1' });
  expect(br.headers['content-encoding']).toBe('br');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(brotliDecompressSync(br.body)).toEqual(uncompressed.body);
  expect(gunzipSync(gzip.body)).toEqual(uncompressed.body);
  const etags = [uncompressed, br, gzip].map(({ headers }) => String(headers.etag));
  expect(new Set(etags).size).toBe(3);
  for (const path of pageUrls(name)) {
    const { headers } = await get(path, { 'accept-encoding': 'br' });
    expect(headers.vary).toBe('accept-encoding');
    const cached = await get(path, {
      'accept-encoding': 'br',
      'if-none-match': `"other", ${String(headers.etag)}`,
    });
    expect({ status: cached.status, body: cached.body.length }).toEqual({ status: 304, body: 0 });
    // A 304 repeats only headers that affect access and caching.
    for (const header of ['etag', 'vary', 'cache-control', ...ACCESS_HEADERS])
      expect(cached.headers[header]).toBe(headers[header]);
    for (const header of ['content-type', 'content-security-policy', 'permissions-policy'])
      expect(cached.headers).not.toHaveProperty(header);
  }
  const etag = String(uncompressed.headers.etag);
  for (const [header, status] of [
    [etag.slice(2), 304],
    ['*', 304],
    ['"other"', 200],
    ['W/"other"', 200],
    ['', 200],
  ] as const)
    expect([header, (await get(`/@${name}`, { 'if-none-match': header })).status]).toEqual([
      header,
      status,
    ]);
});

it('a page responds to HEAD like to GET but without a body, and to other methods with 405', async () => {
  const { name } = await publish();
  for (const url of pageUrls(name)) {
    const [head, { headers }] = [await server.app.inject({ method: 'HEAD', url }), await get(url)];
    expect(head.statusCode).toBe(200);
    expect(head.headers.etag).toBe(headers.etag);
    expect(head.headers['content-length']).toBe(headers['content-length']);
    expect(head.payload).toBe('');
    // The share page has a form.
    if (url.endsWith('/share')) continue;
    const postResponse = await server.app.inject({ method: 'POST', url });
    expect({ status: postResponse.statusCode, allow: postResponse.headers.allow }).toEqual({
      status: 405,
      allow: 'GET, HEAD',
    });
  }
});

it('a page is the same for every visitor, whatever their headers', async () => {
  const { account, name } = await publish();
  const cookie = (await logIn(server, account.id))['cookie']!;
  for (const path of pageUrls(name)) {
    const expected = await get(path);
    for (const headers of [
      { cookie },
      { host: '127.0.0.1:8080' },
      { host: 'Example.ORG.:8443' },
      { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'http' },
      { forwarded: 'host=elsewhere.example;proto=http' },
      { 'x-original-url': '/@elsewhere', 'x-rewrite-url': '/@elsewhere' },
      { 'accept-language': 'pt', 'user-agent': 'somebody/1.0' },
    ])
      expect([path, headers, await get(path, headers)]).toEqual([path, headers, expected]);
    const query = path.includes('?') ? '&x=1' : '?x=1';
    expect(await get(path + query)).toEqual(expected);
    expect(expected.headers).not.toHaveProperty('set-cookie');
  }
});

it('a page has no files with other extensions, which would allow cache poisoning', async () => {
  const { name } = await publish();
  for (const suffix of ['/x.css', ';x.css', '.css', '%2f', '%2fx.css', '/page.json/x']) {
    const response = await get(`/@${name}${suffix}`);
    expect([suffix, response.status]).toEqual([suffix, 404]);
    expect(response.headers['cache-control']).toMatch(/^no-store\b/);
    expect(await get(`/@nobody-has-this${suffix}`)).toEqual(response);
  }
  for (const path of ['/x.xml', '/dashboard/x.css', '/dashboard/assets/x.css'])
    expect([path, (await get(path)).headers['cache-control']]).toEqual([
      path,
      expect.stringMatching(/^no-store\b/),
    ]);
});

it('a page contains nothing of the name’s previous owner', async () => {
  const { account, name } = await publish('The first');
  const visiblePage = await get(`/@${name}`);
  await server.db.deleteFrom('display_names').where('name', '=', name).execute();
  await server.db.deleteFrom('accounts').where('id', '=', account.id).execute();
  const nextOwner = await server.createNamedAccount(name);
  expect((await get(`/@${name}`)).status).toBe(404);
  await nextOwner.client.site.updateSiteConfiguration({ bio: 'The second' });
  await nextOwner.client.site.toggleSiteVisibility();
  const conditionalHeaders = { 'if-none-match': String(visiblePage.headers['etag']) };
  const nextResponse = await get(`/@${name}`, conditionalHeaders);
  expect(nextResponse.status).toBe(200);
  expect(nextResponse.body.toString()).toContain('The second');
  expect(nextResponse.body.toString()).not.toContain('The first');
});

it('a page names its card by an address that changes with the card only, and answers', async () => {
  const { name, account } = await publish();
  const readCardUrl = async () =>
    /og:image" content="([^"]+)"/.exec((await get(`/@${name}`)).body.toString())![1]!;
  const first = await readCardUrl();
  await account.client.site.updateSiteConfiguration({ blocks: [{ type: 'text', content: 'x' }] });
  expect(await readCardUrl()).toBe(first);
  await account.client.site.updateSiteConfiguration({ display_name: 'Another title' });
  expect(await readCardUrl()).not.toBe(first);
  expect(await get(new URL(first).pathname + new URL(first).search)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'image/png' },
  });
});

it('a page has a card that other sites may embed, the same on every server', async () => {
  const { name } = await publish();
  const { headers, body } = await get(`/@${name}/card.png`, { 'accept-encoding': 'br' });
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  expect(headers).not.toHaveProperty('content-encoding');
  expect(await get(`/@${name}/card.png`, {}, otherServer)).toMatchObject({
    body,
    headers: { etag: headers.etag },
  });
});

it('hidden content returns the same 404: hidden, suspended, renamed, unknown or invalid name', async () => {
  const hiddenPage = await publish();
  await hiddenPage.account.client.site.toggleSiteVisibility();
  const suspended = await publish();
  await server.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${suspended.account.id}`;
  const renamed = await publish();
  await renamed.account.client.account.updateDisplayName({ display_name: 'elsewhere-now' });
  const unknown = await Promise.all(pageUrls('nobody-at-all').map((path) => get(path)));
  const notFound = unknown[0]!;
  expect(notFound.status).toBe(404);
  expect(notFound.body.toString()).toContain('No page here');
  const invalidNames = ['no', 'x'.repeat(64), '-a-', '%00'];
  for (const name of [hiddenPage.name, suspended.name, renamed.name, ...invalidNames])
    for (const [index, path] of pageUrls(name).entries())
      expect(await get(path)).toEqual(unknown[index]);
  expect(await get(`/@${hiddenPage.name.toUpperCase()}`)).toEqual(notFound);
  expect(await get(`/@${hiddenPage.name}/`)).toEqual(notFound);
  expect((await get('/@elsewhere-now')).status).toBe(200);
});

it('hidden content disappears immediately, on every server', async () => {
  const { account, name } = await publish('before');
  const readBios = async () =>
    Promise.all(
      [server, otherServer].map(async (app) => {
        const { status, body } = await get(`/@${name}`, {}, app);
        return status === 200 ? /bio p-note"[^>]*>([^<]*)/.exec(body.toString())?.[1] : status;
      }),
    );
  expect(await readBios()).toEqual(['before', 'before']);
  for (let index = 0; index < 5; index += 1) {
    await account.client.site.updateSiteConfiguration({ bio: `after ${index}` });
    expect(await readBios()).toEqual([`after ${index}`, `after ${index}`]);
    await account.client.site.toggleSiteVisibility();
    expect(await readBios()).toEqual([404, 404]);
    await account.client.site.toggleSiteVisibility();
    expect(await readBios()).toEqual([`after ${index}`, `after ${index}`]);
  }
  await account.client.site.updateSiteConfiguration({
    blocks: [{ type: 'text', content: 'new' }],
  });
  expect((await get(`/@${name}`)).body.toString()).toContain('new');
});

it('hidden content includes disabled blocks, expired links and notes', async () => {
  const { account, name } = await publish();
  await account.client.site.updateSiteConfiguration({
    blocks: [
      { type: 'text', content: 'canary-one', enabled: false },
      { type: otherKind('poll'), title: 'shown', note: 'canary-two' },
      { type: 'link', url: 'https://canary-three.example', until: '2020-01-01' },
    ],
  });
  for (const path of pageUrls(name))
    expect((await get(path)).body.toString()).not.toContain('canary');
  expect((await get(`/@${name}/page.json`)).body.toString()).toContain('shown');
});

it('files next to the pages include an icon, robots.txt and security.txt', async () => {
  expect(await get('/favicon.ico')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'image/svg+xml' },
  });
  expect((await get('/robots.txt')).body.toString()).toBe(
    'User-agent: *\nDisallow: /owner/\nAllow: /owner/openapi.json\n\nSitemap: https://example.org/sitemap.xml\n',
  );
  const security = (await get('/.well-known/security.txt')).body.toString();
  const [, expires] =
    /^Contact: mailto:abuse@example\.org\nExpires: (\d{4}-\d\d-\d\dT[\d:.]+Z)\n$/.exec(security)!;
  const days = (Date.parse(expires!) - Date.now()) / DAY_MS;
  expect(days, 'RFC 9116 recommends less than a year').toBeLessThan(364);
  expect(days, 'crawlers may keep it for a while').toBeGreaterThan(90);
});

it('robots.txt forbids no path whose pages or headers say noindex, which crawlers must read', async () => {
  const robots = (await get('/robots.txt')).body.toString();
  const forbidden = [...robots.matchAll(/^Disallow: (.+)$/gm)].map(([, path]) => path!);
  for (const path of ['/dashboard/', '/confirm/x', '/unsubscribe/x', '/@nobody-here']) {
    const { headers, body } = await get(path);
    expect([path, `${String(headers['x-robots-tag'])} ${body.toString()}`]).toEqual([
      path,
      expect.stringContaining('noindex'),
    ]);
    expect(forbidden.filter((prefix) => path.startsWith(prefix))).toEqual([]);
  }
});
