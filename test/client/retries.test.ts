import { webcrypto } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  APIConnectionError,
  type APIError,
  APITimeoutError,
  type ClientOptions,
  Nameplate,
} from '#client/index.ts';
import { catchError } from './support/catch-error.ts';
import { runTimersUntil } from './support/run-timers-until.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

type FetchResult = Response | Error | Promise<Response>;

/**
 * Creates a client whose requests get these results in order, and then the last one repeatedly. Also
 * returns the times and headers of its requests.
 */
function createClient(results: (() => FetchResult)[], options: Partial<ClientOptions> = {}) {
  const startTime = Date.now();
  const requestTimes: number[] = [];
  const headers: Headers[] = [];
  const client = new Nameplate({
    apiKey: 'np_test.secret',
    ...options,
    fetch: (_input, init) => {
      headers.push(new Headers(init.headers));
      const result = results[Math.min(requestTimes.length, results.length - 1)]!();
      requestTimes.push(Date.now() - startTime);
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
  });
  return { client, requestTimes, headers };
}

function errorResponse(status: number, headers: Record<string, string> = {}): () => Response {
  return () => Response.json({ error: 'No.' }, { status, headers });
}

const successResponse = (): Response => Response.json({ enabled: true });

const createLimitedClient = (retryAfter: string) =>
  createClient([errorResponse(429, { 'retry-after': retryAfter }), successResponse]);

const connectionError = (): Error => new TypeError('fetch failed');

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it.for([
  ['408', errorResponse(408)],
  ['429', errorResponse(429)],
  ['502', errorResponse(502)],
  ['503', errorResponse(503)],
  ['504', errorResponse(504)],
  ['405 with Retry-After', errorResponse(405, { 'retry-after': '1' })],
  ['413 with Retry-After', errorResponse(413, { 'retry-after': '1' })],
  ['425 with Retry-After', errorResponse(425, { 'retry-after': '1' })],
  ['500 with Retry-After', errorResponse(500, { 'retry-after': '1' })],
  ['507 with Retry-After', errorResponse(507, { 'retry-after': '1' })],
  ['a lost connection', connectionError],
] as const)(
  'a failed request is retried twice by default, without a timer left: %s',
  async ([, result]) => {
    const { client, requestTimes } = createClient([result]);
    const failure = catchError(client.site.getSiteStatus());
    await runTimersUntil(failure);
    expect(requestTimes).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  },
);

it('a failed request is retried after a timeout, which applies to each attempt', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { client, requestTimes } = createClient([() => new Promise(() => {})], {
    timeout: 10_000,
  });
  const failure = catchError(client.site.toggleSiteVisibility());
  expect(await runTimersUntil(failure)).toBeInstanceOf(APITimeoutError);
  expect(requestTimes).toEqual([0, 10_500, 21_500]);
  expect(vi.getTimerCount()).toBe(0);
});

it.for([
  ...[200, 301, 307, 400, 401, 403, 404, 409].map(
    (status) => [status, { 'retry-after': '1' }] as const,
  ),
  ...[405, 413, 415, 418, 500, 501, 507].map((status) => [status, {}] as const),
  ...['queryTooExpensive', 'signOnMisconfigured'].map(
    (code) => [503, { 'x-error-code': code, 'retry-after': '1' }] as const,
  ),
])('a failed request is not retried with status %i and headers %j', async ([status, headers]) => {
  const response = () => new Response('<html>', { status, headers });
  const { client, requestTimes } = createClient([response]);
  const error = await catchError(client.account.updateDisplayName({ display_name: 'jane' }));
  expect((error as APIError).status).toBe(status);
  expect(requestTimes).toEqual([0]);
});

it('a failed request is retried maxRetries times, an option of the client or the call', async () => {
  const { client, requestTimes } = createClient([connectionError], { maxRetries: 4 });
  const first = catchError(client.site.getSiteStatus());
  expect(await runTimersUntil(first)).toBeInstanceOf(APIConnectionError);
  expect(requestTimes).toHaveLength(5);
  await catchError(client.site.getSiteStatus({ maxRetries: 0 }));
  expect(requestTimes).toHaveLength(6);
});

it.for([
  [0, [0, 500, 1_500, 3_500, 7_500, 15_500, 23_500]],
  [0.999_999_999, [0, 375, 1_125, 2_625, 5_625, 11_625, 17_625]],
] as const)(
  'a retry is delayed by 0.5 s, doubling up to 8 s, minus a random part of up to 25 % (random %d)',
  async ([random, expectedTimes]) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const { client, requestTimes } = createClient([errorResponse(503)], { maxRetries: 6 });
    const failure = catchError(client.site.getSiteStatus());
    await runTimersUntil(failure);
    requestTimes.forEach((time, index) =>
      expect(Math.abs(time - expectedTimes[index]!)).toBeLessThanOrEqual(6),
    );
  },
);

it.for([
  ['seconds', '7', 7_000],
  ['zero', '0', 0],
  ['a date', 'Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
  ['a date in the past', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['a minute', '60', 60_000],
] as const)('a retry follows Retry-After as %s', async ([, value, delay]) => {
  const { client, requestTimes } = createLimitedClient(value);
  await runTimersUntil(client.site.getSiteStatus());
  expect(requestTimes).toHaveLength(2);
  expect(requestTimes[1]! - delay).toBeGreaterThanOrEqual(0);
  expect(requestTimes[1]! - delay).toBeLessThanOrEqual(1);
});

it.for([
  ['seconds', '3600', Date.UTC(2026, 0, 1, 1)],
  ['a date', 'Fri, 02 Jan 2026 00:00:00 GMT', Date.UTC(2026, 0, 2)],
  ['more than a timer can wait', '9999999', Date.UTC(2026, 0, 1) + 9_999_999_000],
] as const)(
  'a retry does not happen if Retry-After is more than a minute, as %s, and the error has `retryAt`',
  async ([, value, time]) => {
    const { client, requestTimes } = createLimitedClient(value);
    const error = await catchError(client.site.getSiteStatus());
    expect(error).toMatchObject({ status: 429, retryAt: new Date(time) });
    expect(requestTimes).toEqual([0]);
  },
);

it.for(['soon', '-5', ''])('a retry ignores a Retry-After of %j', async (value) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { client, requestTimes } = createLimitedClient(value);
  await runTimersUntil(client.site.getSiteStatus());
  expect(requestTimes).toEqual([0, 500]);
});

it('a write has the same generated Idempotency-Key in all attempts', async () => {
  const { client, headers } = createClient([connectionError, errorResponse(502), successResponse]);
  const first = client.site.toggleSiteVisibility();
  expect(await runTimersUntil(first)).toEqual({ enabled: true });
  await client.site.toggleSiteVisibility();
  expect(headers).toHaveLength(4);
  const keys = headers.map((attempt) => attempt.get('idempotency-key'));
  expect(keys[0]).toMatch(UUID);
  expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
  expect(keys[3]).toMatch(UUID);
  expect(keys[3]).not.toBe(keys[0]);
});

it('a write has a UUID as its key even without crypto.randomUUID, which browsers lack on plain HTTP', async () => {
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(bytes),
  });
  const { client, headers } = createClient([successResponse]);
  await client.site.toggleSiteVisibility();
  expect(headers[0]!.get('idempotency-key')).toMatch(UUID);
});

it('a write uses the key of the call, and throws errors that contain the key', async () => {
  const { client, headers } = createClient([errorResponse(500)]);
  const body = { projectId: 'p', payload: {} };
  const customKeyError = await catchError(
    client.stats.ingestMetrics(body, { idempotencyKey: 'mine' }),
  );
  expect(headers[0]!.get('idempotency-key')).toBe('mine');
  expect(customKeyError).toMatchObject({ idempotencyKey: 'mine' });
  const generatedKeyError = await catchError(client.stats.ingestMetrics(body));
  expect(generatedKeyError).toMatchObject({ idempotencyKey: headers[1]!.get('idempotency-key') });
  const readError = await catchError(client.stats.getProjects());
  expect(headers[2]!.has('idempotency-key')).toBe(false);
  expect((readError as { idempotencyKey?: string }).idempotencyKey).toBeUndefined();
});
