import { expect, it } from 'vitest';
import { describeServer } from '#server/entry/oauth/metadata.ts';
import { ROUTES } from '#server/features/oauth/provider.ts';
import { ISSUER } from './support/oauth-browser.ts';
import { SdkClient } from './support/sdk-client.ts';
import { MCP, startLogin, useOAuth } from './support/use-oauth.ts';

const fixture = useOAuth();
const { server } = fixture;

const get = async (url: string, headers: Record<string, string> = {}) => {
  const response = await server.app.inject({ url, headers });
  expect(response.statusCode).toBe(200);
  return response.json<Record<string, unknown>>();
};

const ATTACK = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  forwarded: 'host=evil.example;proto=http',
};

/** Programs in a browser can read the response. */
const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': expect.stringContaining('retry-after') as string,
};

it.each(['', '/mcp'])(
  'the documents name the same issuer, also with %j behind them',
  async (path) => {
    const openId = await get(`/.well-known/openid-configuration${path}`, ATTACK);
    expect(await get(`/.well-known/oauth-authorization-server${path}`)).toEqual(openId);
    expect(openId['issuer']).toBe(ISSUER);
    expect(await get(`/.well-known/oauth-protected-resource${path}`)).toMatchObject({
      resource: MCP,
      authorization_servers: [ISSUER],
      scopes_supported: ['read', 'page', 'metrics', 'all'],
    });
  },
);

it('the documents say what the library does', async () => {
  const provider = await server.nameplate.oauth.loadProvider();
  const { default: inject } = await import('light-my-request');
  const { payload } = await inject(provider.callback() as never, {
    url: '/.well-known/openid-configuration',
    headers: { host: new URL(ISSUER).host },
  });
  const ours = describeServer(ISSUER);
  const library = JSON.parse(payload.replaceAll('http://nameplate.example', ISSUER)) as Record<
    string,
    unknown
  >;
  // The first page, the logout, the registration and the documents of clients are ours.
  const { authorization_endpoint: _own, response_modes_supported: _modes, ...shared } = library;
  const sorted = (values: object) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.toSorted() : value,
      ]),
    );
  const { claim_types_supported: _types, ...claims } = sorted(shared);
  const { claims_supported, ...others } = claims as { claims_supported: string[] };
  expect(sorted(ours)).toMatchObject(others);
  for (const claim of ours['claims_supported'] as string[])
    expect(claims_supported).toContain(claim);
});

it('the running library has nothing on that is not meant to be', async () => {
  const provider = await server.nameplate.oauth.loadProvider();
  const { default: instance } = (await import(
    new URL('../../node_modules/oidc-provider/lib/helpers/weak_cache.js', import.meta.url).href
  )) as {
    default: (provider: unknown) => {
      configuration: { features: Record<string, { enabled: boolean }> } & Record<string, unknown>;
    };
  };
  const { configuration } = instance(provider);
  const enabled = Object.entries(configuration.features).filter(([, feature]) => feature.enabled);
  expect(enabled.map(([name]) => name).toSorted()).toEqual([
    'backchannelLogout',
    'introspection',
    'resourceIndicators',
    'revocation',
    'userinfo',
  ]);
  expect(configuration).toMatchObject({
    responseTypes: ['code'],
    rotateRefreshToken: true,
    conformIdTokenClaims: false,
    enableHttpPostMethods: false,
    acceptQueryParamAccessTokens: false,
    ttl: { AuthorizationCode: 60, RefreshToken: 90 * 86_400, Grant: 3_650 * 86_400 },
    cookies: { short: { signed: true, httpOnly: true, sameSite: 'lax' } },
  });
  expect((configuration['cookies'] as { keys: string[] }).keys[0]).toMatch(/^[\w-]{43}$/);
});

it('no address in a flow follows what the caller says about the host', async () => {
  const website = await fixture.createWebsite();
  const { url } = await startLogin(website);
  const response = await server.app.inject({
    url: url.slice(ISSUER.length).replace('/oauth/authorize', ROUTES.authorization),
    headers: ATTACK,
  });
  expect(response.statusCode).toBe(303);
  expect(response.headers.location).toMatch(/^\/oauth\/flow\/[\w-]+\/consent$/);
  expect(JSON.stringify(response.headers)).not.toContain('evil.example');
  const cookies = [response.headers['set-cookie']].flat() as string[];
  for (const cookie of cookies) expect(cookie).toMatch(/; secure; httponly/i);
  const other = await server.app.inject({
    url: '/oauth/authorize',
    headers: { host: 'evil.example' },
  });
  expect(other.statusCode).toBeGreaterThanOrEqual(400);
});

it('too many tokens of one member are OAuth’s own 429 there, and nowhere else', async () => {
  await server.sql`INSERT INTO oauth_clients (id, kind, name, redirect_uris)
    VALUES ('public', 'program', 'Assistant', '{http://localhost/callback}')`;
  const { browser } = await fixture.createMember();
  const app = new SdkClient(fixture.fetch, { redirectUrl: 'http://localhost/callback' });
  app.client = { client_id: 'public', redirect_uris: [app.redirectUrl] };
  await app.allowIn(browser);
  const refresh_token = app.granted!.refresh_token!;
  const fields = { grant_type: 'refresh_token', client_id: 'public', refresh_token };
  const send = (remoteAddress: string, others = {}) =>
    server.app.inject({
      method: 'POST',
      url: ROUTES.token,
      remoteAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...fields, ...others }).toString(),
    });
  // Refused before the database is asked, so that all are within a minute.
  const resource = 'https://other.example/mcp';
  await Promise.all(Array.from({ length: 601 }, () => send('192.0.2.9', { resource })));
  const limited = await send('192.0.2.9');
  expect(limited).toMatchObject({ statusCode: 429, headers: READABLE });
  expect(limited.headers['retry-after']).toMatch(/^\d+$/);
  expect(limited.json()).toMatchObject({ error: 'temporarily_unavailable' });
  expect((await send('198.51.100.1')).statusCode).toBe(200);
});

it.each([
  ['a client', ROUTES.token],
  ['UserInfo', ROUTES.userinfo],
] as const)('too many requests of one address do not lock out %s', async (_title, url) => {
  const { id, secret } = await fixture.createWebsite();
  const send = (remoteAddress: string, client_secret: string, headers = {}) =>
    server.app.inject({
      method: 'POST',
      url,
      remoteAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({ client_id: id, client_secret, grant_type: 'x' }).toString(),
    });
  await Promise.all(Array.from({ length: 601 }, () => send('192.0.2.1', 'wrong')));
  expect((await send('192.0.2.1', secret)).statusCode).toBe(429);
  expect((await send('192.0.2.2', secret)).statusCode).not.toBe(429);
  const bearer = { authorization: 'Bearer abc' };
  const isUserInfo = url === ROUTES.userinfo;
  // At the token endpoint, the header must not start another count.
  expect((await send('192.0.2.1', secret, bearer)).statusCode === 429).toBe(!isUserInfo);
});

it('preflights count for no limit', async () => {
  const ask = () =>
    server.app.inject({
      method: 'OPTIONS',
      url: ROUTES.token,
      remoteAddress: '192.0.2.3',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
  const statuses = await Promise.all(
    Array.from({ length: 605 }, async () => (await ask()).statusCode),
  );
  expect(new Set(statuses)).toEqual(new Set([204]));
});

const PATHS = [ROUTES.token, ROUTES.revocation, ROUTES.introspection, ROUTES.userinfo];

it.each([...PATHS, '/oauth/register'])(
  'programs in a browser can read what %s refuses before it is looked at',
  async (url) => {
    const send = (method: 'POST' | 'PUT', payload: string) =>
      server.app.inject({
        method,
        url,
        headers: {
          origin: 'https://app.example',
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload,
      });
    const tooLarge = await send('POST', 'x'.repeat(20_000));
    expect(tooLarge).toMatchObject({ statusCode: 413, headers: READABLE });
    expect(tooLarge.json()).toMatchObject({ error: 'invalid_request' });
    expect(await send('PUT', 'x=y')).toMatchObject({ statusCode: 405, headers: READABLE });
    const invalid = await send('POST', 'client_id=%00');
    expect(invalid).toMatchObject({ statusCode: 400, headers: READABLE });
  },
);

it.each(['DELETE', 'PUT', 'PATCH'] as const)('%s is refused everywhere', async (method) => {
  for (const url of [...PATHS, '/oauth/authorize', ROUTES.authorization, '/oauth/logout']) {
    const { statusCode, headers } = await server.app.inject({
      method,
      url,
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(statusCode).toBe(405);
    expect(headers.allow).toMatch(/GET|POST/);
  }
});
