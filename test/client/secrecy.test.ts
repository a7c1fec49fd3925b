import { inspect } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import { MetricsBuffer, Nameplate } from '#client/index.ts';
import { respondJson } from '../support/listen.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { catchError } from './support/catch-error.ts';
import {
  createRecordingFetch,
  startBusyServer,
  startClient,
  startServer,
} from './support/server.ts';

const apiKey = 'np_test.topsecret';

function printAllForms(value: unknown): string {
  return [
    inspect(value, { showHidden: true, depth: null, getters: true }),
    JSON.stringify(value),
    String(value),
    value instanceof Error ? value.stack : '',
  ].join('\n');
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('the API key is not printed with a client or a buffer', () => {
  const client = new Nameplate({ apiKey });
  expect(printAllForms(client)).not.toContain('topsecret');
  expect(printAllForms(new MetricsBuffer(client))).not.toContain('topsecret');
});

it('the API key is sent only in its own header', async () => {
  const { url, received } = await startServer((response) => respondJson(response, 200, {}));
  await new Nameplate({ apiKey, baseUrl: url }).site.toggleSiteVisibility();
  const { headers, ...rest } = received[0]!;
  const { 'x-api-key': sentKey, ...otherHeaders } = headers;
  expect(sentKey).toBe(apiKey);
  expect(JSON.stringify({ rest, otherHeaders })).not.toContain('topsecret');
});

it.for([200, 301, 400, 401, 500])(
  'the API key is not in the error of a response with status %i that is not JSON',
  async (status) => {
    const { client } = await startClient((response) => response.writeHead(status).end('<html>'), {
      apiKey,
    });
    expect(printAllForms(await catchError(client.stats.getProjects()))).not.toContain('topsecret');
  },
);

it('the API key is not in the error of a failed connection, a timeout, an aborted call or an invalid option', async () => {
  const { url } = await startServer(() => {});
  const client = new Nameplate({ apiKey, baseUrl: url });
  const unreachable = new Nameplate({
    apiKey,
    baseUrl: `http://127.0.0.1:${await findFreePort()}`,
    maxRetries: 0,
  });
  const errors = [
    await catchError(unreachable.stats.getProjects()),
    await catchError(client.stats.getProjects({ timeout: 20, maxRetries: 0 })),
    await catchError(client.stats.getProjects({ signal: AbortSignal.abort() })),
    await catchError(client.stats.getProjects({ headers: { 'x-bad': 'a\nb' } })),
    await catchError((async () => new Nameplate({ apiKey: `${apiKey}\n` }))()),
  ];
  for (const error of errors) expect(printAllForms(error)).not.toContain('topsecret');
});

it('the API key is not logged, like bodies and values of unknown headers', async () => {
  const logged: unknown[] = [];
  const log = (...event: unknown[]) => logged.push(event);
  const body = { messageId: 'topsecret' };
  const { url } = await startBusyServer(body, { 'set-cookie': 'topsecret' });
  const client = new Nameplate({
    apiKey,
    baseUrl: url,
    defaultHeaders: { cookie: 'topsecret', 'proxy-authorization': 'topsecret' },
    logger: { debug: log, warn: log },
  });
  await client.hooks.sendChatWebhook({
    webhookUrl: 'https://discord.com/api/webhooks/1/topsecret',
    payload: { content: 'topsecret' },
  });
  expect(logged).toHaveLength(5);
  expect(printAllForms(logged)).not.toContain('topsecret');
});

it.for([
  { window: {}, document: {} },
  // A worker has no window.
  { navigator: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' } },
])('a client in a browser throws unless browsers are allowed explicitly', (globals) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  expect(() => new Nameplate({ apiKey })).toThrow(/dangerouslyAllowBrowser/);
  expect(() => new Nameplate({ apiKey, dangerouslyAllowBrowser: true })).not.toThrow();
});

it.for(['Node.js/24', 'Deno/2.9.5', 'Bun/1.3', 'Cloudflare-Workers', undefined])(
  'a client in a browser is not detected from the user agent %s',
  (userAgent) => {
    vi.stubGlobal('navigator', { userAgent });
    expect(() => new Nameplate({ apiKey })).not.toThrow();
  },
);

it('a client in a browser sends no User-Agent header, because CORS would have to allow it', async () => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {});
  const { fetch, calls } = createRecordingFetch();
  await new Nameplate({ apiKey, dangerouslyAllowBrowser: true, fetch }).site.getSiteStatus();
  expect([...new Headers(calls[0]!.init.headers).keys()]).toEqual(['accept', 'x-api-key']);
});

it('a client in a browser gets a RedirectError even though the browser hides the status of redirects', async () => {
  const redirect = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
  const client = new Nameplate({ apiKey, fetch: () => Promise.resolve(redirect) });
  expect(await catchError(client.site.getSiteStatus())).toMatchObject({
    name: 'RedirectError',
    status: 0,
  });
});
