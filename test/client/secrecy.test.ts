import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MetricsBuffer, Nameplate, NameplateError } from '../../client/src/index.ts';
import { closedUrl } from './support/closed-url.ts';
import { failureOf } from './support/failure-of.ts';
import { json, startServer } from './support/server.ts';

const apiKey = 'np_test.topsecret';

function printed(value: unknown): string {
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

describe('the API key', () => {
  it('is not printed with a client or a buffer', () => {
    const client = new Nameplate({ apiKey });
    expect(printed(client)).not.toContain('topsecret');
    expect(printed(new MetricsBuffer(client))).not.toContain('topsecret');
  });

  it('is in no URL and only in its own header', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    await new Nameplate({ apiKey, baseUrl: url }).site.toggleSiteVisibility();
    const { headers, ...rest } = received[0]!;
    const { 'x-api-key': sent, ...others } = headers;
    expect(sent).toBe(apiKey);
    expect(JSON.stringify({ rest, others })).not.toContain('topsecret');
  });

  it.for([200, 301, 400, 401, 500])('is in no error (status %i, not JSON)', async (status) => {
    const { url } = await startServer((response) => response.writeHead(status).end('<html>'));
    const error = await failureOf(new Nameplate({ apiKey, baseUrl: url }).stats.getProjects());
    expect(error).toBeInstanceOf(NameplateError);
    expect(printed(error)).not.toContain('topsecret');
  });

  it('is in no error for a connection, a timeout, an abort or an option', async () => {
    const { url } = await startServer(() => {});
    const client = new Nameplate({ apiKey, baseUrl: url });
    const errors = [
      await failureOf(
        new Nameplate({
          apiKey,
          baseUrl: await closedUrl(),
          maxRetries: 0,
        }).stats.getProjects(),
      ),
      await failureOf(client.stats.getProjects({ timeout: 20, maxRetries: 0 })),
      await failureOf(client.stats.getProjects({ signal: AbortSignal.abort() })),
      await failureOf(client.stats.getProjects({ headers: { 'x-bad': 'a\nb' } })),
      await failureOf((async () => new Nameplate({ apiKey: `${apiKey}\n` }))()),
    ];
    for (const error of errors) expect(printed(error)).not.toContain('topsecret');
  });

  it('is never logged, nor is a body or the value of an unknown header', async () => {
    const logged: unknown[] = [];
    const { url } = await startServer((response, _request, count) =>
      count === 1
        ? json(response, 503, { error: 'Busy.' }, { 'retry-after': '0', 'set-cookie': 'topsecret' })
        : json(response, 200, { messageId: 'topsecret' }),
    );
    const client = new Nameplate({
      apiKey,
      baseUrl: url,
      defaultHeaders: { cookie: 'topsecret', 'proxy-authorization': 'topsecret' },
      logger: {
        debug: (...event) => logged.push(event),
        warn: (...event) => logged.push(event),
      },
    });
    await client.hooks.sendChatWebhook({
      webhookUrl: 'https://discord.com/api/webhooks/1/topsecret',
      payload: { content: 'topsecret' },
    });
    expect(logged.map((event) => (event as [string])[0])).toEqual([
      'request',
      'failure',
      'retry',
      'request',
      'response',
    ]);
    expect(printed(logged)).not.toContain('topsecret');
  });
});

describe('a browser', () => {
  it('is refused unless it is allowed explicitly', () => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
    expect(() => new Nameplate({ apiKey })).toThrow(/dangerouslyAllowBrowser/);
    expect(() => new Nameplate({ apiKey, dangerouslyAllowBrowser: true })).not.toThrow();
  });

  it('is also refused in workers, which have no window', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
    expect(() => new Nameplate({ apiKey })).toThrow(/dangerouslyAllowBrowser/);
    expect(() => new Nameplate({ apiKey, dangerouslyAllowBrowser: true })).not.toThrow();
  });

  it.for(['Node.js/24', 'Deno/2.9.5', 'Bun/1.3', 'Cloudflare-Workers', undefined])(
    'is not assumed because of the user agent %s',
    (userAgent) => {
      vi.stubGlobal('navigator', { userAgent });
      expect(() => new Nameplate({ apiKey })).not.toThrow();
    },
  );

  it('sends no User-Agent header, which would need CORS permission', async () => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
    const names: string[] = [];
    const client = new Nameplate({
      apiKey,
      dangerouslyAllowBrowser: true,
      fetch: (_input, init) => {
        names.push(...new Headers(init.headers).keys());
        return Promise.resolve(Response.json({}));
      },
    });
    await client.site.getSiteStatus();
    expect(names).toEqual(['accept', 'x-api-key']);
  });

  it('whose redirect hides its status still gets a RedirectError', async () => {
    const hidden = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    const client = new Nameplate({ apiKey, fetch: () => Promise.resolve(hidden) });
    expect(await failureOf(client.site.getSiteStatus())).toMatchObject({
      name: 'RedirectError',
      status: 0,
    });
  });
});
