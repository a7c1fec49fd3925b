import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Nameplate } from '#client/index.ts';
import { ownerOf } from '#client/owner.ts';
import { eventually } from '../support/eventually.ts';
import { createImage } from '../support/pictures.ts';
import { METRICS_URL_PATTERN } from '../support/prometheus.ts';
import { publishPage } from '../support/publish-page.ts';
import { startServerWithAccount } from '../support/server-process.ts';
import { openTestApp } from '../support/test-app.ts';
import { useShared } from '../support/use-shared.ts';
import { HOST, PAGES_HOST, REMOTE_CLIENT, startCaddy, startNginx } from './proxy.ts';

const NAME_PATH = '/account/get-display-name';
const DOMAIN = 'jane.example';

/** Starts a server with a page behind a proxy, for the tests of a `describe`. */
function useProxy(start: typeof startCaddy, settings: Record<string, string> = {}) {
  return useShared(async (onFinished) => {
    const { server, url, db, id, key } = await startServerWithAccount(
      {
        TRUST_PROXY: 'loopback',
        LOG_ADDRESSES: 'full',
        PUBLIC_URL: `https://${HOST}`,
        CUSTOM_DOMAIN_TARGET: HOST,
        PROMETHEUS_PORT: '0',
        ...settings,
      },
      onFinished,
    );
    await db
      .insertInto('domains')
      .values([
        { account_id: id, domain: DOMAIN, token: 'A'.repeat(22), verified_at: new Date() },
        { account_id: id, domain: 'claimed.example', token: 'B'.repeat(22) },
      ])
      .execute();
    const client = new Nameplate({ apiKey: key, baseUrl: url });
    const { picture } = await ownerOf(client).pictures.uploadPicture(
      new Blob([Uint8Array.from(await createImage().jpeg().toBuffer())], { type: 'image/jpeg' }),
    );
    const items = Array(50).fill({ url: picture.url });
    await publishPage({ client }, 'jane-doe', { blocks: [{ type: 'gallery', items }] });
    return { server, proxy: await start(url, onFinished), key };
  });
}

/** A path with a token for each route that has one. */
async function listTokenPaths(): Promise<string[]> {
  const { app } = await openTestApp();
  const routes = app.printRoutes({ commonPrefix: false }).matchAll(/(\w+)\/:token/g);
  // The tree does not repeat the folder of a nested route.
  return Array.from(routes, ([, route]) =>
    app.hasRoute({ method: 'GET', url: `/${route}/:token` })
      ? `/${route}/canary-token`
      : `/unsubscribe/${route}/canary-token`,
  );
}

/** What both proxies promise. The last test kills the server. */
function itProtectsServer(use: ReturnType<typeof useProxy>): void {
  it('forwards requests, and logs the client’s real address but no query, even if the client sends forged headers', async () => {
    const { server, proxy, key } = use();
    const headers = { 'x-api-key': key, 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'mine' };
    const response = await proxy.request(`${NAME_PATH}?a=b`, { headers, ...REMOTE_CLIENT });
    expect(response).toMatchObject({ status: 200, text: '{"display_name":"jane-doe"}' });
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(response.headers['x-request-id']).toMatch(/^[\da-f-]{32,36}$/);
    await eventually(() => {
      const id = String(response.headers['x-request-id']);
      const line =
        server
          .stdout()
          .split('\n')
          .find((text) => text.includes(id)) ?? '{}';
      expect(JSON.parse(line)).toMatchObject({
        address: '127.0.0.2',
        path: NAME_PATH,
        status: 200,
      });
      expect(line).not.toContain('203.0.113.9');
      expect(proxy.readLog()).toContain(NAME_PATH);
    });
    for (const secret of [key, 'a=b']) expect(proxy.readLog()).not.toContain(secret);
  });

  it('serves a gallery of 50 pictures to five people, and then to a school of 100, behind one address', async () => {
    const { proxy } = use();
    const { text } = await proxy.request('/@jane-doe');
    const picturePaths = Array.from(
      text.matchAll(/ src="([^"]*\/pictures\/[^"]+)"/g),
      ([, path]) => path!,
    );
    expect(picturePaths).toHaveLength(50);
    const [, font = ''] = /url\((\/fonts\/[^)]+)\)/.exec(text)!;
    const paths = ['/@jane-doe', font, ...picturePaths];
    const visit = async (people: number) =>
      (await Promise.all(Array.from({ length: people }, () => proxy.visit(paths)))).flat();
    expect(new Set(await visit(5))).toEqual(new Set([200]));
    // Within a minute, ten at a time.
    for (let group = 0; group < 10; group += 1)
      expect(new Set(await visit(10))).toEqual(new Set([200]));
  });

  it('redirects plain HTTP to TLS, but not with a key', async () => {
    const { proxy, key } = use();
    const requestHttp = async (headers: object, host = '127.0.0.1') => {
      const port = proxy.httpPort;
      const sent = request({ host, port, path: NAME_PATH, headers: { host: HOST, ...headers } });
      const [response] = await once(sent.end(), 'response');
      return [response.statusCode, response.headers.location];
    };
    expect(await requestHttp({})).toEqual([301, `https://${HOST}${NAME_PATH}`]);
    for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])
      expect(await requestHttp(headers)).toEqual([403, undefined]);
    const [status] = await requestHttp({ host: DOMAIN });
    expect([301, 308]).toContain(status);
  });

  it('blocks health checks from other hosts, and its errors look like the API’s and log no secret', async () => {
    const { server, proxy, key } = use();
    expect((await proxy.request('/readyz')).status).toBe(200);
    for (const path of ['/readyz', '/healthz'])
      expect(await proxy.request(path, REMOTE_CLIENT)).toMatchObject({
        status: 403,
        text: '{"error":"This is not for everybody."}',
      });
    const tokenPaths = await listTokenPaths();
    expect(tokenPaths).toContain('/unsubscribe/canary-token');
    for (const path of tokenPaths) {
      await fetch(`http://127.0.0.1:${proxy.httpPort}${path}`, { redirect: 'manual' });
      expect([path, (await proxy.request(path)).status]).toEqual([path, 404]);
    }
    server.signal('SIGKILL');
    await server.exited;
    const headers = { 'x-api-key': key };
    const badGateway = await proxy.request(NAME_PATH, { headers });
    expect(badGateway).toMatchObject({
      status: 502,
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
    });
    expect(JSON.parse(badGateway.text)).toHaveProperty('error');
    for (const path of tokenPaths) expect((await proxy.request(path)).status).toBe(502);
    await eventually(() => expect(proxy.readLog()).toMatch(/\/confirm\/(?:"|\.\.\." 502)/));
    for (const secret of [key, 'canary']) expect(proxy.readLog()).not.toContain(secret);
  });
}

describe('Caddy', () => {
  const use = useProxy(startCaddy);

  it('Caddy gets a certificate for a connected domain, and serves only its page there', async () => {
    const { proxy, key } = use();
    const options = { servername: DOMAIN, ...REMOTE_CLIENT };
    expect(await proxy.certificates()).toBe(HOST);
    const page = await proxy.request('/', options);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<link rel="canonical" href="https://${DOMAIN}" />`);
    expect(page.headers['strict-transport-security']).toBeUndefined();
    const headers = { 'x-api-key': key };
    for (const path of [NAME_PATH, '/dashboard/', '/docs/', '/@jane-doe', '/owner/openapi.json'])
      expect([path, (await proxy.request(path, { ...options, headers })).status]).toEqual([
        path,
        404,
      ]);
    expect((await proxy.request('/readyz', options)).status).toBe(403);
    expect((await proxy.request('/@jane-doe')).status).toBe(200);

    // An unverified domain gets none, and is not served with the certificate of another domain.
    for (const servername of ['unknown.example', 'claimed.example', 'www.jane.example']) {
      await expect(proxy.request('/', { servername, rejectUnauthorized: false })).rejects.toThrow(
        /alert internal error/,
      );
      const otherHost = { servername: DOMAIN, headers: { host: servername } };
      expect((await proxy.request('/', otherHost)).status).toBe(421);
    }
    expect(await proxy.certificates()).toBe(`${DOMAIN} ${HOST}`);
  });

  itProtectsServer(use);
});

describe('nginx', () => {
  const use = useProxy(startNginx);

  it('nginx serves both IP versions, but not the metrics', async () => {
    const { server, proxy } = use();
    expect((await proxy.request('/readyz', { host: '::1' })).status).toBe(200);
    expect((await fetch(`http://[::1]:${proxy.httpPort}`, { redirect: 'manual' })).status).toBe(
      301,
    );
    const [, metrics = ''] = await server.waitFor(METRICS_URL_PATTERN);
    expect((await fetch(metrics)).status).toBe(200);
    expect((await proxy.request('/metrics', REMOTE_CLIENT)).status).toBe(404);
  });

  it('nginx refuses bodies over the limit of their endpoint', async () => {
    const { proxy, key } = use();
    const post = async (path: string, type: string, bytes: number) => {
      const headers = { 'x-api-key': key, 'content-type': type, 'content-length': `${bytes}` };
      return proxy.request(path, { method: 'POST', headers }, 'x'.repeat(bytes));
    };
    const large = await post('/site/update-site-configuration', 'application/json', 1_048_577);
    expect(large.status).toBe(413);
    expect(large.text).toBe('{"error":"The request body is larger than 1 MiB."}');
    const upload = async (bytes: number) =>
      (await post('/owner/pictures/upload-picture', 'image/png', bytes)).text;
    // Nameplate itself rejects these uploads. The first is not a picture, the second is too large.
    expect(await upload(5 * 1_048_576)).not.toMatch(/larger/);
    expect(await upload(10 * 1_048_576 + 1)).toContain('larger than 10 MiB');
    // nginx rejects this one.
    const text = '{"error":"The request body is larger than 10 MiB."}';
    expect(await upload(12_000_000)).toBe(text);
  });

  it('nginx limits the requests of one IP address, and serves others at the same time', async () => {
    const { proxy, key } = use();
    // Not the client of the next tests, which nginx would serve only now and then.
    const client = { localAddress: '127.0.0.9' };
    // nginx rejects this path itself, so the client is fast enough to exceed the rate limit.
    const paths = Array<string>(1_000).fill('/healthz');
    const flood = async () => {
      const visits = Array.from({ length: 8 }, () => proxy.visit(paths, client.localAddress));
      const requests = Array.from({ length: 20 }, () => proxy.request('/healthz', client));
      const other = await proxy.request(NAME_PATH, { headers: { 'x-api-key': key } });
      expect(other.status).toBe(200);
      expect(new Set((await Promise.all(visits)).flat())).toEqual(new Set([403, 429]));
      return (await Promise.all(requests)).find(({ status }) => status === 429);
    };
    // The first flood uses up what nginx lets a network save.
    expect(await eventually(flood, Boolean)).toMatchObject({
      headers: { 'retry-after': '1' },
      text: '{"error":"Too many requests at once; try again in a moment."}',
    });
  });

  itProtectsServer(use);
});

describe('nginx with the documented configuration for pages on a separate host', () => {
  const use = useProxy(
    async (url, onFinished) => {
      const documentation = await readFile('docs/scaling.md', 'utf8');
      const [, line = ''] = /`(location ~ .+?)`/.exec(documentation)!;
      return startNginx(url, onFinished, (site) => {
        const [head = '', ...blocks] = site.split(/^(?=server \{$)/m);
        const apiServers = blocks.join('').replace('  # Pictures have', `  ${line}\n$&`);
        const pagesServers = blocks
          .join('')
          .replaceAll(/server_name .*;/g, `server_name ${PAGES_HOST};`);
        return [head, apiServers, pagesServers].join('\n');
      });
    },
    { PAGES_URL: `https://${PAGES_HOST}` },
  );

  it('nginx with the documented configuration for pages on a separate host serves them there, and redirects the main host', async () => {
    const { proxy, key } = use();
    const location = `https://${PAGES_HOST}/@jane-doe`;
    const pagesHost = { servername: PAGES_HOST };
    expect(await proxy.request('/@jane-doe')).toMatchObject({ status: 301, headers: { location } });
    const page = await proxy.request('/@jane-doe', pagesHost);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<link rel="canonical" href="${location}" />`);
    const headers = { 'x-api-key': key };
    expect((await proxy.request(NAME_PATH, { headers })).status).toBe(200);
    expect((await proxy.request(NAME_PATH, { headers, ...pagesHost })).status).toBe(404);
  });
});
