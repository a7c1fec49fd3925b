import { fetch as undiciFetch, ProxyAgent } from 'undici';
import { describe, expect, onTestFinished, it } from 'vitest';
import { type FetchInit, Nameplate, NameplateError } from '../../client/src/index.ts';
import { catchError } from './support/catch-error.ts';
import { startProxy } from './support/proxy.ts';
import { respondJson, startServer } from './support/server.ts';

const apiKey = 'np_test.secret';

/** Creates a client and records the options that it passes to `fetch`. */
function createRecordingClient(fetchOptions?: object) {
  const fetchInits: (FetchInit & Record<string, unknown>)[] = [];
  const client = new Nameplate({
    apiKey,
    fetchOptions,
    fetch: (_input, init) => {
      fetchInits.push({ ...init });
      return Promise.resolve(Response.json({}));
    },
  });
  return { client, fetchInits };
}

describe('withOptions', () => {
  it('creates a copy with other options and does not change the client', async () => {
    const { url, received } = await startServer((response) => respondJson(response, 200, {}));
    const client = new Nameplate({ apiKey, baseUrl: url, defaultHeaders: { 'x-who': 'one' } });
    const copiedClient = client.withOptions({ apiKey: 'np_other.secret' });
    expect(copiedClient).toBeInstanceOf(Nameplate);
    await copiedClient.site.getSiteStatus();
    await client.site.getSiteStatus();
    expect(received.map(({ headers }) => [headers['x-api-key'], headers['x-who']])).toEqual([
      ['np_other.secret', 'one'],
      [apiKey, 'one'],
    ]);
  });

  it('validates options like a new client', () => {
    const client = new Nameplate({ apiKey });
    expect(() => client.withOptions({ timeout: 0 })).toThrow(NameplateError);
  });
});

describe('fetchOptions', () => {
  it('are passed to fetch, and options of a call override those of the client', async () => {
    const { client, fetchInits } = createRecordingClient({ cache: 'no-store', keepalive: true });
    await client.site.getSiteStatus({ fetchOptions: { keepalive: false, priority: 'low' } });
    expect(fetchInits[0]).toMatchObject({ cache: 'no-store', keepalive: false, priority: 'low' });
  });

  it('do not override the values that the client sets', async () => {
    const { client, fetchInits } = createRecordingClient({
      method: 'DELETE',
      headers: { 'x-api-key': 'other' },
      redirect: 'follow',
      signal: AbortSignal.abort(),
      body: 'other',
    });
    await client.account.updateDisplayName({ display_name: 'jane' });
    const { method, headers, redirect, signal, body } = fetchInits[0]!;
    expect({ method, redirect, body }).toEqual({
      method: 'POST',
      redirect: 'manual',
      body: '{"display_name":"jane"}',
    });
    expect(headers['x-api-key']).toBe(apiKey);
    expect(signal.aborted).toBe(false);
  });

  it('work with a proxy and the fetch function of undici', async () => {
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
});

describe('request', () => {
  it('retries and sends headers like the operations, for any path', async () => {
    const { url, received } = await startServer((response, _request, count) =>
      count === 1
        ? respondJson(response, 503, { error: 'Busy.' }, { 'retry-after': '0' })
        : respondJson(response, 200, { created: true }, { 'x-request-id': 'req-1' }),
    );
    const client = new Nameplate({ apiKey, baseUrl: `${url}/api` });
    const call = client.request<{ created: boolean }>('PUT', '/new/thing?dry=1', { some: 'body' });
    const { data, requestId } = await call.withResponse();
    expect(data.created).toBe(true);
    expect(requestId).toBe('req-1');
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
    'rejects a path without a leading slash, which could change the host: %j',
    async (path) => {
      let requestCount = 0;
      const client = new Nameplate({
        apiKey,
        fetch: () => {
          requestCount += 1;
          return Promise.resolve(Response.json({}));
        },
      });
      const error = await catchError(client.request('GET', path));
      expect(error).toMatchObject({
        name: 'NameplateError',
        message: 'The path must begin with a slash.',
      });
      expect(requestCount).toBe(0);
    },
  );
});
