import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { logIn } from '../support/session.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';

let server: TestApp;
let other: TestApp;
beforeAll(async () => {
  const options = { publicUrl: 'https://example.org', abuseContact: 'abuse@example.org' };
  server = await startTestApp(options);
  // A second server on the same database, with its own page cache.
  other = await startTestApp(options, server.database);
});
afterAll(async () => {
  await other.app.close();
  await server.close();
});

let count = 0;

/** Creates an account with a display name and a visible site. */
async function publish(bio = 'Potter'): Promise<{ account: TestAccount; name: string }> {
  const account = await server.createAccount();
  count += 1;
  const name = `potter-${count}`;
  await account.client.account.updateDisplayName({ display_name: name });
  await account.client.site.updateSiteConfiguration({ bio });
  await account.client.site.toggleSiteVisibility();
  return { account, name };
}

async function get(path: string, headers: Record<string, string> = {}, { app } = server) {
  const response = await app.inject({ method: 'GET', url: path, headers });
  const { 'x-request-id': _id, date: _date, ...rest } = response.headers;
  return { status: response.statusCode, headers: rest, body: response.rawPayload };
}

const files = (name: string) => [
  `/@${name}`,
  `/@${name}/card.png`,
  `/@${name}/qr.svg`,
  `/@${name}/card.vcf`,
  `/@${name}/page.json`,
  `/.well-known/webfinger?resource=acct:${name}@example.org`,
];

const ACCESS_HEADERS = ['cross-origin-resource-policy', 'access-control-allow-origin'];

describe('the page of a display name', () => {
  it('is public, with its files', async () => {
    const { name } = await publish();
    const types = await Promise.all(
      files(name).map(async (path) => {
        const { status, headers } = await get(path);
        return [status, headers['content-type'], headers['cache-control']];
      }),
    );
    expect(types).toEqual([
      [200, 'text/html; charset=utf-8', 'no-cache'],
      [200, 'image/png', 'no-cache'],
      [200, 'image/svg+xml', 'no-cache'],
      [200, 'text/vcard; charset=utf-8', 'no-cache'],
      [200, 'application/json; charset=utf-8', 'no-cache'],
      [200, 'application/jrd+json', 'no-cache'],
    ]);
  });

  it('has one canonical URL: other case and a trailing slash redirect, and %40 means @', async () => {
    const { name } = await publish();
    for (const [path, location] of [
      [`/@${name.toUpperCase()}`, `https://example.org/@${name}`],
      [`/@${name}/`, `https://example.org/@${name}`],
      [`/@${name.toUpperCase()}/qr.svg`, `https://example.org/@${name}/qr.svg`],
    ] as const)
      expect(await get(path)).toMatchObject({ status: 308, headers: { location } });
    expect((await get(`/%40${name}`)).body).toEqual((await get(`/@${name}`)).body);
  });

  it('is compressed as the client accepts, and not sent again if it is unchanged', async () => {
    const { name } = await publish();
    const identity = await get(`/@${name}`);
    const br = await get(`/@${name}`, { 'accept-encoding': 'gzip, br' });
    const gzip = await get(`/@${name}`, { 'accept-encoding': 'gzip;q=1, br;q=0.1' });
    expect(br.headers['content-encoding']).toBe('br');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(brotliDecompressSync(br.body)).toEqual(identity.body);
    expect(gunzipSync(gzip.body)).toEqual(identity.body);
    const tags = [identity, br, gzip].map(({ headers }) => String(headers.etag));
    expect(new Set(tags).size).toBe(3);
    for (const path of files(name)) {
      const { headers } = await get(path, { 'accept-encoding': 'br' });
      expect(headers.vary).toBe('accept-encoding');
      const again = await get(path, {
        'accept-encoding': 'br',
        'if-none-match': `"other", ${String(headers.etag)}`,
      });
      expect({ status: again.status, body: again.body.length }).toEqual({ status: 304, body: 0 });
      // A 304 repeats the headers that decide who may see the page; the cache has the rest.
      for (const header of ['etag', 'vary', 'cache-control', ...ACCESS_HEADERS])
        expect(again.headers[header]).toBe(headers[header]);
      for (const header of ['content-type', 'content-security-policy', 'permissions-policy'])
        expect(again.headers).not.toHaveProperty(header);
    }
    const changed = await get(`/@${name}`, { 'if-none-match': '"other"' });
    expect(changed.status).toBe(200);
  });

  it('answers HEAD like GET without a body, and other methods with 405', async () => {
    const { name } = await publish();
    for (const url of files(name)) {
      const [head, { headers }] = [
        await server.app.inject({ method: 'HEAD', url }),
        await get(url),
      ];
      expect(head.statusCode).toBe(200);
      expect(head.headers.etag).toBe(headers.etag);
      expect(head.headers['content-length']).toBe(headers['content-length']);
      expect(head.payload).toBe('');
      const post = await server.app.inject({ method: 'POST', url });
      expect({ status: post.statusCode, allow: post.headers.allow }).toEqual({
        status: 405,
        allow: 'GET, HEAD',
      });
    }
  });

  it('is the same for every visitor, whatever they send', async () => {
    const { account, name } = await publish();
    const cookie = (await logIn(server, account.id))['cookie']!;
    for (const path of files(name)) {
      const plain = await get(path);
      for (const headers of [
        { cookie },
        { host: '127.0.0.1:8080' },
        { host: 'Example.ORG.:8443' },
        { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'http' },
        { forwarded: 'host=elsewhere.example;proto=http' },
        { 'x-original-url': '/@elsewhere', 'x-rewrite-url': '/@elsewhere' },
        { 'accept-language': 'pt', 'user-agent': 'somebody/1.0' },
      ])
        expect([path, headers, await get(path, headers)]).toEqual([path, headers, plain]);
      const query = path.includes('?') ? '&x=1' : '?x=1';
      expect(await get(path + query)).toEqual(plain);
      expect(plain.headers).not.toHaveProperty('set-cookie');
    }
  });

  it('has only its own files, so a cache cannot be confused', async () => {
    const { name } = await publish();
    for (const end of [
      '/x.css',
      '/x.js',
      ';x',
      ';x.css',
      '.css',
      '%2f',
      '%2fx.css',
      '/page.json/x',
    ]) {
      const existing = await get(`/@${name}${end}`);
      expect([end, existing.status, existing.headers['cache-control']]).toEqual([
        end,
        404,
        'no-store',
      ]);
      expect(await get(`/@nobody-has-this${end}`)).toEqual(existing);
    }
    for (const path of ['/sitemap.xml', '/dashboard/x.css', '/dashboard/assets/x.css'])
      expect([path, (await get(path)).headers['cache-control']]).toEqual([path, 'no-store']);
  });

  it('contains nothing of the name’s previous owner', async () => {
    const { account, name } = await publish('The first');
    const before = await get(`/@${name}`);
    const { db } = server.database;
    await db.deleteFrom('display_names').where('name', '=', name).execute();
    await db.deleteFrom('accounts').where('id', '=', account.id).execute();
    const next = await server.createAccount();
    await next.client.account.updateDisplayName({ display_name: name });
    expect((await get(`/@${name}`)).status).toBe(404);
    await next.client.site.updateSiteConfiguration({ bio: 'The second' });
    await next.client.site.toggleSiteVisibility();
    const asked = { 'if-none-match': String(before.headers['etag']) };
    const after = await get(`/@${name}`, asked);
    expect(after.status).toBe(200);
    expect(after.body.toString()).toContain('The second');
    expect(after.body.toString()).not.toContain('The first');
  });

  it('has a compressed picture that other sites may embed', async () => {
    const { name } = await publish();
    const { status, headers, body } = await get(`/@${name}/card.png`, { 'accept-encoding': 'br' });
    expect({ status, ...headers }).toMatchObject({
      status: 200,
      'cross-origin-resource-policy': 'cross-origin',
      'content-length': String(body.length),
    });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(await get(`/@${name}/card.png`)).toMatchObject({
      body,
      headers: { etag: headers.etag },
    });
    expect((await get(`/@${name}/card.png`, {}, other)).body).toEqual(body);
  });

  it('allows its own style and no scripts', async () => {
    const { name } = await publish();
    const { headers, body } = await get(`/@${name}`);
    const style = /<style>([^]*)<\/style>/.exec(body.toString())![1]!;
    const { hash } = await import('node:crypto');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self' https: data:; font-src 'self'; frame-ancestors 'none'`,
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('hidden content', () => {
  it('gets the same response, byte for byte: hidden, suspended, renamed, unknown or invalid name', async () => {
    const hidden = await publish();
    await hidden.account.client.site.toggleSiteVisibility();
    const suspended = await publish();
    await sql`UPDATE accounts SET suspended_at = now() WHERE id = ${suspended.account.id}`.execute(
      server.database.db,
    );
    const renamed = await publish();
    await renamed.account.client.account.updateDisplayName({ display_name: 'elsewhere-now' });
    const absent = await get('/@nobody-at-all');
    expect(absent.status).toBe(404);
    expect(absent.body.toString()).toContain('There is no such page.');
    for (const name of [
      hidden.name,
      suspended.name,
      renamed.name,
      'no',
      'x'.repeat(64),
      '-a-',
      '%00',
    ])
      for (const path of files(name)) expect(await get(path)).toEqual(absent);
    expect(await get(`/@${hidden.name.toUpperCase()}`)).toEqual(absent);
    expect(await get(`/@${hidden.name}/`)).toEqual(absent);
    expect((await get('/@elsewhere-now')).status).toBe(200);
  });

  it('is gone or updated at the next request, on every server', async () => {
    const { account, name } = await publish('before');
    const seen = async () =>
      Promise.all(
        [server, other].map(async (app) => {
          const { status, body } = await get(`/@${name}`, {}, app);
          return status === 200 ? /bio p-note"[^>]*>([^<]*)/.exec(body.toString())?.[1] : status;
        }),
      );
    expect(await seen()).toEqual(['before', 'before']);
    for (let round = 0; round < 5; round += 1) {
      await account.client.site.updateSiteConfiguration({ bio: `after ${round}` });
      expect(await seen()).toEqual([`after ${round}`, `after ${round}`]);
      await account.client.site.toggleSiteVisibility();
      expect(await seen()).toEqual([404, 404]);
      await account.client.site.toggleSiteVisibility();
      expect(await seen()).toEqual([`after ${round}`, `after ${round}`]);
    }
    await account.client.site.updateSiteConfiguration({
      blocks: [{ type: 'text', content: 'new' }],
    });
    expect((await get(`/@${name}`)).body.toString()).toContain('new');
  });

  it('includes disabled blocks, expired links and notes', async () => {
    const { account, name } = await publish();
    await account.client.site.updateSiteConfiguration({
      blocks: [
        { type: 'text', content: 'canary-one', enabled: false },
        { type: 'poll', title: 'shown', note: 'canary-two' },
        { type: 'link', url: 'https://canary-three.example', until: '2020-01-01' },
      ],
    });
    for (const path of files(name))
      expect((await get(path)).body.toString()).not.toContain('canary');
    expect((await get(`/@${name}/page.json`)).body.toString()).toContain('shown');
  });
});

describe('files beside the pages', () => {
  it('include robots.txt and security.txt', async () => {
    expect((await get('/robots.txt')).body.toString()).toBe(
      'User-agent: *\nDisallow: /confirm/\nDisallow: /dashboard\nDisallow: /docs\nDisallow: /owner/\n',
    );
    const security = (await get('/.well-known/security.txt')).body.toString();
    const [, expires] =
      /^Contact: mailto:abuse@example\.org\nExpires: (\d{4}-\d\d-\d\dT[\d:.]+Z)\n$/.exec(security)!;
    // RFC 9116 recommends less than a year.
    expect(Date.parse(expires!) - Date.now()).toBeLessThanOrEqual(365 * 86_400_000);
  });

  it('are logged with the route, without the name', async () => {
    const { name } = await publish();
    await get(`/@${name}`);
    expect(server.log.at(-1)).toMatchObject({ path: '/@:name', status: 200 });
    expect(JSON.stringify(server.log)).not.toContain(name);
  });
});
