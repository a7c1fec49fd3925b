import { fetch as undiciFetch, ProxyAgent } from 'undici';
import { describe, expect, onTestFinished, it } from 'vitest';
import { type FetchInit, Nameplate, NameplateError } from '../../client/src/index.ts';
import { failureOf } from './support/failure-of.ts';
import { startProxy } from './support/proxy.ts';
import { json, startServer } from './support/server.ts';

const apiKey = 'np_test.secret';

/** A client whose `fetch` records its arguments. */
function recordingClient(fetchOptions?: object) {
  const given: (FetchInit & Record<string, unknown>)[] = [];
  const client = new Nameplate({
    apiKey,
    fetchOptions,
    fetch: (_input, init) => {
      given.push({ ...init });
      return Promise.resolve(Response.json({}));
    },
  });
  return { client, given };
}

describe('withOptions', () => {
  it('creates a copy with other options and does not change the client', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const client = new Nameplate({ apiKey, baseUrl: url, defaultHeaders: { 'x-who': 'one' } });
    const copy = client.withOptions({ apiKey: 'np_other.secret' });
    expect(copy).toBeInstanceOf(Nameplate);
    await copy.site.getSiteStatus();
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
  it('are passed to fetch; those of the call take precedence', async () => {
    const { client, given } = recordingClient({ cache: 'no-store', keepalive: true });
    await client.site.getSiteStatus({ fetchOptions: { keepalive: false, priority: 'low' } });
    expect(given[0]).toMatchObject({ cache: 'no-store', keepalive: false, priority: 'low' });
  });

  it('cannot override what the client sets', async () => {
    const { client, given } = recordingClient({
      method: 'DELETE',
      headers: { 'x-api-key': 'other' },
      redirect: 'follow',
      signal: AbortSignal.abort(),
      body: 'other',
    });
    await client.account.updateDisplayName({ display_name: 'jane' });
    const { method, headers, redirect, signal, body } = given[0]!;
    expect({ method, redirect, body }).toEqual({
      method: 'POST',
      redirect: 'manual',
      body: '{"display_name":"jane"}',
    });
    expect(headers['x-api-key']).toBe(apiKey);
    expect(signal.aborted).toBe(false);
  });

  it('accept undici’s fetch with a proxy', async () => {
    const { url, received } = await startServer((response) =>
      json(response, 200, { enabled: true }),
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
    expect(proxy.asked).toEqual([url.replace('http://', '')]);
  });
});

describe('request', () => {
  it('calls any path with the same features as the operations', async () => {
    const { url, received } = await startServer((response, _request, count) =>
      count === 1
        ? json(response, 503, { error: 'Busy.' }, { 'retry-after': '0' })
        : json(response, 200, { made: true }, { 'x-request-id': 'req-1' }),
    );
    const client = new Nameplate({ apiKey, baseUrl: `${url}/api` });
    const call = client.request<{ made: boolean }>('PUT', '/new/thing?dry=1', { some: 'body' });
    const { data, requestId } = await call.withResponse();
    expect(data.made).toBe(true);
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

  it('supports GET without a body, and the options of a call', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const client = new Nameplate({ apiKey, baseUrl: url });
    await client.request('GET', '/new/thing', undefined, { headers: { 'x-one': '1' } });
    expect(received[0]).toMatchObject({ method: 'GET', body: '', headers: { 'x-one': '1' } });
    expect(received[0]!.headers).not.toHaveProperty('idempotency-key');
  });

  it.for(['.example.com/', '@example.com/', 'new/thing', ''])(
    'refuses a path that would change the host: %j',
    async (path) => {
      let sent = 0;
      const client = new Nameplate({
        apiKey,
        fetch: () => {
          sent += 1;
          return Promise.resolve(Response.json({}));
        },
      });
      const error = await failureOf(client.request('GET', path));
      expect(error).toMatchObject({
        name: 'NameplateError',
        message: 'The path must begin with a slash.',
      });
      expect(sent).toBe(0);
    },
  );
});
