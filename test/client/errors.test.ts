import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  APIConnectionError,
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  Nameplate,
  NameplateError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  RateLimitError,
  RedirectError,
  UnsupportedMediaTypeError,
} from '../../client/src/index.ts';
import { closedUrl } from './support/closed-url.ts';
import { failureOf } from './support/failure-of.ts';
import { json, startServer } from './support/server.ts';

const apiKey = 'np_test.secret';
const KEY_REQUIRED =
  'apiKey (or NAMEPLATE_API_KEY) is required and must be visible ASCII characters.';

afterEach(() => {
  vi.unstubAllEnvs();
});

const CLASSES = [
  [400, BadRequestError],
  [401, AuthenticationError],
  [403, PermissionDeniedError],
  [404, NotFoundError],
  [405, APIError],
  [408, APIError],
  [409, ConflictError],
  [413, PayloadTooLargeError],
  [415, UnsupportedMediaTypeError],
  [418, APIError],
  [429, RateLimitError],
  [500, InternalServerError],
  [502, InternalServerError],
  [503, InternalServerError],
] as const;

describe('a response that is not a success', () => {
  it.for(CLASSES)('%i throws its class with the server’s message', async ([status, Class]) => {
    const { url } = await startServer((response) =>
      json(response, status, { error: 'A sentence.' }, { 'x-request-id': 'req-7' }),
    );
    const client = new Nameplate({ apiKey, baseUrl: url, maxRetries: 0 });
    const error = await failureOf(client.account.updateDisplayName({ display_name: 'jane' }));
    expect(error).toBeInstanceOf(Class);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toBeInstanceOf(NameplateError);
    expect(error).toMatchObject({
      name: Class.name,
      status,
      message: 'A sentence.',
      requestId: 'req-7',
    });
    expect((error as APIError).constructor).toBe(Class);
    expect((error as APIError).headers.get('content-type')).toBe('application/json');
  });

  it.for([
    ['blocks.3.url', 'blocks.3.url'],
    [encodeURIComponent('payload.größe'), 'payload.größe'],
    ['%', undefined],
    [undefined, undefined],
  ] as const)('names the field of the header %j as %j', async ([header, field]) => {
    const { url } = await startServer((response) =>
      json(response, 400, { error: 'A sentence.' }, header ? { 'x-error-field': header } : {}),
    );
    const client = new Nameplate({ apiKey, baseUrl: url, maxRetries: 0 });
    expect(await failureOf(client.stats.getProjects())).toMatchObject({ field });
  });

  it.for([
    ['empty', ''],
    ['HTML', '<html><body>Bad gateway</body></html>'],
    ['broken JSON', '{"error":'],
    ['JSON of another shape', '{"detail":"no"}'],
    ['an error that is no string', '{"error":{"code":1}}'],
    ['an empty error', '{"error":""}'],
    ['null', 'null'],
    ['a string', '"error"'],
  ] as const)('a body that is %s still throws a typed error', async ([, body]) => {
    const { url } = await startServer((response) => response.writeHead(502).end(body));
    const client = new Nameplate({ apiKey, baseUrl: url, maxRetries: 0 });
    const error = await failureOf(client.stats.getProjects());
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({
      status: 502,
      message: `GET ${url}/stats/get-projects returned status 502 without an error message.`,
      requestId: undefined,
    });
  });

  it.for(['', '<html></html>', 'null', '"text"', '12'])(
    'a success whose body is %j throws an APIError with its status',
    async (body) => {
      const { url } = await startServer((response) => response.writeHead(200).end(body));
      const error = await failureOf(new Nameplate({ apiKey, baseUrl: url }).stats.getProjects());
      expect((error as Error).constructor).toBe(APIError);
      expect(error).toMatchObject({
        status: 200,
        message: `GET ${url}/stats/get-projects returned no JSON object.`,
      });
    },
  );

  it.for([301, 302, 303, 307, 308])(
    'redirect %i is an error and is never followed, so the key is not sent elsewhere',
    async (status) => {
      const elsewhere = await startServer((response) => json(response, 200, {}));
      const { url } = await startServer((response) =>
        response.writeHead(status, { location: elsewhere.url }).end(),
      );
      const client = new Nameplate({ apiKey, baseUrl: url });
      const error = await failureOf(client.site.toggleSiteVisibility());
      expect(error).toBeInstanceOf(RedirectError);
      expect(error).toMatchObject({ status });
      expect(elsewhere.received).toEqual([]);
    },
  );

  it('includes the method, path and URL of the call', async () => {
    const { url } = await startServer((response) => json(response, 404, { error: 'Not here.' }));
    const client = new Nameplate({ apiKey, baseUrl: `${url}/wrong` });
    expect(await failureOf(client.site.toggleSiteVisibility())).toMatchObject({
      method: 'POST',
      path: '/site/toggle-site-visibility',
      url: `${url}/wrong/site/toggle-site-visibility`,
    });
  });

  it('includes the response’s URL if it differs, as with a wrong baseUrl', async () => {
    const { url } = await startServer((response) =>
      response.writeHead(404).end('<h1>Not Found</h1>'),
    );
    const error = await failureOf(
      new Nameplate({ apiKey, baseUrl: `${url}/np` }).stats.getProjects(),
    );
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      message: `GET ${url}/np/stats/get-projects returned status 404 without an error message.`,
      url: `${url}/np/stats/get-projects`,
    });
  });

  it('the stack of an error contains the caller', async () => {
    const { url } = await startServer((response) => json(response, 404, { error: 'Not here.' }));
    const client = new Nameplate({ apiKey, baseUrl: url });
    async function caller(): Promise<void> {
      await client.site.toggleSiteVisibility();
    }
    const { stack } = (await failureOf(caller())) as Error;
    expect(stack).toMatch(/^ +at async caller /m);
  });

  it('withResponse fails with the same error, and only there', async () => {
    const { url } = await startServer((response) => json(response, 404, { error: 'Not here.' }));
    const client = new Nameplate({ apiKey, baseUrl: url });
    const error = await failureOf(client.site.getSiteStatus().withResponse());
    expect(error).toBeInstanceOf(NotFoundError);
  });
});

describe('no response', () => {
  it('an unreachable server throws an APIConnectionError with its cause', async () => {
    const baseUrl = await closedUrl();
    const client = new Nameplate({ apiKey, baseUrl, maxRetries: 0 });
    const error = await failureOf(client.site.getSiteStatus());
    expect((error as Error).constructor).toBe(APIConnectionError);
    expect(error).toMatchObject({
      message: `GET ${baseUrl}/site/get-site-status failed (ECONNREFUSED).`,
      cause: { cause: { code: 'ECONNREFUSED' } },
    });
  });

  it.for([
    ['an error', new Error('out of ports'), 'out of ports'],
    ['an error with a code', Object.assign(new Error('no'), { code: 'ENOPORTS' }), 'ENOPORTS'],
    ['an error with a number', Object.assign(new Error('no'), { code: 23 }), 'no'],
    ['an error without a code inside', new TypeError('no', { cause: new Error('deep') }), 'deep'],
    ['a string', 'gone', 'gone'],
    ['nothing', undefined, 'undefined'],
  ] as const)('what fetch fails with is told: %s', async ([, cause, reason]) => {
    const client = new Nameplate({ apiKey, maxRetries: 0, fetch: () => Promise.reject(cause) });
    expect(await failureOf(client.site.getSiteStatus())).toMatchObject({
      message: `GET http://127.0.0.1:3000/site/get-site-status failed (${reason}).`,
      cause,
      method: 'GET',
      path: '/site/get-site-status',
    });
  });

  it('a connection lost inside the body throws an APIConnectionError', async () => {
    const { url } = await startServer((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"enabled":', () => response.destroy());
    });
    const client = new Nameplate({ apiKey, baseUrl: url, maxRetries: 0 });
    const error = await failureOf(client.site.getSiteStatus());
    expect((error as Error).constructor).toBe(APIConnectionError);
  });
});

describe('an invalid request', () => {
  it.for([
    [{ apiKey: '' }, KEY_REQUIRED],
    [{ apiKey: 'np_a\nb' }, KEY_REQUIRED],
    [{ apiKey, baseUrl: 'nonsense' }, /^baseUrl .* must be/],
    [{ apiKey, baseUrl: 'ftp://example.com' }, /^baseUrl .* must be/],
    [{ apiKey, baseUrl: 'http://user:secret@example.com' }, /^baseUrl .* must be/],
    [{ apiKey, baseUrl: 'http://example.com/?key=1' }, /^baseUrl .* must be/],
    [{ apiKey, timeout: 0 }, /^timeout must be/],
    [{ apiKey, timeout: Number.NaN }, /^timeout must be/],
    [{ apiKey, maxRetries: -1 }, /^maxRetries must be/],
    [{ apiKey, maxRetries: 1.5 }, /^maxRetries must be/],
  ] as const)('the options %j are refused immediately', ([options, message]) => {
    expect(() => new Nameplate(options)).toThrow(NameplateError);
    expect(() => new Nameplate(options)).toThrow(message);
  });

  it('missing options are refused immediately', () => {
    vi.stubEnv('NAMEPLATE_API_KEY', undefined);
    expect(() => new Nameplate()).toThrow(KEY_REQUIRED);
    expect(() => new Nameplate({ apiKey: undefined })).toThrow(KEY_REQUIRED);
  });

  it('a body that is not JSON, or an invalid header, throws a NameplateError', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const client = new Nameplate({ apiKey, baseUrl: url });
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const failures = [
      await failureOf(client.stats.ingestMetrics({ projectId: 'p', payload: loop })),
      await failureOf(client.stats.ingestMetrics({ projectId: 'p', payload: { n: 1n } })),
      await failureOf(client.site.getSiteStatus({ headers: { 'x-bad': 'a\nb' } })),
      await failureOf(client.site.toggleSiteVisibility({ idempotencyKey: 'a\nb' })),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(NameplateError);
      expect((failure as Error).cause).toBeInstanceOf(TypeError);
      expect(failure).toMatchObject({ method: expect.any(String), path: expect.any(String) });
    }
    expect(received).toEqual([]);
  });
});
