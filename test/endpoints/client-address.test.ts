import { beforeEach, expect, it } from 'vitest';
import type { GetServerResponse } from '#client/owner.ts';
import { ConfigError, loadConfig } from '#server/platform/settings/config.ts';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { logIn } from '../support/session.ts';
import { type TestApp, openTestApp, startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const PROXY = '10.1.2.3';
const CLIENT = '203.0.113.9';
const STATUS = '/site/get-site-status';

/** Trusts proxies on loopback and in 10.0.0.0/8. Blocks an address after five refused requests. */
const { server: proxiedApp } = useServer({
  TRUST_PROXY: loadConfig({ TRUST_PROXY: 'loopback, 10.0.0.0/8' }).TRUST_PROXY,
  LOG_ADDRESSES: 'full',
  rateLimitOptions: { requestsPerMinute: 5 },
});
beforeEach(() => {
  proxiedApp.log.length = 0;
});

function request({ app }: TestApp, remoteAddress: string, forwardedFor?: string) {
  const headers: Record<string, string> =
    forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return call(app, { path: STATUS, remoteAddress, headers });
}

it.each([
  ['that the proxy names', PROXY, CLIENT, CLIENT],
  ['before the last proxy, not what a client claims', PROXY, `1.1.1.1, ${CLIENT}`, CLIENT],
  ['before several proxies', '127.0.0.1', `${CLIENT}, 10.9.9.9`, CLIENT],
  ['of who is no proxy, whatever it says', CLIENT, '1.1.1.1', CLIENT],
  ['of the proxy, where it passes on what is no address', PROXY, 'canary', PROXY],
  ['of who asks without a proxy', CLIENT, undefined, CLIENT],
  ['in one spelling', PROXY, `::ffff:${CLIENT}`, CLIENT],
  ['without a port', PROXY, `${CLIENT}:51234`, CLIENT],
  ['without the ports of several proxies', PROXY, `${CLIENT}:51234, 10.9.9.9:80`, CLIENT],
  ['without brackets', PROXY, '[2001:db8::1]', '2001:db8::1'],
  ['without brackets and a port', PROXY, '[2001:db8::1]:443, [::1]:80', '2001:db8::1'],
  ['in one spelling, also in brackets', PROXY, `[::ffff:${CLIENT}]:443`, CLIENT],
  ['without quotes', PROXY, `"${CLIENT}"`, CLIENT],
  ['without quotes, brackets and a port', PROXY, '"[2001:db8::1]:443"', '2001:db8::1'],
  ['without a zone', PROXY, 'fe80::1%eth0', 'fe80::1'],
  ['without a zone in brackets', PROXY, '[fe80::1%25eth0]:443', 'fe80::1'],
  ['without blanks', PROXY, ` 1.1.1.1 ,\t${CLIENT}:1 , `, CLIENT],
  ['of the proxy, where it hides the client', PROXY, 'unknown', PROXY],
  ['of the proxy, where it names the client for itself', PROXY, '_hidden', PROXY],
  ['of the whole host, also of IPv6', PROXY, '2001:DB8:0:0::1', '2001:db8::1'],
])(
  'behind a trusted proxy, with LOG_ADDRESSES=full, a log line contains the client address %s',
  async (_rule, remoteAddress, forwardedFor, address) => {
    await request(proxiedApp, remoteAddress, forwardedFor);
    const lines = proxiedApp.log.filter(({ msg }) => msg === 'request');
    expect(lines).toMatchObject([{ address }]);
    expect(JSON.stringify(proxiedApp.log)).not.toContain('canary');
  },
);

it('behind a trusted proxy, with LOG_ADDRESSES=full, a log line contains the client address that is used to count requests without a valid key', async () => {
  const sendFromClients = async (...clients: string[]) => {
    const requests = clients.map((client) => request(proxiedApp, PROXY, client));
    return (await Promise.all(requests)).map(({ status }) => status);
  };
  const [first, second] = ['198.51.100.1', '198.51.100.2'];
  expect(await sendFromClients(...Array<string>(5).fill(first))).toEqual(Array(5).fill(401));
  expect(await sendFromClients(first, `${second}, ${first}`, second)).toEqual([429, 429, 401]);
});

const WARNING = 'a trusted proxy sends no client address in X-Forwarded-For';
const send = async (
  { app }: TestApp,
  headers: Record<string, string>,
  remoteAddress = PROXY,
): Promise<unknown> =>
  (await call(app, { path: '/healthz', remoteAddress, headers })).headers['x-client-address'];

it('a trusted proxy that sends no client address that can be read is logged once an hour, and is a finding', async () => {
  const testApp = await openTestApp({ TRUST_PROXY: [PROXY, 'loopback'] });
  const { proxyMonitor } = testApp.app;
  expect(await send(testApp, { 'x-forwarded-for': CLIENT, forwarded: 'for=x' })).toBeUndefined();
  expect(await send(testApp, { 'x-forwarded-for': 'canary' }, CLIENT)).toBe('untrusted');
  expect(await send(testApp, { forwarded: 'for=1.1.1.1' }, CLIENT)).toBeUndefined();
  expect(proxyMonitor.unreadableProxy).toBeUndefined();
  for (const headers of [
    { 'x-forwarded-for': `${CLIENT}.canary` },
    { 'x-forwarded-for': `${CLIENT}, canary, 127.0.0.1` },
    { forwarded: `for=${CLIENT}` },
    { 'x-forwarded-for': ' ', 'x-real-ip': CLIENT },
  ])
    expect(await send(testApp, headers)).toBe('unreadable');
  const warnings = testApp.log.filter(({ msg }) => msg === WARNING);
  expect(warnings).toMatchObject([{ level: 40, proxy: PROXY }]);
  expect(JSON.stringify(warnings)).not.toContain('canary');
  const operator = await createOperator(testApp);
  const session = await logIn(testApp, operator.id);
  const { body } = await call(testApp.app, {
    path: '/owner/server/get-server',
    headers: session,
  });
  expect((body as GetServerResponse).setup).toContainEqual(
    expect.objectContaining({ code: 'clientAddressUnknown', level: 'warning', value: PROXY }),
  );
});

it('without a trusted proxy, the log contains no address and no header is trusted', async () => {
  const withoutProxy = await openTestApp({ rateLimitOptions: { requestsPerMinute: 1 } });
  expect((await request(withoutProxy, CLIENT, '198.51.100.1')).status).toBe(401);
  expect((await request(withoutProxy, CLIENT, '198.51.100.2')).status).toBe(429);
  for (const line of withoutProxy.log) expect(line).not.toHaveProperty('address');
});

it.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
])('LOG_ADDRESSES network shortens %s to %s', async (address, network) => {
  const testApp = await openTestApp({ LOG_ADDRESSES: 'network' });
  await request(testApp, address);
  expect(testApp.log).toMatchObject([{ msg: 'request', address: network }]);
});

it('LOG_ADDRESSES is none by default, also behind a proxy', async () => {
  expect(loadConfig({}).LOG_ADDRESSES).toBe('none');
  const testApp = await openTestApp({ TRUST_PROXY: ['loopback'] });
  await request(testApp, '127.0.0.1', CLIENT);
  expect(testApp.log).toMatchObject([{ msg: 'request' }]);
  expect(JSON.stringify(testApp.log)).not.toContain(CLIENT);
});

it.each([
  ['all', [200, 401]],
  ['failed', [401]],
  ['none', []],
] as const)('LOG_REQUESTS=%s logs the statuses %j', async (requests, statuses) => {
  const testApp = await openTestApp({ LOG_REQUESTS: requests });
  await call(testApp.app, { path: '/healthz' });
  await request(testApp, CLIENT);
  expect(testApp.log.map(({ status }) => status)).toEqual(statuses);
});

it.each(['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8', 'loopback', 'linklocal', 'uniquelocal'])(
  'TRUST_PROXY accepts %s, and so does the server',
  async (entry) => {
    const { TRUST_PROXY: trustProxy } = loadConfig({ TRUST_PROXY: entry });
    expect(trustProxy).toEqual([entry]);
    await (await startTestApp({ TRUST_PROXY: trustProxy })).close();
  },
);

// Trusting a number of proxies, or all addresses, would trust clients that bypass the proxies.
it.each(['true', '1', '*', '0.0.0.0/0', '10.0.0.0/33', '::1/129', '10.0.0.1/8/9', 'proxy.test'])(
  'TRUST_PROXY does not accept %s',
  (entry) => {
    expect(() => loadConfig({ TRUST_PROXY: `127.0.0.1,${entry}` })).toThrow(ConfigError);
    expect(() => loadConfig({ TRUST_PROXY: `127.0.0.1,${entry}` })).toThrow(
      /^Invalid settings: TRUST_PROXY must be addresses or networks [^\n]+: \S+\.$/,
    );
  },
);
