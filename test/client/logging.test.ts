import { inspect } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import { type Logger, Nameplate } from '#client/index.ts';
import { respondJson } from '../support/listen.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { catchError } from './support/catch-error.ts';
import { startBusyServer, startServer } from './support/server.ts';

const apiKey = 'np_test.topsecret';
const path = '/site/toggle-site-visibility';

function createRecordingLogger() {
  const logged: unknown[] = [];
  const logger: Logger = {
    debug: (...entry) => logged.push(entry),
    warn: (...entry) => logged.push(entry),
  };
  return { logger, logged };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it('the log has every request, failure, retry and response, and no secrets', async () => {
  const { url } = await startBusyServer();
  const { logger, logged } = createRecordingLogger();
  await new Nameplate({ apiKey, baseUrl: url, logger }).site.toggleSiteVisibility();
  const elapsed: unknown = expect.any(Number);
  const first = { method: 'POST', path, attempt: 1 };
  const second = { method: 'POST', path, attempt: 2 };
  const failure = {
    ...{ ...first, status: 503, requestId: 'req-1', elapsed, retryDelay: 0 },
    error: 'InternalServerError: Busy.',
  };
  expect(logged).toEqual([
    ['request', expect.objectContaining(first)],
    ['failure', failure],
    ['retry', failure],
    ['request', expect.objectContaining(second)],
    ['response', { ...second, status: 200, requestId: 'req-2', elapsed }],
  ]);
  expect(inspect(logged, { depth: null })).not.toContain('topsecret');
});

it('the log has the error that is thrown if there is no response', async () => {
  const { logger, logged } = createRecordingLogger();
  const baseUrl = `http://127.0.0.1:${await findFreePort()}`;
  const client = new Nameplate({ apiKey, baseUrl, maxRetries: 0, logger });
  const error = String(await catchError(client.site.toggleSiteVisibility()));
  const attempt = { method: 'POST', path, attempt: 1 };
  expect(logged).toEqual([
    ['request', expect.objectContaining(attempt)],
    ['failure', expect.objectContaining({ ...attempt, status: undefined, error })],
  ]);
});

it('the log has the duration of an attempt', async () => {
  const { url } = await startServer((response) =>
    setTimeout(() => respondJson(response, 200, {}), 60),
  );
  const { logger, logged } = createRecordingLogger();
  await new Nameplate({ apiKey, baseUrl: url, logger }).site.toggleSiteVisibility();
  const [, response] = logged[1] as [string, { elapsed: number }];
  expect(response.elapsed).toBeGreaterThanOrEqual(50);
});

it('the log does not affect the call if its logger throws, but causes warnings', async () => {
  const warning = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { url, received } = await startBusyServer({ newStatus: true });
  const error = new Error('broken');
  const throwError = () => {
    throw error;
  };
  const logger = { debug: throwError, warn: throwError };
  const client = new Nameplate({ apiKey, baseUrl: url, logger });
  expect(await client.site.toggleSiteVisibility()).toEqual({ newStatus: true });
  expect(received).toHaveLength(2);
  // 2 requests, a failure, a retry and a response.
  expect(warning.mock.calls).toEqual(
    Array.from({ length: 5 }, () => ['Nameplate: a callback failed.', error]),
  );
});

it('the log warns of fields that the server ignored', async () => {
  const { url } = await startServer((response) =>
    respondJson(response, 200, {}, { 'x-ignored-fields': 'b%C3%B6i,blocks.0.type' }),
  );
  const logged: unknown[] = [];
  const warn = (...entry: unknown[]) => logged.push(entry);
  await new Nameplate({ apiKey, baseUrl: url, logger: { warn } }).site.toggleSiteVisibility();
  const fields = ['böi', 'blocks.0.type'];
  const warning = ['ignored fields', expect.objectContaining({ status: 200, fields })];
  expect(logged).toEqual([warning]);
  vi.spyOn(console, 'warn').mockImplementation(warn);
  await new Nameplate({ apiKey, baseUrl: url }).site.toggleSiteVisibility();
  expect(logged).toEqual([warning, warning]);
});

it('the log warns of fields that the server ignored beside an error', async () => {
  const { url } = await startServer((response) =>
    respondJson(response, 400, { error: 'No.' }, { 'x-ignored-fields': 'boi' }),
  );
  const warn = vi.fn<(...entry: unknown[]) => void>();
  const client = new Nameplate({ apiKey, baseUrl: url, logger: { warn } });
  await expect(client.site.toggleSiteVisibility()).rejects.toThrow('No.');
  const fields = ['boi'];
  expect(warn.mock.calls).toEqual([
    ['ignored fields', expect.objectContaining({ status: 400, fields })],
  ]);
});

it('the log is turned on by NAMEPLATE_LOG, goes to standard error, and has no secrets', async () => {
  const messages: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((...entry) => messages.push(entry));
  const logWith = async (level: string) => {
    const { url } = await startBusyServer();
    vi.stubEnv('NAMEPLATE_LOG', level);
    messages.length = 0;
    await new Nameplate({ apiKey, baseUrl: url }).site.toggleSiteVisibility();
    return messages.map((entry) => (entry as string[])[0]);
  };
  expect(await logWith('debug')).toEqual(['request', 'failure', 'retry', 'request', 'response']);
  expect(inspect(messages, { depth: null })).not.toContain('topsecret');
  expect(await logWith('warn')).toEqual(['retry']);
  expect(await logWith('')).toEqual([]);
});
