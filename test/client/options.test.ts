import { fetch as undiciFetch, ProxyAgent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type FetchInit, Nameplate } from '../../client/src/index.ts';
import { startProxy } from './support/proxy.ts';
import { json, startServer } from './support/server.ts';

const apiKey = 'np_test.secret';

/** A client whose `fetch` keeps what it was given. */
function capturing(fetchOptions?: object) {
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

describe('fetchOptions', () => {
  test('reach fetch, those of the call before the client’s', async () => {
    const { client, given } = capturing({ cache: 'no-store', keepalive: true });
    await client.site.getSiteStatus({ fetchOptions: { keepalive: false, priority: 'low' } });
    expect(given[0]).toMatchObject({ cache: 'no-store', keepalive: false, priority: 'low' });
  });

  test('change nothing of what the client itself says', async () => {
    const { client, given } = capturing({
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

  test('take undici’s fetch through a proxy', async () => {
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
