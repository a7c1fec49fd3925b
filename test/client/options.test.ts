import { fetch as undiciFetch, ProxyAgent } from 'undici';
import { expect, onTestFinished, it } from 'vitest';
import { Nameplate, NameplateError } from '#client/index.ts';
import { respondJson } from '../support/listen.ts';
import { catchError } from './support/catch-error.ts';
import { startProxy } from './support/proxy.ts';
import {
  apiKey,
  createRecordingFetch,
  startBusyServer,
  startClient,
  startServer,
} from './support/server.ts';

function createRecordingClient(fetchOptions?: object) {
  const { fetch, calls } = createRecordingFetch();
  return { client: new Nameplate({ apiKey, fetchOptions, fetch }), calls };
}

it('withOptions creates a copy with other options and does not change the client', async () => {
  const { client, received } = await startClient((response) => respondJson(response, 200, {}), {
    defaultHeaders: { 'x-who': 'one' },
  });
  const copiedClient = client.withOptions({ apiKey: 'np_other.secret' });
  expect(copiedClient).toBeInstanceOf(Nameplate);
  expect(() => client.withOptions({ timeout: 0 })).toThrow(NameplateError);
  await copiedClient.site.getSiteStatus();
  await client.site.getSiteStatus();
  expect(received.map(({ headers }) => [headers['x-api-key'], headers['x-who']])).toEqual([
    ['np_other.secret', 'one'],
    [apiKey, 'one'],
  ]);
});

it('fetchOptions are passed to fetch, and options of a call override those of the client', async () => {
  const { client, calls } = createRecordingClient({ cache: 'no-store', keepalive: true });
  await client.site.getSiteStatus({ fetchOptions: { keepalive: false, priority: 'low' } });
  expect(calls[0]!.init).toMatchObject({ cache: 'no-store', keepalive: false, priority: 'low' });
});

it('fetchOptions do not override the values that the client sets', async () => {
  const { client, calls } = createRecordingClient({
    method: 'DELETE',
    headers: { 'x-api-key': 'other' },
    redirect: 'follow',
    signal: AbortSignal.abort(),
    body: 'other',
  });
  await client.account.updateDisplayName({ display_name: 'jane' });
  expect(calls[0]!.init).toMatchObject({
    ...{ method: 'POST', redirect: 'manual', body: '{"display_name":"jane"}' },
    headers: { 'x-api-key': apiKey },
    signal: { aborted: false },
  });
});

it('fetchOptions work with a proxy and the fetch function of undici', async () => {
  const { url, received } = await startServer((response) =>
    respondJson(response, 200, { enabled: true }),
  );
  const proxy = await startProxy();
  const dispatcher = new ProxyAgent(proxy.url);
  onTestFinished(() => dispatcher.close());
  const client = new Nameplate({
    apiKey,
    baseUrl: url,
    fetch: undiciFetch,
    fetchOptions: { dispatcher },
  });
  const { data, headers } = await client.site.toggleSiteVisibility().withResponse();
  expect(data).toEqual({ enabled: true });
  expect(headers.get('content-type')).toBe('application/json');
  expect(received[0]!.headers).toMatchObject({ 'x-api-key': apiKey });
  expect(proxy.requestedHosts).toEqual([url.replace('http://', '')]);
});

it('request retries and sends headers like the operations, for any path', async () => {
  const { url, received } = await startBusyServer({ created: true });
  const client = new Nameplate({ apiKey, baseUrl: `${url}/api` });
  const call = client.request<{ created: boolean }>('PUT', '/new/thing?dry=1', { some: 'body' });
  const { data, requestId } = await call.withResponse();
  expect(data.created).toBe(true);
  expect(requestId).toBe('req-2');
  expect(received).toHaveLength(2);
  expect(received[1]).toMatchObject({
    method: 'PUT',
    url: '/api/new/thing?dry=1',
    body: '{"some":"body"}',
    headers: {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      'idempotency-key': received[0]!.headers['idempotency-key'],
    },
  });
});

it.for(['.example.com/', '@example.com/', 'new/thing', ''])(
  'request rejects a path without a leading slash, which could change the host: %j',
  async (path) => {
    const { client, calls } = createRecordingClient();
    const error = await catchError(client.request('GET', path));
    expect(error).toMatchObject({
      name: 'NameplateError',
      message: 'The path must begin with a slash.',
    });
    expect(calls).toEqual([]);
  },
);
