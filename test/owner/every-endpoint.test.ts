import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DISPLAY_NAME_REFUSALS } from '#contract/account.ts';
import { DEPRECATION_DATE, deprecationOf } from '#contract/deprecations.ts';
import { buildDocument, buildOwnerDocument } from '#contract/openapi/document.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { call, send, type TestResponse } from '../support/call.ts';
import {
  type Endpoint,
  authenticatedEndpoints,
  succeedingEndpoints,
  coreEndpoints,
  idempotentEndpoints,
  unauthenticatedEndpoints,
  ownerEndpoints,
  createValidBody,
  ENDS_CREDENTIALS,
  createUnauthenticatedBody,
  createValidPath,
  createValidRequest,
} from '../support/endpoints.ts';
import { errorCode, errorText } from '../support/expected-responses.ts';
import { createSchemaCompiler } from '../support/openapi-schema-compiler.ts';
import {
  SAME_ORIGIN_HEADERS,
  createSession,
  createLoginLinkToken,
  logIn,
} from '../support/session.ts';
import { type TestApp, startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const ORIGIN = 'https://app.example.com';

const { server, account } = useServer({
  account: true,
  mailEnabled: true,
  chat: { deliver: () => Promise.resolve('1') },
  CORS_ORIGINS: [ORIGIN],
});
/** Receives no concurrent requests, so its query count shows the queries of refused requests. */
let idleServer: TestApp;
beforeAll(async () => {
  idleServer = await startTestApp({ CORS_ORIGINS: [ORIGIN] }, server.database);
});
afterAll(() => idleServer.app.close());

function expectDeclared(endpoint: Endpoint, response: TestResponse): void {
  const { area, name, fileTypes, responses } = endpoint;
  expect(response.status, response.text).toBe(200);
  const { deprecation, link } = response.headers;
  expect([deprecation, link]).toEqual(
    deprecationOf(`${area}.${name}`) === undefined
      ? [undefined, undefined]
      : [DEPRECATION_DATE, `</docs/owner/#${name}>; rel="deprecation"; type="text/html"`],
  );
  if (!fileTypes) return expect(responses[200]?.parse(response.body)).toEqual(response.body);
  expect(fileTypes).toContain(response.headers['content-type']!.split(';')[0]);
  expect(response.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+"$/);
}

/** `acceptInvitation` needs a server without mail. With mail, it is refused. */
const getServer = ({ name }: { name: string }) =>
  name === 'acceptInvitation' ? idleServer : server;

it.each(unauthenticatedEndpoints)(
  '$method $path without authentication responds with 200 and exactly the declared body',
  async (endpoint) => {
    const { method, path } = endpoint;
    const json = await createUnauthenticatedBody(server, endpoint);
    const { app } = getServer(endpoint);
    const request = { method, path, headers: SAME_ORIGIN_HEADERS, json };
    expectDeclared(endpoint, await call(app, request));
  },
);

it.each(unauthenticatedEndpoints)(
  '$method $path without authentication responds with 403 to another site without reading the body',
  async ({ method, path }) => {
    const before = idleServer.queryCount();
    for (const headers of [{}, { origin: ORIGIN }, { 'sec-fetch-site': 'same-site' }])
      for (const request of [{ payload: '{"broken' }, { payload: 'x'.repeat(1_048_577) }, {}])
        expect(await call(idleServer.app, { method, path, ...request, headers })).toMatchObject({
          ...errorCode(403, 'crossSiteRequest'),
          ...errorText(
            403,
            expect.stringContaining('Programs send an API key, or the header Origin'),
          ),
        });
    expect(idleServer.queryCount()).toBe(before);
  },
);

it.each(unauthenticatedEndpoints)(
  '$method $path without authentication responds with 413 to more than 64 KiB without parsing it',
  async ({ method, path }) => {
    const post = async (bytes: number) => {
      const request = { headers: SAME_ORIGIN_HEADERS, payload: '{'.repeat(bytes) };
      return call(idleServer.app, { method, path, ...request });
    };
    expect((await post(65_536)).status).toBe(400);
    expect(await post(65_537)).toMatchObject(
      errorText(413, 'The request body is larger than 64 KiB.'),
    );
  },
);

const [document, ownerDocument] = [buildDocument(), buildOwnerDocument()];
type DocumentPaths = { paths: Record<string, { post: { requestBody?: object } }> };
const compileSchema = createSchemaCompiler(document);
const compileOwnerSchema = createSchemaCompiler(ownerDocument);

/** Whether the document says that the endpoint accepts the body, if it says anything of a body. */
function isDocumented({ method, path }: Endpoint, body: object): boolean | undefined {
  const isOwner = path.startsWith('/owner/');
  const verb = method.toLowerCase() as 'post';
  const { paths } = (isOwner ? ownerDocument : document) as unknown as DocumentPaths;
  if (!paths[path]![verb].requestBody) return undefined;
  const pointer = `#/paths/${path.replaceAll('/', '~1')}/${verb}/requestBody`;
  const compile = isOwner ? compileOwnerSchema : compileSchema;
  return compile(`${pointer}/content/application~1json/schema`)(body) === undefined;
}

it.each(succeedingEndpoints)(
  '$method $path with a session responds with 200 and exactly the declared body, and names unknown fields, or refuses them and does nothing',
  async (endpoint) => {
    const { name, method, isDestructive, secretField, uploadTypes } = endpoint;
    const isStrict = isDestructive || secretField || name === 'queryMetrics';
    // Each endpoint gets its own account, because one of them deletes it.
    const caller = await server.createAccount();
    const path = await createValidPath(server, caller, endpoint);
    const { headers, ...content } = await createValidRequest(server, caller, endpoint);
    const session = await logIn(server, caller.id);
    const request = { method, path, ...content, headers: { ...headers, ...session } };
    const hasJson = method !== 'GET' && !uploadTypes;
    const unknown = { größe: 1, constructor: 'x', toString: null };
    const json = { ...(content.json as object | undefined), ...unknown };
    const names = `${hasJson ? 'gr%C3%B6%C3%9Fe,constructor,toString,' : ''}page%20no,__proto__,%00`;
    const response = await call(server.app, {
      ...request,
      path: `${path}${path.includes('?') ? '&' : '?'}page+no=1&page+no=2&__proto__=3&%00`,
      ...(hasJson && { json }),
    });
    const isRefused = response.headers['x-error-code'] === 'unknownField';
    const isAllowed = hasJson ? isDocumented(endpoint, json) : undefined;
    if (isAllowed !== undefined) expect(isAllowed).toBe(!isRefused);
    // The specification lets this endpoint accept unknown fields.
    if (!isStrict || coreEndpoints.includes(endpoint)) {
      expect(response.headers['x-ignored-fields']).toBe(names);
      return expectDeclared(endpoint, response);
    }
    expect(response).toMatchObject(errorCode(400, 'unknownField'));
    expect(response.headers['x-error-field']).toBe(names);
    // What a refused request would have deleted or used up still exists.
    expectDeclared(endpoint, await call(server.app, request));
  },
);

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, item]) => [name, reverseMembers(item)]);
  return Object.fromEntries(members.toReversed());
}

it.each(idempotentEndpoints.filter(({ name }) => !ENDS_CREDENTIALS.has(name)))(
  '$method $path with an Idempotency-Key is executed once, and its response is replayed',
  async (endpoint) => {
    const { method, path, refusals, secretField } = endpoint;
    const json = await createValidBody(server, account, endpoint);
    const idempotencyHeaders = { 'idempotency-key': path };
    const sendOnce = (body: object | undefined) =>
      call(server.app, { method, path, key: account.key, headers: idempotencyHeaders, json: body });
    const ignored = 'unknownField' in refusals ? {} : { unknown: 1 };
    const [first, second] = [
      await sendOnce(json),
      await sendOnce({ ...ignored, ...(reverseMembers(json ?? {}) as object) }),
    ];
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([200, 'true']);
    const withoutSecret = secretField && { [secretField]: null };
    expect(second.body).toEqual({ ...(first.body as object), ...withoutSecret });
  },
);

it.each([...ownerEndpoints, { method: 'POST', path: '/owner/sessions/create-session' }])(
  'another origin may not call $method $path from a browser, even if CORS_ORIGINS lists it',
  async ({ method, path }) => {
    for (const sentMethod of [method, 'OPTIONS']) {
      const response = await call(server.app, {
        method: sentMethod,
        path,
        headers: { origin: ORIGIN, 'access-control-request-method': method },
      });
      expect(Object.keys(response.headers).join()).not.toMatch(/access-control/);
    }
  },
);

it('another origin may not use a session cookie where CORS allows requests', async () => {
  const session = await logIn(server, account.id);
  const path = '/site/get-site-status';
  const response = await call(server.app, { path, headers: { ...session, origin: ORIGIN } });
  expect(response.headers['access-control-allow-origin']).toBe(ORIGIN);
  expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
});

it('a login logs neither the link nor the key', async () => {
  const link = await createLoginLinkToken(server, account.id);
  await createSession(server, { login_url: link });
  await createSession(server, { login_url: link });
  await createSession(server, { api_key: account.key });
  const log = JSON.stringify(server.log);
  expect(log).not.toContain(link);
  expect(log).not.toContain(account.key.split('.')[1]);
});

const REFUSED_NAMES: Record<keyof typeof DISPLAY_NAME_REFUSALS, string> = {
  displayNameTooShort: 'x',
  displayNameInvalid: 'José',
  displayNameReserved: 'admin',
  displayNameTaken: 'taken-by-another',
};
/**
 * Endpoints that claim a display name. In the excluded areas, `display_name` is the title of a
 * page. A preview claims nothing.
 */
const nameClaimingEndpoints = [...unauthenticatedEndpoints, ...authenticatedEndpoints].filter(
  ({ area, name, body }) =>
    !['site', 'page'].includes(area) &&
    !['deleteHeldName', 'previewInvitation', 'inviteKeeper'].includes(name) &&
    body instanceof z.ZodObject &&
    'display_name' in body.shape,
);

describe.each(nameClaimingEndpoints)('$method $path', (endpoint) => {
  const { name, method, path } = endpoint;
  it.each(Object.entries(REFUSED_NAMES))(
    `${method} ${path} refuses a display name: %s`,
    async (code, display_name) => {
      const taken = { display_name: 'taken-by-another' };
      await send(server, await server.createAccount(), 'POST /account/update-display-name', taken);
      const caller = await server.createAccount();
      const isUnauthenticated = unauthenticatedEndpoints.includes(endpoint);
      const body = await (isUnauthenticated
        ? createUnauthenticatedBody(server, endpoint)
        : createValidBody(server, caller, endpoint));
      const response = await call(getServer(endpoint).app, {
        method,
        path,
        json: { ...body, display_name },
        ...(isUnauthenticated ? { headers: SAME_ORIGIN_HEADERS } : { key: caller.key }),
      });
      const { status } = DISPLAY_NAME_REFUSALS[code as keyof typeof DISPLAY_NAME_REFUSALS];
      const isOnlyUnavailable = status === 409 && name === 'checkRegistration';
      expect(response.status, response.text).toBe(isOnlyUnavailable ? 200 : status);
    },
  );
});

it('every answer, also for a path that only another version has, says the version of the server', async () => {
  for (const path of ['/owner/keys/list-keys', '/owner/keys/of-another-version', '/healthz'])
    expect((await call(server.app, { path, key: account.key })).headers['nameplate-version']).toBe(
      path === '/healthz' ? undefined : packageJson.version,
    );
});
