import { beforeAll, describe, expect, it } from 'vitest';
import { listRoutes } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { authenticatedContract } from '#contract/owner/index.ts';
import { mayCall, requiredScope, type Scope } from '#contract/scope.ts';
import { call, type TestResponse, send } from '../support/call.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { cookieHeader, createSession, logIn } from '../support/session.ts';
import { type TestAccount, openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const STATUS = 'GET /site/get-site-status';
const UNAUTHORIZED = { status: 401, body: { error: 'Unauthorized' } };
const routes = listRoutes(contract, authenticatedContract);

interface CreatedKey {
  key: { id: string; scope: Scope };
  api_key: string;
}

const { server, account } = useServer({ account: true });

const keyIdOf = ({ key }: { key: string }) => key.split('.')[0]!;

function requestKey(owner: TestAccount, json: object, headers = {}): Promise<TestResponse> {
  return send(server, owner, 'POST /owner/keys/create-key', json, headers);
}

async function createKey(json: object): Promise<CreatedKey> {
  return (await requestKey(account, json)).body as CreatedKey;
}

const listKeys = async ({ owner }: TestAccount) => (await owner.keys.listKeys()).keys;

it('a key that its owner creates is shown once, works, and is listed without its secret', async () => {
  const owner = await server.createAccount();
  const expires_at = '2100-01-31T08:00:00Z';
  const response = await requestKey(owner, { label: 'status page', scope: 'read', expires_at });
  const { key, api_key } = response.body as CreatedKey;
  expect(response).toMatchObject(
    okBody({
      key: {
        label: 'status page',
        scope: 'read',
        last_used_at: null,
        expires_at: '2100-01-31T08:00:00.000Z',
        current: false,
      },
    }),
  );
  expect(api_key.split('.')[0]).toBe(key.id);
  expect(await send(server, { key: api_key }, STATUS)).toMatchObject({
    status: 200,
  });
  const listResponse = await send(server, owner, 'GET /owner/keys/list-keys');
  expect(listResponse).toMatchObject(
    okBody({
      keys: [
        { id: keyIdOf(owner), label: null, scope: 'all', expires_at: null, current: true },
        { id: key.id, label: 'status page', scope: 'read' },
      ],
    }),
  );
  expect(listResponse.text).not.toContain(api_key.split('.')[1]);
});

it('a key that its owner creates is created once by parallel requests, and is not stored', async () => {
  const headers = { 'idempotency-key': 'make' };
  const owner = await server.createAccount();
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => requestKey(owner, { label: 'x' }, headers)),
  );
  const bodies = responses.map(({ body }) => body as CreatedKey);
  const [created, ...others] = bodies.filter(({ api_key }) => api_key !== null);
  expect(others).toEqual([]);
  for (const { key } of bodies) expect(key).toEqual(created!.key);
  expect(await listKeys(owner)).toHaveLength(2);
  const stored = await server.sql`SELECT response FROM idempotency_keys
    WHERE account_id = ${owner.id}`;
  const [, secret] = created!.api_key.split('.');
  expect(JSON.stringify([stored, server.log])).not.toContain(secret);
});

it.each([
  [{ label: 'one\u0085two' }, 'label must be one line of 1 to 200 characters, or null.'],
  [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at must be in the future.'],
])('a key that its owner creates is refused with the body %j', async (json, error) => {
  expect(await requestKey(account, json)).toMatchObject({ status: 400, body: { error } });
});

it("a key that its owner creates counts towards the account's limit of keys", async () => {
  const limitedServer = await openTestApp({ allowances: { keyLimit: 2 } }, server.database);
  const owner = await limitedServer.createAccount();
  const createAnother = () => send(limitedServer, owner, 'POST /owner/keys/create-key', {});
  expect((await createAnother()).status).toBe(200);
  expect(await createAnother()).toMatchObject(
    errorText(400, 'This account has reached its limit of 2 keys. Revoke one first.'),
  );
});

const ingest = (key: string, projectId: string) =>
  send(server, { key }, 'POST /stats/ingest-metrics', { projectId, payload: { a: 1 } });

it('a key for one project sends metrics to that project only', async () => {
  const project_id = await server.createProject(account);
  const otherProject = await server.createProject(account);
  const { key, api_key } = await createKey({ scope: 'metrics', project_id });
  expect(await listKeys(account)).toContainEqual(
    expect.objectContaining({ id: key.id, project_id }),
  );
  expect((await ingest(api_key, project_id.toUpperCase())).status).toBe(200);
  expect(await ingest(api_key, otherProject)).toMatchObject({
    ...errorText(403, 'This key is for another project.'),
    headers: { 'x-error-code': 'projectForbidden', 'x-error-field': 'projectId' },
  });
  const stored = await server.sql`SELECT DISTINCT project_id FROM metrics
      WHERE project_id IN (${project_id}, ${otherProject})`;
  expect(stored).toEqual([{ project_id }]);
});

it('a key for one project is refused with another scope, or for a project of another account', async () => {
  const project_id = await server.createProject(await server.createAccount());
  expect(await requestKey(account, { scope: 'metrics', project_id })).toMatchObject(
    errorText(404, 'You have no such project.'),
  );
  expect(await requestKey(account, { scope: 'read', project_id })).toMatchObject(
    errorText(400, 'Only a key with the scope metrics can be for one project.'),
  );
});

it('a key for one project is deleted with the project', async () => {
  const project_id = await server.createProject(account);
  const { key, api_key } = await createKey({ scope: 'metrics', project_id });
  await send(server, account, 'POST /owner/projects/delete-project', { project_id });
  expect((await ingest(api_key, project_id)).status).toBe(401);
  expect((await listKeys(account)).map(({ id }) => id)).not.toContain(key.id);
});

it('a key is refused after its expiry, and so are the sessions it started', async () => {
  const { key, api_key } = await createKey({ expires_at: '2100-01-01T00:00:00Z' });
  const { headers } = await createSession(server, { api_key });
  const readWithSession = () =>
    call(server.app, { path: '/site/get-site-status', headers: { cookie: cookieHeader(headers) } });
  expect(await readWithSession()).toMatchObject({ status: 200 });
  await server.sql`UPDATE api_keys SET expires_at = ${new Date(Date.now() - 1)}
      WHERE id = ${key.id}`;
  expect(await send(server, { key: api_key }, STATUS)).toMatchObject(UNAUTHORIZED);
  expect(server.log.at(-1)).toMatchObject({ reason: 'keyExpired', keyId: key.id });
  expect(await readWithSession()).toMatchObject(UNAUTHORIZED);
  expect((await createSession(server, { api_key })).status).toBe(401);
});

it('a key can be revoked by its account, also with itself', async () => {
  const { key, api_key } = await createKey({});
  const revoke = (owner: { key: string }, keyId: unknown) =>
    send(server, owner, 'POST /owner/keys/revoke-key', { key_id: keyId });
  expect(await revoke(account, 'np_unknown')).toMatchObject(
    errorText(404, 'You have no such key.'),
  );
  expect(await revoke(account, 'x')).toMatchObject(
    errorText(400, 'key_id must be the id of one of your keys. It starts with np_.'),
  );
  expect(await revoke({ key: api_key }, key.id)).toMatchObject(okBody({ success: true }));
  expect(await send(server, { key: api_key }, STATUS)).toMatchObject(UNAUTHORIZED);
  expect((await listKeys(account)).map(({ id }) => id)).not.toContain(key.id);
});

it('a key can log in only with full access', async () => {
  for (const [scope, status] of [
    ['all', 200],
    ['read', 403],
    ['page', 403],
    ['metrics', 403],
  ] as const) {
    const { api_key } = await createKey({ scope });
    const { status: actual } = await createSession(server, { api_key });
    expect([scope, actual]).toEqual([scope, status]);
  }
});

it('a key is listed as current if the session was started with it', async () => {
  const owner = await server.createAccount();
  const { headers } = await createSession(server, { api_key: owner.key });
  const cookie = { cookie: cookieHeader(headers) };
  const response = await call(server.app, { path: '/owner/keys/list-keys', headers: cookie });
  expect(response.body).toMatchObject({ keys: [{ id: keyIdOf(owner), current: true }] });
  const linkHeaders = await logIn(server, owner.id);
  const other = await call(server.app, { path: '/owner/keys/list-keys', headers: linkHeaders });
  expect(other.body).toMatchObject({ keys: [{ id: keyIdOf(owner), current: false }] });
});

describe.each(['all', 'read', 'metrics'] as const)('a key of the scope %s', (scope) => {
  let key: string;
  beforeAll(async () => {
    key = (await createKey({ scope })).api_key;
  });

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    `a key of the scope ${scope} can call %s only if its scope allows that, which is checked before the body is read`,
    async (_title, route) => {
      const { method, path } = route;
      const request = { method, path, key, payload: method === 'GET' ? undefined : '{"broken' };
      const response = await call(server.app, request);
      const required = requiredScope(route);
      const insufficientScope = {
        error: `This key may not do that: its scope is ${scope}, not ${required}.`,
      };
      if (mayCall(scope, route)) expect(response.body).not.toEqual(insufficientScope);
      else expect([response.status, response.body]).toEqual([403, insufficientScope]);
    },
  );
});

it('a key of scope `page` changes the page, and nothing else', async () => {
  const { api_key } = await createKey({ scope: 'page' });
  const request = (path: string, json?: object) =>
    call(server.app, {
      path,
      headers: { 'x-api-key': api_key },
      ...(json && { method: 'POST', json }),
    });
  const { body } = await request('/owner/page/get-page-version');
  const { version } = body as { version: number };
  const update = await request('/owner/page/update-page', { version, bio: 'Hello' });
  expect(update.status).toBe(200);
  for (const path of ['/owner/page/update-page-visibility', '/owner/keys/create-key'])
    expect(await request(path, {})).toMatchObject({ status: 403 });
  expect(await request('/account/get-display-name')).toMatchObject({ status: 403 });
  const allowed = routes.filter((route) => mayCall('page', route)).map(({ path }) => path);
  expect(allowed.every((path) => path.startsWith('/owner/page/'))).toBe(true);
  expect(allowed).toHaveLength(5);
});

it('a key of scope `metrics` can only send metrics; one of scope `read` can only read', () => {
  const allowedRoutes = (scope: Scope) => routes.filter((route) => mayCall(scope, route));
  expect(allowedRoutes('metrics').map(({ path }) => path)).toEqual(['/stats/ingest-metrics']);
  expect(allowedRoutes('operator')).toEqual(routes);
  expect(allowedRoutes('all')).toEqual(
    routes.filter(({ metadata }) => metadata.scope !== 'operator'),
  );
  // The export contains more than a read key may see.
  expect(allowedRoutes('read').map(({ path }) => path)).not.toContain(
    '/owner/account/export-account',
  );
  const readPosts = allowedRoutes('read').filter(({ method }) => method !== 'GET');
  // POST endpoints that only read.
  expect(readPosts.map(({ path }) => path).toSorted()).toEqual([
    '/owner/metrics/query-metrics',
    '/owner/page/preview-page',
    '/owner/visitors/query-visitors',
  ]);
});
