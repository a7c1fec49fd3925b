import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { APITimeoutError, Nameplate, NameplateError } from '#client/index.ts';
import { respondJson } from '../support/listen.ts';
import { catchError } from './support/catch-error.ts';
import {
  createRecordingFetch,
  type ReceivedRequest,
  startBusyServer,
  startServer,
} from './support/server.ts';

function apiKeysOf(received: ReceivedRequest[]): unknown[] {
  return received.map(({ headers }) => headers['x-api-key']);
}

beforeEach(() => {
  vi.stubEnv('NAMEPLATE_API_KEY', undefined);
  vi.stubEnv('NAMEPLATE_BASE_URL', undefined);
});

afterEach(() => {
  // Tests replace `process`, which the environment is restored to.
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it('the environment provides the key and the base URL, which are trimmed, unless options do', async () => {
  const { url, received } = await startServer((response) => respondJson(response, 200, {}));
  vi.stubEnv('NAMEPLATE_API_KEY', ' np_env.secret\n');
  vi.stubEnv('NAMEPLATE_BASE_URL', `${url}/api\n`);
  await new Nameplate().site.getSiteStatus();
  await new Nameplate({ apiKey: 'np_own.secret', baseUrl: url }).site.getSiteStatus();
  expect(apiKeysOf(received)).toEqual(['np_env.secret', 'np_own.secret']);
  const path = '/site/get-site-status';
  expect(received.map((request) => request.url)).toEqual([`/api${path}`, path]);
});

it('the environment may contain empty variables, which are ignored', async () => {
  vi.stubEnv('NAMEPLATE_API_KEY', '');
  vi.stubEnv('NAMEPLATE_BASE_URL', '');
  expect(() => new Nameplate()).toThrow(/^apiKey \(or NAMEPLATE_API_KEY\) is required/);
  const { fetch, calls } = createRecordingFetch();
  await new Nameplate({ apiKey: 'np_own.secret', fetch }).site.getSiteStatus();
  expect(calls).toMatchObject([{ url: 'http://127.0.0.1:3000/site/get-site-status' }]);
});

it.for([
  ['does not exist, as in a browser', undefined],
  ['has no variables, as in a bundle', {}],
  [
    'throws when it is read, as in Deno',
    {
      get env(): never {
        throw new Error('No access');
      },
    },
  ],
] as const)('the environment is ignored if it %s', ([, process]) => {
  vi.stubGlobal('process', process);
  expect(() => new Nameplate()).toThrow(NameplateError);
  expect(() => new Nameplate({ apiKey: 'np_own.secret' })).not.toThrow();
});

it('a client without a key sends no key, and works in a browser', async () => {
  const { url, received } = await startServer((response) => respondJson(response, 200, {}));
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' });
  vi.stubEnv('NAMEPLATE_API_KEY', 'np_env.secret');
  const client = new Nameplate({ apiKey: null, baseUrl: url });
  await client.withOptions({ timeout: 5_000 }).site.getSiteStatus();
  expect(apiKeysOf(received)).toEqual([undefined]);
});

it('an apiKey function is called for every attempt, so that keys can be rotated', async () => {
  const { url, received } = await startBusyServer();
  let rotations = 0;
  const apiKey = () => `np_rotated.${(rotations += 1)}`;
  const client = new Nameplate({ apiKey, baseUrl: url });
  await client.site.getSiteStatus();
  await client.site.getSiteStatus();
  expect(apiKeysOf(received)).toEqual(['np_rotated.1', 'np_rotated.2', 'np_rotated.3']);
});

it('an apiKey function may be asynchronous, and is called again if it fails', async () => {
  const { url, received } = await startServer((response) => respondJson(response, 200, {}));
  const apiKey = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('the vault is sealed'))
    .mockResolvedValue('np_vault.secret');
  await new Nameplate({ apiKey, baseUrl: url }).site.getSiteStatus();
  expect(apiKeysOf(received)).toEqual(['np_vault.secret']);
  expect(apiKey).toHaveBeenCalledTimes(2);
});

it.for(['', 'np_secret\n', 7 as never])(
  'an apiKey function causes an APIConnectionError if it returns an invalid key: %j',
  async (value) => {
    const { fetch, calls } = createRecordingFetch();
    const client = new Nameplate({ apiKey: () => value, fetch, maxRetries: 0 });
    expect(await catchError(client.site.getSiteStatus())).toMatchObject({
      name: 'APIConnectionError',
      cause: { name: 'NameplateError', message: expect.stringContaining('visible ASCII') },
    });
    expect(calls).toEqual([]);
  },
);

it('an apiKey function shares the timeout of the attempt, and no request is sent after it', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { fetch, calls } = createRecordingFetch();
  const client = new Nameplate({ apiKey: () => promise, timeout: 20, maxRetries: 0, fetch });
  expect(await catchError(client.site.getSiteStatus())).toBeInstanceOf(APITimeoutError);
  resolve('np_late.secret');
  await promise;
  await new Promise(setImmediate);
  expect(calls).toEqual([]);
});
