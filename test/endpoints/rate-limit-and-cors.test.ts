import { fastify, type FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '#server/features/keys/api-key.ts';
import { createApiKey } from '#server/features/keys/manage-keys.ts';
import { createRateLimits } from '#server/platform/http/access/rate-limits.ts';
import { call } from '../support/call.ts';
import { authenticatedEndpoints, createOperator } from '../support/endpoints.ts';
import { errorText } from '../support/expected-responses.ts';
import { useFrozenDate } from '../support/use-frozen-date.ts';
import { useServer } from '../support/use-server.ts';

const ORIGIN = 'https://app.example.com';
const STATUS = '/site/get-site-status';

/** Has the default settings. */
const { server: defaultServer } = useServer();
const { server: limitedServer } = useServer({ rateLimitOptions: { requestsPerMinute: 5 } });
/** Allows cross-origin requests from one origin. */
const { server: corsServer } = useServer({ CORS_ORIGINS: [ORIGIN] });

const tooMany = (whose: string) => ({
  ...errorText(
    429,
    expect.stringMatching(
      new RegExp(String.raw`^Too many requests ${whose}. Try again in \d+ seconds?\.$`),
    ),
  ),
  headers: { 'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) as string },
});

/** Of draft-ietf-httpapi-ratelimit-headers. */
const limitHeaders = (remaining: number) => ({
  'ratelimit-policy': '"account";q=5;w=60',
  ratelimit: expect.stringMatching(`^"account";r=${remaining};t=([1-9]|[1-5][0-9]|60)$`) as string,
});

describe('the rate limit', () => {
  useFrozenDate();

  it('the rate limit is off by default', async () => {
    const { key } = await defaultServer.createAccount();
    for (let request = 0; request < 200; request += 1)
      expect((await call(defaultServer.app, { path: STATUS, key })).status).toBe(200);
  });

  it("the rate limit limits an account's requests per minute across all endpoints, then responds with 429", async () => {
    const account = await createOperator(limitedServer);
    const { key } = account;
    const paths = ['/account/get-display-name', '/site/get-site-configuration', STATUS];
    for (let request = 0; request < 5; request += 1) {
      const path = paths[request % paths.length]!;
      const response = await call(limitedServer.app, { path, key });
      expect(response).toMatchObject({ status: 200, headers: limitHeaders(4 - request) });
      expect(JSON.stringify(response.headers)).not.toContain('x-ratelimit');
    }
    const exceeded = await call(limitedServer.app, { path: STATUS, key });
    expect(exceeded).toMatchObject({ status: 429, headers: limitHeaders(0) });
    for (const { method, path } of authenticatedEndpoints) {
      const response = await call(limitedServer.app, { method, path, key, payload: '{"broken' });
      expect([path, response]).toMatchObject([path, tooMany('from this account')]);
    }
  });

  it('the rate limit is shared by all keys of an account', async () => {
    const account = await limitedServer.createAccount();
    const { api_key: secondKey } = await createApiKey(limitedServer.db, {
      accountId: account.id,
      label: 'second',
    });
    const responses = [];
    for (let request = 0; request < 7; request += 1) {
      const key = request % 2 === 0 ? account.key : secondKey;
      responses.push((await call(limitedServer.app, { path: STATUS, key })).status);
    }
    expect(responses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  it('the rate limit counts invalid keys per IP address, then responds with 429 instead of 401', async () => {
    const unknownKey = generateApiKey();
    const keys = [undefined, 'malformed', `${unknownKey.id}.${unknownKey.secret}`];
    const requestFrom = (remoteAddress: string, key?: string) =>
      call(limitedServer.app, { path: STATUS, remoteAddress, ...(key && { key }) });
    for (let request = 0; request < 5; request += 1) {
      const { status, body } = await requestFrom('203.0.113.1', keys[request % keys.length]);
      expect({ status, body }).toEqual({ status: 401, body: { error: 'Unauthorized' } });
    }
    for (const key of keys)
      expect(await requestFrom('203.0.113.1', key)).toMatchObject(tooMany('without a valid key'));
    expect((await requestFrom('203.0.113.2')).status).toBe(401);
    const { key } = await limitedServer.createAccount();
    expect((await requestFrom('203.0.113.1', key)).status).toBe(200);
    expect((await limitedServer.app.inject('/healthz')).statusCode).toBe(200);
  });

  it.each([
    ['of an IPv6 network are one', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', 429],
    ['of two IPv6 networks are two', '2001:db8:3:1::1', '2001:db8:3:2::1', 401],
    ['of IPv4, however they are written, are one', '198.51.100.7', '::ffff:198.51.100.7', 429],
  ])('the rate limit groups IP addresses: %s', async (_rule, first, second, status) => {
    const requestFrom = (remoteAddress: string) =>
      call(limitedServer.app, { path: STATUS, remoteAddress });
    for (let request = 0; request < 5; request += 1)
      expect((await requestFrom(first)).status).toBe(401);
    expect((await requestFrom(second)).status).toBe(status);
  });
});

const preflight = {
  method: 'OPTIONS' as const,
  url: '/site/update-site-configuration',
  headers: {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-api-key',
  },
};

it('CORS is off by default: no origin is allowed, and OPTIONS gets 405', async () => {
  const { key } = await defaultServer.createAccount();
  const headers = { origin: ORIGIN };
  const response = await call(defaultServer.app, { path: STATUS, key, headers });
  expect(response.status).toBe(200);
  expect(corsHeaders(response.headers)).toEqual([]);
  const preflightResponse = await defaultServer.app.inject(preflight);
  expect(preflightResponse.statusCode).toBe(405);
  expect(corsHeaders(preflightResponse.headers)).toEqual([]);
});

it('CORS responds to the preflight of a listed origin without a key', async () => {
  const { statusCode, headers } = await corsServer.app.inject(preflight);
  expect(statusCode).toBe(204);
  expect(headers).toMatchObject({
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH',
    'access-control-max-age': '600',
    vary: expect.stringMatching(/origin/i),
  });
  const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
  expect(allowed).toEqual(
    expect.arrayContaining(['content-type', 'x-api-key', 'idempotency-key', 'x-request-id']),
  );
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

it('CORS lets a listed origin read every response, including errors', async () => {
  const { key } = await corsServer.createAccount();
  const headers = { origin: ORIGIN };
  for (const request of [
    { path: STATUS, key },
    { path: STATUS },
    { path: STATUS, method: 'PUT' },
    { path: '/nowhere', key },
    { path: '/nowhere', method: 'POST', key, payload: '{' },
    { path: '/openapi.json' },
    { path: '/docs/', method: 'POST' },
    { path: '/stats/ingest-metrics', method: 'POST', key, payload: '{' },
    { path: '/stats/ingest-metrics', method: 'POST', key, payload: '{}' },
  ]) {
    const response = await call(corsServer.app, { ...request, headers });
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers':
        'x-request-id, x-error-code, x-error-field, x-ignored-fields, retry-after, ratelimit, ratelimit-policy, link, idempotent-replayed',
      vary: expect.stringMatching(/origin/i),
    });
  }
});

it.each([
  'https://evil.example.com',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com.evil.example',
  'https://APP.example.com/',
  'null',
  '*',
])('CORS does not let the origin %s read a response', async (origin) => {
  const { key } = await corsServer.createAccount();
  const response = await call(corsServer.app, { path: STATUS, key, headers: { origin } });
  expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  const fromOrigin = { ...preflight, headers: { ...preflight.headers, origin } };
  const { headers } = await corsServer.app.inject(fromOrigin);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

it('CORS responds to OPTIONS without a preflight with an empty body', async () => {
  const { statusCode, payload } = await corsServer.app.inject({ method: 'OPTIONS', url: STATUS });
  expect([statusCode, payload]).toEqual([204, '']);
});

it('CORS does not affect unknown paths and methods', async () => {
  const { key } = await corsServer.createAccount();
  expect((await call(corsServer.app, { path: '/nowhere', key })).status).toBe(404);
  for (const headers of [{}, preflight.headers]) {
    const response = await call(corsServer.app, { method: 'OPTIONS', path: '/nowhere', headers });
    expect(response).toMatchObject(
      errorText(404, 'There is nothing at this path. See /docs and /openapi.json.'),
    );
  }
  const wrongMethod = await call(corsServer.app, { method: 'PUT', path: STATUS, key });
  expect([wrongMethod.status, wrongMethod.headers.allow]).toEqual([405, 'GET, HEAD']);
});

function corsHeaders(headers: object): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control'));
}

it('a limit per network outlasts requests of 10,000 other networks', async () => {
  const limits = { requestsPerMinute: 0, signUpsPerDay: 1 };
  const { signUps } = await createRateLimits(fastify(), limits);
  const countFrom = (ip: string) => signUps.count({ ip, routeOptions: {} } as FastifyRequest);
  expect(await countFrom('192.0.2.1')).toBeUndefined();
  for (let index = 0; index < 10_000; index += 1)
    expect(await countFrom(`10.0.${index >> 8}.${index & 255}`)).toBeUndefined();
  expect(await countFrom('192.0.2.1')).toMatchObject({ code: 'registrationRateLimited' });
});
