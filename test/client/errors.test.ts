import { afterEach, expect, it, vi } from 'vitest';
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
} from '#client/index.ts';
import { respondJson } from '../support/listen.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { catchError } from './support/catch-error.ts';
import { apiKey, startClient, startServer } from './support/server.ts';

const KEY_REQUIRED =
  'apiKey (or NAMEPLATE_API_KEY) is required and must be visible ASCII characters.';

afterEach(() => {
  vi.unstubAllEnvs();
});

const ERROR_CLASSES = [
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

it.for(ERROR_CLASSES)(
  'an error response with status %i throws its error class with the server’s message',
  async ([status, ErrorClass]) => {
    const { client } = await startClient(
      (response) =>
        respondJson(response, status, { error: 'It is taken.' }, { 'x-request-id': 'req-7' }),
      { maxRetries: 0 },
    );
    const error = await catchError(client.account.updateDisplayName({ display_name: 'jane' }));
    expect(error).toBeInstanceOf(APIError);
    expect(error).toBeInstanceOf(NameplateError);
    expect(error).toMatchObject({
      constructor: ErrorClass,
      ...{ name: ErrorClass.name, status, message: 'It is taken.', requestId: 'req-7' },
    });
    expect((error as APIError).headers.get('content-type')).toBe('application/json');
  },
);

it.for([
  ['blocks.3.url', 'blocks.3.url'],
  [encodeURIComponent('payload.größe'), 'payload.größe'],
  ['%', undefined],
  [undefined, undefined],
] as const)('an error response with X-Error-Field %j has the field %j', async ([header, field]) => {
  const headers: Record<string, string> = header ? { 'x-error-field': header } : {};
  const { client } = await startClient((response) =>
    respondJson(response, 400, { error: 'The name is taken.' }, headers),
  );
  const fields = field === undefined ? [] : [field];
  expect(await catchError(client.stats.getProjects())).toMatchObject({ field, fields });
});

it.for([
  ['</docs/errors#displayNameTaken>; rel="help"', '/docs/errors#displayNameTaken'],
  [
    '<https://names.example.org/docs/errors#x>; rel="help"',
    'https://names.example.org/docs/errors#x',
  ],
  ['<https://[>; rel="help"', undefined],
  ['', undefined],
] as const)(
  'an error response with the Link header %j logs as JSON, with the docs at %j',
  async ([link, docs]) => {
    const { client, url } = await startClient((response) =>
      respondJson(
        response,
        409,
        { error: 'It is taken.' },
        { link, 'x-error-code': 'displayNameTaken' },
      ),
    );
    const error = await catchError(client.stats.getProjects());
    const docsUrl = docs && new URL(docs, url).href;
    expect(error).toMatchObject({ docsUrl });
    expect(JSON.parse(JSON.stringify({ error }))).toEqual({
      error: {
        name: 'ConflictError',
        message: 'It is taken.',
        status: 409,
        code: 'displayNameTaken',
        fields: [],
        method: 'GET',
        path: '/stats/get-projects',
        url: `${url}/stats/get-projects`,
        ...(docsUrl && { docsUrl }),
      },
    });
  },
);

it.for([
  '',
  '<html>',
  '{"error":',
  '{"detail":"no"}',
  '{"error":{}}',
  '{"error":""}',
  'null',
  '"x"',
])('an error response whose body is %j still throws a typed error', async (body) => {
  const { client, url } = await startClient((response) => response.writeHead(502).end(body), {
    maxRetries: 0,
  });
  expect(await catchError(client.stats.getProjects())).toMatchObject({
    constructor: InternalServerError,
    status: 502,
    message: `GET ${url}/stats/get-projects returned status 502 without an error message.`,
    requestId: undefined,
  });
});

it.for(['', '<html></html>', 'null', '"text"', '12'])(
  'an error response is also thrown as an APIError if the status is 200 and the body is %j',
  async (body) => {
    const { client, url } = await startClient((response) => response.writeHead(200).end(body));
    expect(await catchError(client.stats.getProjects())).toMatchObject({
      constructor: APIError,
      status: 200,
      message: `GET ${url}/stats/get-projects returned no JSON object.`,
    });
  },
);

it.for([301, 302, 303, 307, 308])(
  'an error response with the redirect status %i is not followed, so that the key is not sent elsewhere',
  async (status) => {
    const { url: location, received } = await startServer((response) =>
      respondJson(response, 200, {}),
    );
    const { client } = await startClient((response) =>
      response.writeHead(status, { location }).end(),
    );
    const error = await catchError(client.site.toggleSiteVisibility());
    expect(error).toMatchObject({ constructor: RedirectError, status });
    expect(received).toEqual([]);
  },
);

it('an error response includes the request, and its stack contains the caller, also with withResponse', async () => {
  const { client, url } = await startClient((response) =>
    respondJson(response, 404, { error: 'Not here.' }),
  );
  async function caller(): Promise<void> {
    await client.withOptions({ baseUrl: `${url}/wrong` }).site.toggleSiteVisibility();
  }
  expect(await catchError(caller())).toMatchObject({
    method: 'POST',
    path: '/site/toggle-site-visibility',
    url: `${url}/wrong/site/toggle-site-visibility`,
    stack: expect.stringMatching(/^ +at async caller /m),
  });
  const sameError = await catchError(client.site.getSiteStatus().withResponse());
  expect(sameError).toBeInstanceOf(NotFoundError);
});

it('a request without a response throws an APIConnectionError with its cause if the server is unreachable', async () => {
  const baseUrl = `http://127.0.0.1:${await findFreePort()}`;
  const client = new Nameplate({ apiKey, baseUrl, maxRetries: 0 });
  expect(await catchError(client.site.getSiteStatus())).toMatchObject({
    constructor: APIConnectionError,
    message: `GET ${baseUrl}/site/get-site-status failed (ECONNREFUSED).`,
    cause: { cause: { code: 'ECONNREFUSED' } },
  });
});

it.for([
  ['an error', new Error('out of ports'), 'out of ports'],
  ['an error with a code', Object.assign(new Error('no'), { code: 'ENOPORTS' }), 'ENOPORTS'],
  ['an error with a number', Object.assign(new Error('no'), { code: 23 }), 'no'],
  ['an error with a cause', new TypeError('no', { cause: new Error('deep') }), 'deep'],
  ['a string', 'gone', 'gone'],
  ['nothing', undefined, 'undefined'],
] as const)(
  'a request without a response throws an error with the reason why fetch failed: %s',
  async ([, cause, reason]) => {
    const client = new Nameplate({ apiKey, maxRetries: 0, fetch: () => Promise.reject(cause) });
    expect(await catchError(client.site.getSiteStatus())).toMatchObject({
      message: `GET http://127.0.0.1:3000/site/get-site-status failed (${reason}).`,
      cause,
      method: 'GET',
      path: '/site/get-site-status',
    });
  },
);

it('a request without a response throws an APIConnectionError if the connection is lost during the body', async () => {
  const { client } = await startClient(
    (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"enabled":', () => response.destroy());
    },
    { maxRetries: 0 },
  );
  const error = await catchError(client.site.getSiteStatus());
  expect((error as Error).constructor).toBe(APIConnectionError);
});

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
] as const)('a client with the options %j throws immediately', ([options, message]) => {
  expect(() => new Nameplate(options)).toThrow(NameplateError);
  expect(() => new Nameplate(options)).toThrow(message);
});

it('a client throws a NameplateError if a body cannot be serialized or a header is invalid', async () => {
  const { client, received } = await startClient((response) => respondJson(response, 200, {}));
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const header = 'A header is invalid.';
  const errors = [
    [
      'The body cannot be serialized as JSON.',
      await catchError(client.stats.ingestMetrics({ projectId: 'p', payload: circular })),
    ],
    [header, await catchError(client.site.getSiteStatus({ headers: { 'x-bad': 'a\nb' } }))],
    [header, await catchError(client.site.toggleSiteVisibility({ idempotencyKey: 'a\nb' }))],
  ] as const;
  for (const [message, error] of errors) {
    expect(error).toMatchObject({ message });
    expect(error).toBeInstanceOf(NameplateError);
    expect((error as Error).cause).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ method: expect.any(String), path: expect.any(String) });
  }
  expect(received).toEqual([]);
});

it.for([
  ['payload.rates.1 is NaN, not JSON.', { rates: [1, Number.NaN] }],
  ['payload.a.rate is Infinity, not JSON.', { a: { rate: Infinity } }],
  ['payload.tags is Map, not JSON.', { tags: new Map([['a', 1]]) }],
  ['payload.tags is Set, not JSON.', { tags: new Set([1]) }],
  ['payload.at is Date, not JSON.', { at: new Date(Number.NaN) }],
  ['payload.bytes is Uint8Array, not JSON.', { bytes: Uint8Array.of(1) }],
  ['payload.list.0 is undefined, not JSON.', { list: [undefined] }],
  ['payload.n is BigInt, not JSON.', { n: 1n }],
] as const)('a client refuses a value that JSON would change: %s', async ([message, payload]) => {
  const { client, received } = await startClient((response) => respondJson(response, 200, {}));
  const error = await catchError(client.stats.ingestMetrics({ projectId: 'p', payload }));
  expect(error).toBeInstanceOf(NameplateError);
  expect(error).toMatchObject({ message, path: '/stats/ingest-metrics' });
  expect(received).toEqual([]);
});
