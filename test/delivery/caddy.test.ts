import { request } from 'node:http';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { Nameplate } from '../../client/src/index.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertAccountWithKey } from '#server/features/accounts/create-account.ts';
import { eventually } from '../support/eventually.ts';
import { publishPage } from '../support/publish-page.ts';
import { startServer } from '../support/server-process.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { startCaddy } from './caddy.ts';

const NAME_PATH = '/account/get-display-name';
const DOMAIN = 'jane.example';
/** A client that is not local from Caddy's point of view. */
const REMOTE_CLIENT = { localAddress: '127.0.0.2' };

async function startBehindCaddy() {
  const { db, url: DATABASE_URL, close } = await openTestDatabase();
  const { account_id, api_key: key } = await inTransaction(db, insertAccountWithKey);
  await db
    .insertInto('domains')
    .values([
      { account_id, domain: DOMAIN, token: 'A'.repeat(22), verified_at: new Date() },
      { account_id, domain: 'claimed.example', token: 'B'.repeat(22) },
    ])
    .execute();
  await close();
  const server = await startServer({
    DATABASE_URL,
    TRUST_PROXY: 'loopback',
    LOG_ADDRESSES: 'full',
    PUBLIC_URL: 'https://nameplate.example',
    CUSTOM_DOMAIN_TARGET: 'nameplate.example',
  });
  const client = new Nameplate({ apiKey: key, baseUrl: server.url });
  await publishPage({ client }, 'jane-doe');
  const caddy = await startCaddy(server.url);
  onTestFinished(caddy.stop);
  return { server, caddy, key };
}

it('Caddy forwards requests, and the log has the client’s real address, even if the client sends forged headers', async () => {
  const { server, caddy, key } = await startBehindCaddy();
  const headers = { 'x-api-key': key, 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'mine' };
  const response = await caddy.request(`${NAME_PATH}?a=b`, { headers, ...REMOTE_CLIENT });
  expect(response).toMatchObject({ status: 200, text: '{"display_name":"jane-doe"}' });
  expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
  expect(response.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  await eventually(() => {
    const line =
      server
        .stdout()
        .split('\n')
        .find((text) => text.includes('127.0.0.2')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ address: '127.0.0.2', path: NAME_PATH, status: 200 });
    expect(line).not.toContain('203.0.113.9');
  });
});

it('a connected domain gets a certificate and serves only its page', async () => {
  const { server, caddy, key } = await startBehindCaddy();
  const headers = { 'x-api-key': key };
  const options = { servername: DOMAIN, ...REMOTE_CLIENT };
  expect(await caddy.certificates()).toBe('nameplate.example');
  const page = await caddy.request('/', options);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`<link rel="canonical" href="https://${DOMAIN}" />`);
  expect(page.headers['strict-transport-security']).toBeUndefined();
  expect(await caddy.certificates()).toBe(`${DOMAIN} nameplate.example`);
  await eventually(() => expect(server.stdout()).toMatch(/"address":"127\.0\.0\.2"/));
  for (const path of [NAME_PATH, '/dashboard/', '/docs/', '/@jane-doe', '/owner/openapi.json'])
    expect([path, (await caddy.request(path, { ...options, headers })).status]).toEqual([
      path,
      404,
    ]);
  expect((await caddy.request('/readyz', options)).status).toBe(403);
  expect((await caddy.request('/@jane-doe')).status).toBe(200);
});

it('an unverified domain gets no certificate, and is not served with the certificate of another domain', async () => {
  const { caddy } = await startBehindCaddy();
  for (const servername of ['unknown.example', 'claimed.example', 'www.jane.example']) {
    await expect(caddy.request('/', { servername, rejectUnauthorized: false })).rejects.toThrow(
      /alert internal error/,
    );
    const otherHost = { servername: DOMAIN, headers: { host: servername } };
    expect((await caddy.request('/', otherHost)).status).toBe(421);
  }
  expect(await caddy.certificates()).toBe(`${DOMAIN} nameplate.example`);
});

it('plain HTTP redirects to TLS on every host, but not with a key', async () => {
  const { caddy, key } = await startBehindCaddy();
  const requestHttp = async (host: string, headers: Record<string, string> = {}) => {
    const httpRequest = request({
      ...{ host: '127.0.0.1', port: caddy.httpPort, path: `${NAME_PATH}?a=b` },
      headers: { host, ...headers },
    });
    const [{ statusCode, headers: responseHeaders }] = await once(httpRequest.end(), 'response');
    return [statusCode, responseHeaders.location];
  };
  expect(await requestHttp('nameplate.example')).toEqual([
    301,
    `https://nameplate.example${NAME_PATH}?a=b`,
  ]);
  expect(await requestHttp(DOMAIN)).toEqual([308, `https://${DOMAIN}${NAME_PATH}?a=b`]);
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])
    expect(await requestHttp('nameplate.example', headers)).toEqual([403, undefined]);
});

it('Caddy blocks health checks from other hosts, and its errors contain no key', async () => {
  const { server, caddy, key } = await startBehindCaddy();
  expect((await caddy.request('/readyz')).status).toBe(200);
  for (const path of ['/readyz', '/healthz'])
    expect(await caddy.request(path, REMOTE_CLIENT)).toMatchObject({
      status: 403,
      text: '{"error":"This is not for everybody."}',
    });
  server.signal('SIGKILL');
  await server.exited;
  const badGateway = await caddy.request(`${NAME_PATH}?secret=b`, {
    headers: { 'x-api-key': key },
  });
  expect(badGateway).toMatchObject({
    status: 502,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
  });
  expect(JSON.parse(badGateway.text)).toHaveProperty('error');
  expect((await caddy.request('/confirm/canary-token')).status).toBe(502);
  await eventually(() => expect(caddy.readLog()).toContain(`"uri":"${NAME_PATH}"`));
  await eventually(() => expect(caddy.readLog()).toContain('"uri":"/confirm/"'));
  for (const secret of [key, 'secret', 'canary']) expect(caddy.readLog()).not.toContain(secret);
});
