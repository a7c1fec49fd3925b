import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldMessage } from '#contract/schema-refusals.ts';
import { insertOperator } from '#db/queries/operators.ts';
import { generateApiKey } from '#server/features/keys/api-key.ts';
import { createApiKey } from '#server/features/keys/manage-keys.ts';
import { readPublicDocument } from '#server/platform/openapi-documents.ts';
import { call, type TestRequest } from '../support/call.ts';
import {
  jsonEndpoints,
  authenticatedEndpoints,
  coreEndpoints,
  createValidBody,
  unauthenticatedEndpoints,
  endpointsWithJsonBody,
  jsonWriteEndpoints,
  writeEndpoints,
  forEachEndpoint,
  makeOperator,
} from '../support/endpoints.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';

const MIB = 1_048_576;
const LARGE = 'x'.repeat(MIB + 1);
const TEXT = { 'content-type': 'text/plain' };

/** Receives only requests that must be refused without a database query. */
let publicServer: TestApp;
let account: TestAccount;
const { server } = useServer({ chat: { deliver: () => Promise.resolve('1') } });
beforeAll(async () => {
  publicServer = await startTestApp({}, server.database);
  account = await server.createAccount();
  await makeOperator(server, account);
});
afterAll(async () => {
  await publicServer.app.close();
});

const send = (request: TestRequest) => call(server.app, { key: account.key, ...request });

/** `/site/*` has a sentence of its own. The others name the cause. */
const refusedKey = (path: string, code: string, cause: string) => ({
  ...errorText(
    401,
    path.startsWith('/site/')
      ? 'Unauthorized'
      : `The API key ${cause}: a valid key in the X-API-KEY header (or a login) is required.`,
  ),
  headers: { 'x-error-code': code },
});
const missingKey = (path: string) => refusedKey(path, 'apiKeyMissing', 'is missing');

it('every endpoint responds with 401 and names the cause, but only to holders of the whole key', async () => {
  const [revoked, expired, replaced] = [
    await server.createAccount(),
    await server.createAccount(),
    await server.createAccount(),
  ];
  const idOf = ({ key }: TestAccount) => key.split('.')[0]!;
  await server.sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${idOf(revoked)}`;
  await server.sql`UPDATE api_keys SET expires_at = now() WHERE id = ${idOf(expired)}`;
  const otherSecret = Buffer.alloc(32, 1);
  await server.sql`UPDATE api_keys SET secret_hash = ${otherSecret}, revoked_at = now()
    WHERE id = ${idOf(replaced)}`;
  const { id, secret } = generateApiKey();
  await forEachEndpoint(authenticatedEndpoints, async ({ method, path }) => {
    for (const [key, code, cause] of [
      [undefined, 'apiKeyMissing', 'is missing'],
      [revoked.key, 'apiKeyRevoked', 'was revoked'],
      [expired.key, 'apiKeyExpired', 'has expired'],
      [replaced.key, 'unauthorized', 'or login is not valid'],
      [`${id}.${secret}`, 'unauthorized', 'or login is not valid'],
    ] as const)
      expect(await call(server.app, { method, path, key })).toMatchObject(
        refusedKey(path, code, cause),
      );
  });
});

it('every endpoint responds with 401 to a malformed key, without a database query', () =>
  forEachEndpoint(authenticatedEndpoints, async ({ method, path }) => {
    const refused = refusedKey(path, 'apiKeyMalformed', 'is mistyped or incomplete');
    for (const key of malformedKeys(account.key)) {
      const response = await call(publicServer.app, { method, path, key });
      expect([key, response]).toMatchObject([key, refused]);
    }
    expect(publicServer.queryCount()).toBe(0);
  }));

it('every endpoint says that Authorization needs Bearer before the key', () =>
  forEachEndpoint(authenticatedEndpoints, async ({ method, path }) => {
    const error = 'The header Authorization needs the word Bearer before the API key.';
    for (const authorization of [account.key, `Token ${account.key}`])
      expect(await call(server.app, { method, path, headers: { authorization } })).toMatchObject({
        ...errorText(401, path.startsWith('/site/') ? 'Unauthorized' : error),
        headers: { 'x-error-code': 'bearerMissing' },
      });
  }));

it('every endpoint accepts a key only in its headers', () =>
  forEachEndpoint(authenticatedEndpoints, async ({ method, path }) => {
    for (const request of [
      { path: `${path}?x-api-key=${account.key}` },
      { path, headers: { cookie: `x-api-key=${account.key}` } },
      { path, headers: { 'x-api-key': [account.key, account.key] } },
    ])
      expect(await call(server.app, { method, ...request })).toMatchObject({ status: 401 });
  }));

it('every endpoint responds with 405 and Allow to every other method, with or without a key', () => {
  const endpoints = [...authenticatedEndpoints, ...unauthenticatedEndpoints];
  return forEachEndpoint(endpoints, async ({ path }) => {
    const allowed = endpoints
      .filter((endpoint) => endpoint.path === path)
      .map((endpoint) => endpoint.method);
    if (allowed.includes('GET')) allowed.push('HEAD' as 'GET');
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
    for (const otherMethod of methods.filter((name) => !allowed.includes(name as 'GET')))
      for (const key of [undefined, account.key]) {
        const payload = /GET|HEAD|TRACE/.test(otherMethod) ? undefined : '{"broken';
        const response = await call(server.app, { method: otherMethod, path, key, payload });
        expect([otherMethod, response]).toMatchObject([
          otherMethod,
          { status: 405, headers: { allow: allowed.join(', ') } },
        ]);
      }
  });
});

it('every endpoint returns the request id that was sent', () =>
  forEachEndpoint(jsonEndpoints, async ({ method, path }) => {
    const headers = { 'x-request-id': 'from-the-caller_1' };
    expect((await send({ method, path, headers })).headers).toMatchObject(headers);
  }));

it.each(withTitles(['', 'a b', 'a;b', 'é', 'x'.repeat(129), 'x'.repeat(10_000)]))(
  'a request gets a new id if the one that was sent is invalid: $title',
  async ({ value: invalidId }) => {
    const headers = { 'x-request-id': invalidId };
    const response = await call(server.app, { path: '/site/get-site-status', headers });
    expect(response.headers['x-request-id']).not.toBe(invalidId);
  },
);

it('a percent-encoded path matches the same endpoint for every method', () =>
  forEachEndpoint(authenticatedEndpoints, async ({ method, path }) => {
    const encoded = path
      .replaceAll('-', '%2d')
      .replace(/[a-z]$/, (lastCharacter) => `%${lastCharacter.charCodeAt(0).toString(16)}`);
    expect(await call(server.app, { method, path: encoded })).toMatchObject({ status: 401 });
    const plainResponse = await call(server.app, { method: 'DELETE', path });
    const response = await call(server.app, { method: 'DELETE', path: encoded });
    expect(response).toMatchObject({
      ...{ status: 405, body: plainResponse.body },
      headers: { allow: plainResponse.headers.allow },
    });
  }));

const readEndpoints = jsonEndpoints.filter(({ method }) => method === 'GET');
it('every endpoint that reads responds to HEAD like GET, without a body', () =>
  forEachEndpoint(readEndpoints, async ({ path }) => {
    const getResponse = await send({ path });
    const headResponse = await send({ method: 'HEAD', path });
    expect(headResponse).toMatchObject({ status: 200, text: '' });
    expect(headResponse.headers['content-length']).toBe(getResponse.headers['content-length']);
    expect(await call(server.app, { method: 'HEAD', path })).toMatchObject({ status: 401 });
  }));

it('every endpoint that reads ignores a body, whatever it is', () =>
  forEachEndpoint(readEndpoints, async ({ path }) => {
    for (const payload of ['{"broken', '[]', 'x'.repeat(2 * MIB)])
      expect(await send({ path, payload })).toMatchObject({ status: 200 });
    expect(await send({ path, payload: 'x', headers: TEXT })).toMatchObject({ status: 200 });
  }));

it('every write responds with 401 without a key, without reading the body', () =>
  forEachEndpoint(writeEndpoints, async ({ method, path }) => {
    for (const request of [
      { payload: '{"broken' },
      { payload: 'x', headers: TEXT },
      { payload: LARGE },
      { payload: '{}', headers: { 'content-encoding': 'gzip' } },
    ])
      expect(await call(publicServer.app, { method, path, ...request })).toMatchObject(
        missingKey(path),
      );
    expect(publicServer.queryCount()).toBe(0);
  }));

const manyKeys = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [n, n]));
const invalidJson = "The request body is not valid JSON: Unexpected token 'x'.";
it.each<[string, Omit<TestRequest, 'path'>, number, string | RegExp]>([
  ['text', { payload: '{}', headers: TEXT }, 415, 'The Content-Type must be application/json.'],
  ['an encoding', { payload: '{}', headers: { 'content-encoding': 'gzip' } }, 415, /./],
  ['a large text: its type is checked first', { payload: LARGE, headers: TEXT }, 415, /./],
  [
    'more than 1 MiB, before it is parsed',
    { payload: LARGE },
    413,
    'The request body is larger than 1 MiB.',
  ],
  [
    'more than 10,000 keys and values',
    { json: { rest: manyKeys } },
    400,
    'The request body contains more than 10,000 keys and values.',
  ],
  ['invalid JSON, which is not repeated', { payload: '{"secret-of-mine":x}' }, 400, invalidJson],
  [
    'a dangerous key',
    { payload: '{"a":[{"\\u005f\\u005fproto__":1}]}' },
    400,
    'The request body contains a key that is not allowed: __proto__ or constructor.prototype.',
  ],
  ['text that cannot be stored', { payload: '{"a":"\\u0000"}' }, 400, /cannot be stored/],
  ['66 levels of nesting', { payload: nested(66) }, 400, /64 levels/],
])('every endpoint that takes JSON refuses %s', (_what, request, status, error) =>
  forEachEndpoint(jsonWriteEndpoints, async ({ method, path }) => {
    expect(await send({ method, path, ...request })).toMatchObject({
      status,
      body: { error: typeof error === 'string' ? error : expect.stringMatching(error) },
    });
  }),
);

const post = (payload: string | Buffer, headers = {}) =>
  send({ method: 'POST', path: '/site/update-site-configuration', payload, headers });

it('the reader of request bodies accepts the encoding identity, which means none', async () => {
  const encoding = { 'content-encoding': 'Identity' };
  expect(await post('{"bio":"Potter"}', encoding)).toMatchObject({ status: 200 });
});

it.each([
  ...['text/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['application/jsonx', '*/*'],
])('the reader of request bodies responds with 415 to the content type %j', async (type) => {
  expect(await post('{}', { 'content-type': type })).toMatchObject({ status: 415 });
});

it.each(['br', 'deflate', 'identity, gzip'])(
  'the reader of request bodies responds with 415 to the encoding %j',
  async (encoding) => {
    expect(await post('{}', { 'content-encoding': encoding })).toMatchObject({ status: 415 });
  },
);

it.each([
  '{',
  '\ufeff{}x',
  'NaN',
  '\u00a0',
  '\u2028{}',
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  '{'.repeat(MIB),
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a\\u0000":1}',
  '{"a":[{"b":"\\ud800"}]}',
  '{"a":1e400}',
  '9007199254740992',
  nested(100_000),
  nested(100_000, '{"a":', '}'),
])('the reader of request bodies responds with 400 to %.40j', async (payload) => {
  expect(await post(payload)).toMatchObject({ status: 400 });
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

it.each([
  [
    '{\n  "bio": "x"\n  "mood": "y"\n}',
    "Expected ',' or '}' after property value (line 3 column 3)",
  ],
  ['{"bio":', 'Unexpected end of JSON input'],
  ['[object Object]', '"[object Object]"'],
  [`{"a":"secret",x${' '.repeat(80)}`, 'Expected double-quoted property name (line 1 column 15)'],
  [`{"secret": "${'-'.repeat(80)}", "a":x}`, "Unexpected token 'x'"],
  ['{"b":"\\"NaN",\n"a":NaN}', 'NaN is not JSON; send null (line 2 column 5)'],
  ['[1, -Infinity]', '-Infinity is not JSON; send null (line 1 column 5)'],
  ['{"b":"NaN","a":x}', "Unexpected token 'x'"],
])(
  'the reader of bodies says what is wrong with %j without repeating it',
  async (payload, problem) => {
    const message = `The request body is not valid JSON: ${problem}.`;
    expect(await post(payload)).toMatchObject(errorText(400, message));
  },
);

it('the reader of request bodies ignores a byte order mark', async () => {
  const marked = '\ufeff{"bio":"Potter"}';
  expect(await post(marked)).toMatchObject({ status: 200 });
});

it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;'])(
  'the reader of request bodies accepts the content type %j',
  async (type) => {
    expect(await post('{}', { 'content-type': type })).toMatchObject({ status: 200 });
  },
);

/** Error messages for a body without any fields, by endpoint. */
const SPECIAL_MESSAGES: Record<string, string> = {
  updateDisplayName: 'A display name is required (display_name).',
  emailForwardingToggle: 'enabled must be true or false.',
  ingestMetrics: 'The project ID is required (projectId).',
  sendChatWebhook:
    'The webhook URL is required and must be a Discord webhook URL: https, with the path /api/webhooks/ID/TOKEN (webhookUrl).',
  editChatWebhook:
    'The webhook URL is required and must be a Discord webhook URL: https, with the path /api/webhooks/ID/TOKEN (webhookUrl).',
};
const OBJECT_MESSAGE = 'he request body must be a JSON object';
const withFirstMessage = endpointsWithJsonBody.map((endpoint) => {
  const { path = [], message } = endpoint.body?.safeParse({}).error?.issues[0] ?? {};
  const fieldError = message && fieldMessage(path.join('.'), message);
  const isOwner = endpoint.path.startsWith('/owner/') && path.length === 1;
  return {
    ...endpoint,
    firstMessage: SPECIAL_MESSAGES[endpoint.name] ?? fieldError,
    missingMessage: isOwner ? `${path.join('.')} is missing.` : undefined,
  };
});

it.each([undefined, ' \n'])(
  'every endpoint with a body responds to the body %j with 400 about its first field',
  (payload) =>
    forEachEndpoint(withFirstMessage, async ({ method, path, firstMessage, missingMessage }) => {
      const expected = missingMessage ?? firstMessage;
      const error = expected
        ? expect.stringContaining(expected.slice(0, -1))
        : `T${OBJECT_MESSAGE}.`;
      expect(await send({ method, path, payload })).toMatchObject(errorText(400, error));
    }),
);

it.each([
  ['[]', 'an array'],
  ['null', 'null'],
  ['"s"', 'a string'],
  ['1', 'a number'],
  ['true', 'a boolean'],
  [String.raw`"{\"enabled\":true}"`, 'a string that contains JSON'],
])(
  'every endpoint with a body responds to the body %s with 400 about its first field and %s',
  (payload, kind) =>
    forEachEndpoint(withFirstMessage, async ({ method, path, firstMessage }) => {
      const { status, body } = await send({ method, path, payload });
      const { error } = body as { error: string };
      expect(status).toBe(400);
      expect(error.startsWith(firstMessage?.slice(0, -1) ?? `T${OBJECT_MESSAGE}`)).toBe(true);
      expect(error.endsWith(`${OBJECT_MESSAGE}, not ${kind}.`)).toBe(true);
    }),
);

it('the toggle of the visibility, which takes no body, ignores fields and refuses other values', async () => {
  const path = '/site/toggle-site-visibility';
  const toggle = (payload: string | undefined) => send({ method: 'POST', path, payload });
  for (const payload of [undefined, ' ', 'null', '[]', '{}', '{"enabled":true}']) {
    const { enabled } = await account.client.site.getSiteStatus();
    const response = await toggle(payload);
    expect(response).toMatchObject(okBody({ success: true, newStatus: !enabled }));
    expect(response.headers['x-ignored-fields']).toBe(
      payload?.includes('enabled') ? 'enabled' : undefined,
    );
  }
  const { enabled } = await account.client.site.getSiteStatus();
  for (const payload of ['[true]', '1', 'true', '"x"'])
    expect(await toggle(payload)).toMatchObject({ status: 400 });
  expect(await toggle('[true]')).toMatchObject(
    errorText(400, 'The request body must be a JSON object, not an array.'),
  );
  expect(await account.client.site.getSiteStatus()).toEqual({ enabled });
});

it.each([
  '/account',
  '/account/get-display-name/',
  '/Account/get-display-name',
  '/account//get-display-name',
  '/account/get-display-name%00',
  '/apple-touch-icon.png',
  `/${'x'.repeat(200)}`,
])('an unknown path responds with 404 at %s whatever the method, key and body', async (path) => {
  for (const key of [undefined, account.key])
    for (const request of [
      { method: 'GET' },
      { method: 'POST', payload: '{"broken' },
      { method: 'POST', payload: 'x', headers: TEXT },
      { method: 'POST', payload: LARGE },
      { method: 'DELETE' },
    ])
      expect(await call(server.app, { path, key, ...request })).toMatchObject(
        errorText(
          404,
          expect.stringMatching(/^There is nothing at this path. (See|Did you mean) /),
        ),
      );
});

it('a misspelled path responds with the endpoint that was meant, unless it is for operators', async () => {
  const paths = Map.groupBy(authenticatedEndpoints, ({ path }) => path);
  for (const [path, endpoints] of paths) {
    const methods = endpoints.map(({ method }) => method).join(' or ');
    const area = endpoints[0]!.isForOperators && path.split('/')[2]!;
    const document =
      area && area.replaceAll(/-(.)/g, (_match, letter: string) => letter.toUpperCase());
    const hint = document ? `See /docs/owner/${document}.md.` : `Did you mean ${methods} ${path}?`;
    for (const misspelled of [
      `${path}/?x=1`,
      `/${path}`,
      path.replace(/\/(?=[^/]*$)/, '//'),
      path.replaceAll(/-(.)/g, (_match, letter: string) => letter.toUpperCase()),
      path.replaceAll('-', '_'),
      path.toUpperCase(),
    ].filter((candidate) => candidate !== path))
      expect([
        misspelled,
        await call(server.app, { path: misspelled, method: 'POST', payload: '{' }),
      ]).toMatchObject([misspelled, errorText(404, `There is nothing at this path. ${hint}`)]);
  }
});

it.each([
  ['/stats/ingest-metric', 'POST /stats/ingest-metrics'],
  ['/stats/get-projectss', 'GET /stats/get-projects'],
  ['/stats/get-prajects', 'GET /stats/get-projects'],
  ['/keys/list-requests', 'GET /owner/keys/list-requests'],
  ['/api/stats/get-projects', 'GET /stats/get-projects'],
  ['/v1/owner/keys/list-request', 'GET /owner/keys/list-requests'],
  ['/docs/alerts.md', 'GET /docs/owner/alerts.md'],
  ['/stats/get-prajectss', undefined],
  ['/operator/list-member', undefined],
  ['/owner/alerts/pause', undefined, '/docs/owner/alerts.md'],
  ['/owner/constructor', undefined, '/docs/owner/'],
  ['/owner', undefined, '/docs/owner/'],
])(
  '%s, which is unknown, responds with what is similar',
  async (path, endpoint, document?: string) => {
    const hint = endpoint
      ? `Did you mean ${endpoint}?`
      : `See ${document ?? '/docs and /openapi.json'}.`;
    expect(await call(server.app, { path })).toMatchObject(
      errorText(404, `There is nothing at this path. ${hint}`),
    );
  },
);

it('a removed path responds with the endpoint that replaced it', async () => {
  const removed = { method: 'POST', path: '/owner/page/import-page-text', payload: '{}' };
  expect(await call(server.app, removed)).toMatchObject(
    errorText(404, 'There is nothing at this path. Did you mean POST /owner/page/import-page?'),
  );
});

it('an unknown path is distinguished from a wrong method of a path outside the contract', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const response = await call(server.app, { method: 'POST', path, payload: '{"broken' });
    expect([path, response.status, response.headers.allow]).toEqual([path, 405, 'GET, HEAD']);
  }
});

describe.each([
  ['without mail', false],
  ['with mail', true],
])('on a server %s, with a key of the scope that its document names', (_title, mailEnabled) => {
  const chat = { deliver: () => Promise.resolve('1') };
  const { server: app, account: owner } = useServer({ mailEnabled, chat, account: 'per test' });
  const email = 'jane@example.com';

  it.each(['an operator', 'a member'])('every public endpoint works for %s', async (role) => {
    if (role === 'an operator')
      await app.db.transaction().execute((trx) => insertOperator(trx, owner.id));
    const { paths } = await readPublicDocument();
    const confirm = () =>
      app.sql`UPDATE forwarding_settings SET forwarding_confirmed = true
        WHERE account_id = ${owner.id} AND forwarding_email IS NOT NULL`;
    await forEachEndpoint(coreEndpoints, async (endpoint) => {
      const { name, method, path } = endpoint;
      const scope = paths[path]![method.toLowerCase()]!['x-scope']!;
      const options = { accountId: owner.id, label: null, scope };
      const { api_key: key } = await createApiKey(app.db, options);
      const bodies = [await createValidBody(app, owner, endpoint)];
      if (name === 'emailForwardingToggle')
        bodies.push({ enabled: true, email }, { enabled: false }, { enabled: true });
      for (const json of [...bodies, bodies.at(-1)]) {
        const response = await call(app.app, { method, path, key, json });
        expect([json, response]).toMatchObject([json, { status: 200 }]);
        if (name === 'emailForwardingToggle') await confirm();
      }
    });
  });
});

function nested(levels: number, open = '[', close = ']'): string {
  return `{"a":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;
}

/** Invalid keys. Most are derived from a valid one. */
function malformedKeys(key: string): string[] {
  const [id, secret] = key.split('.') as [string, string];
  const changedSecret = secret.startsWith('A') ? `B${secret.slice(1)}` : `A${secret.slice(1)}`;
  return [
    ...['', '.', 'nodot', `${id}.`, `.${secret}`, `${key}.`, `${id}.${changedSecret}`, `${key}x`],
    ...[key.slice(0, -1), `"${key}"`, `${id.toUpperCase()}.${secret}`, `Bearer ${key}`, 'é.é'],
    ...["' or 1=1--.x", 'x'.repeat(15_000), `${'x'.repeat(7_500)}.${'y'.repeat(7_500)}`],
  ];
}
