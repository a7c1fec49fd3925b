import { readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import { Nameplate } from '../../client/src/index.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertAccountWithKey } from '#server/features/accounts/create-account.ts';
import { eventually } from '../support/eventually.ts';
import { publishPage } from '../support/publish-page.ts';
import { METRICS_URL_PATTERN } from '../support/prometheus.ts';
import { startServer } from '../support/server-process.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { type Nginx, PAGES_HOST, startNginx } from './nginx.ts';

const NAME_PATH = '/account/get-display-name';
/** A client that is not local from nginx's point of view. */
const REMOTE_CLIENT = { localAddress: '127.0.0.2' };

async function startBehindNginx(
  settings: Record<string, string> = {},
  editSite?: (site: string) => string,
) {
  const { db, url: DATABASE_URL, close } = await openTestDatabase();
  const { api_key: key } = await inTransaction(db, insertAccountWithKey);
  await close();
  const server = await startServer({
    DATABASE_URL,
    TRUST_PROXY: 'loopback',
    LOG_ADDRESSES: 'full',
    PUBLIC_URL: 'https://nameplate.example',
    PROMETHEUS_PORT: '0',
    ...settings,
  });
  const nginx: Nginx = await startNginx(server.url, editSite);
  onTestFinished(nginx.stop);
  return { server, nginx, key };
}

it('nginx forwards requests, and the log has the client’s real address, even if the client sends forged headers', async () => {
  const { server, nginx, key } = await startBehindNginx();
  const headers = { 'x-api-key': key, 'x-forwarded-for': '203.0.113.9' };
  const response = await nginx.request(`${NAME_PATH}?a=b`, { headers, ...REMOTE_CLIENT });
  expect(response).toMatchObject({ status: 200, text: '{"display_name":""}' });
  expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
  await eventually(() => {
    const line =
      server
        .stdout()
        .split('\n')
        .find((text) => text.includes(NAME_PATH)) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ address: '127.0.0.2', path: NAME_PATH, status: 200 });
    expect(line).not.toContain('203.0.113.9');
  });
  await eventually(async () => {
    const log = await nginx.readLog();
    expect(log).toContain(`"GET ${NAME_PATH}" 200`);
    expect(log).toContain(String(response.headers['x-request-id']));
    for (const secret of [key, 'a=b']) expect(log).not.toContain(secret);
  });
});

it('nginx blocks metrics and health checks from other hosts, and its own errors look like the API’s', async () => {
  const { server, nginx, key } = await startBehindNginx();
  const [, metrics = ''] = await server.waitFor(METRICS_URL_PATTERN);
  expect((await fetch(metrics)).status).toBe(200);
  expect((await nginx.request('/metrics', REMOTE_CLIENT)).status).toBe(404);
  for (const host of ['127.0.0.1', '::1'])
    expect((await nginx.request('/readyz', { host })).status).toBe(200);
  for (const path of ['/readyz', '/healthz'])
    expect(await nginx.request(path, REMOTE_CLIENT)).toMatchObject({
      status: 403,
      text: '{"error":"This is not for everybody."}',
    });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const largeBody = JSON.stringify({ bio: 'x'.repeat(1_048_576) });
  const refused = await nginx.request(
    '/site/update-site-configuration',
    { method: 'POST', headers: { ...headers, 'content-length': String(largeBody.length) } },
    largeBody,
  );
  expect(refused).toMatchObject({
    status: 413,
    text: '{"error":"The request body is larger than 1 MiB."}',
  });
  const upload = async (bytes: number) => {
    const { text } = await nginx.request(
      '/owner/pictures/upload',
      { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'image/png' } },
      'x'.repeat(bytes),
    );
    return text;
  };
  // Nameplate itself rejects these uploads. The first is not a picture, the second is too large.
  expect(await upload(5 * 1_048_576)).not.toMatch(/larger/);
  expect(await upload(10 * 1_048_576 + 1)).toContain('larger than 10 MiB');
  server.signal('SIGKILL');
  await server.exited;
  expect(await nginx.request(NAME_PATH, { headers })).toMatchObject({ status: 502 });
});

it('nginx limits the requests of one IP address, and serves others at the same time', async () => {
  const { nginx, key } = await startBehindNginx();
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  onTestFinished(() => agent.destroy());
  const responses = await Promise.all(
    // nginx rejects this path itself, so the client is fast enough to exceed the rate limit.
    Array.from({ length: 1_000 }, () => nginx.request('/healthz', { agent, ...REMOTE_CLIENT })),
  );
  const other = await nginx.request(NAME_PATH, { headers: { 'x-api-key': key } });
  const [servedResponses, refusedResponses] = [403, 429].map((expected) =>
    responses.filter(({ status }) => status === expected),
  );
  expect(servedResponses!.length).toBeGreaterThan(200);
  expect(refusedResponses!.length).toBe(1_000 - servedResponses!.length);
  expect(refusedResponses?.[0]).toMatchObject({
    headers: { 'retry-after': '1' },
    text: '{"error":"Too many requests at once; try again in a moment."}',
  });
  expect(other.status).toBe(200);
});

it('nginx logs no token of a mailed link, also when the server is gone', async () => {
  const { server, nginx } = await startBehindNginx();
  const path = '/confirm/canary-token';
  await fetch(nginx.httpUrl + path, { redirect: 'manual' });
  expect((await nginx.request(path)).status).toBe(404);
  server.signal('SIGKILL');
  await server.exited;
  expect((await nginx.request(path)).status).toBe(502);
  await eventually(async () => {
    const log = await nginx.readLog();
    for (const status of [301, 404, 502]) expect(log).toContain(`"GET /confirm/..." ${status}`);
    expect(log).not.toContain('canary');
  });
});

it('plain HTTP redirects to TLS, but not with a key', async () => {
  const { nginx, key } = await startBehindNginx();
  const requestHttp = (headers: Record<string, string>) =>
    fetch(nginx.httpUrl + NAME_PATH, { headers, redirect: 'manual' });
  const redirect = await requestHttp({});
  expect(redirect.status).toBe(301);
  expect(redirect.headers.get('location')).toBe(`https://nameplate.example${NAME_PATH}`);
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])
    expect((await requestHttp(headers)).status).toBe(403);
  const ipv6Url = nginx.httpUrl.replace('127.0.0.1', '[::1]');
  expect((await fetch(ipv6Url, { redirect: 'manual' })).status).toBe(301);
});

it('the documented configuration serves pages on a separate host, and the main host redirects there', async () => {
  const documentation = await readFile('docs/scaling.md', 'utf8');
  const [, line = ''] = /`(location ~ .+?)`/.exec(documentation)!;
  const { server, nginx, key } = await startBehindNginx(
    { PAGES_URL: `https://${PAGES_HOST}` },
    (site) => {
      const [head = '', ...blocks] = site.split(/^(?=server \{$)/m);
      const apiServers = blocks.join('').replace('  # Pictures have', `  ${line}\n$&`);
      const pagesServers = blocks
        .join('')
        .replaceAll(/server_name .*;/g, `server_name ${PAGES_HOST};`);
      return [head, apiServers, pagesServers].join('\n');
    },
  );
  const client = new Nameplate({ apiKey: key, baseUrl: server.url });
  await publishPage({ client }, 'jane-doe');
  const pageUrl = `https://${PAGES_HOST}/@jane-doe`;
  const pagesHost = { servername: PAGES_HOST };
  expect(await nginx.request('/@jane-doe')).toMatchObject({
    status: 301,
    headers: { location: pageUrl },
  });
  expect(await nginx.request('/@jane-doe', pagesHost)).toMatchObject({
    status: 200,
    text: expect.stringContaining(`<link rel="canonical" href="${pageUrl}" />`) as string,
  });
  const headers = { 'x-api-key': key };
  expect((await nginx.request(NAME_PATH, { headers })).status).toBe(200);
  expect((await nginx.request(NAME_PATH, { headers, ...pagesHost })).status).toBe(404);
});
