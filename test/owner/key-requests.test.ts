import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import type { ListRequestsResponse } from '#client/owner.ts';
import { contract } from '#contract/index.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { KeyRequests } from '#server/features/keys/key-requests.ts';
import type { FinishedRequest } from '#server/platform/http/connection/request-log.ts';
import { call, send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { errorText } from '../support/expected-responses.ts';
import { callTool } from '../support/mcp.ts';
import { logIn } from '../support/session.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

type KeyRequest = ListRequestsResponse['requests'][number];

const { server, account } = useServer({ account: 'per test' });

const LIST = '/owner/keys/list-requests';
const keyIdOf = ({ key }: { key: string }) => key.split('.')[0]!;

/** Reads with a session, so that reading adds no requests. */
async function listRequests(owner: TestAccount = account, query = '', language = 'en') {
  const headers = {
    ...(await logIn(server, owner.id)),
    'sec-fetch-site': 'same-origin',
    'accept-language': language,
  };
  const { status, body } = await call(server.app, { path: LIST + query, headers });
  expect(status).toBe(200);
  return body as ListRequestsResponse;
}

const eventuallyList = (isDone: (requests: KeyRequest[]) => boolean) =>
  eventually(async () => (await listRequests()).requests, isDone);

/** Inserts requests, one a minute before the other. */
async function insertRequests(
  count: number,
  values: { status?: number; key_id?: string; error_code?: string } = {},
) {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...{ account_id: account.id, key_id: keyIdOf(account), status: 200, ...values },
    ...{ operation: 'stats.getProjects', duration_ms: 5, x_request_id: randomUUID() },
    created_at: new Date(Date.now() - (index + 1) * 60_000),
  }));
  await server.db.insertInto('key_requests').values(rows).execute();
  return rows.map(({ x_request_id }) => x_request_id);
}

it('requests with a key are listed with their outcome, and no others', async () => {
  const payload = { method: 'POST', path: '/stats/ingest-metrics' } as const;
  const json = { projectId: randomUUID(), payload: { secret: 'x' } };
  const headers = { 'user-agent': `curl/8.5.0 ${'x'.repeat(200)}` };
  const refused = await call(server.app, { ...payload, json, key: account.key, headers });
  expect(refused.status).toBe(403);
  await send(server, account, 'GET /stats/get-projects?unused=1');
  await send(server, account, 'GET /no/such-path');
  const [latest, earlier, ...others] = await eventuallyList(({ length }) => length === 2);
  expect(others).toEqual([]);
  expect(latest).toMatchObject({ operation: 'stats.getProjects', status: 200, error_code: null });
  expect(earlier).toEqual({
    id: expect.any(String) as string,
    created_at: expect.stringMatching(/Z$/) as string,
    key_id: keyIdOf(account),
    key_label: null,
    operation: 'stats.ingestMetrics',
    status: 403,
    error_code: 'projectForbidden',
    error: (refused.body as { error: string }).error,
    explanation: expect.stringMatching(/another account/) as string,
    field: 'projectId',
    duration_ms: expect.any(Number) as number,
    left_out: 0,
    x_request_id: refused.headers['x-request-id'],
    user_agent: headers['user-agent'].slice(0, 100),
  });
  const german = await listRequests(account, '?failed=true', 'de');
  expect(german.requests[0]?.explanation).toMatch(/Projekt.*Schlüssel/);
  expect(JSON.stringify(await server.sql`SELECT * FROM key_requests`)).not.toMatch(/secret|unused/);
});

it('a call by MCP is marked', async () => {
  await callTool(server, account, 'stats_getProjects');
  const requests = await eventuallyList(({ length }) => length > 0);
  expect(requests).toMatchObject([
    { operation: 'stats.getProjects', user_agent: expect.stringMatching(/^MCP\b/) as string },
  ]);
});

it('a request with a revoked key is listed, but not one with a wrong secret', async () => {
  const { key, api_key } = await account.owner.keys.createKey({ label: 'laptop' });
  await account.owner.keys.revokeKey({ key_id: key.id });
  const other = await server.createAccount();
  const [, wrongSecret] = other.key.split('.');
  const path = '/stats/get-projects';
  for (const sent of [`${key.id}.${wrongSecret}`, api_key!]) {
    const response = await call(server.app, { path, key: sent });
    expect(response.status).toBe(401);
  }
  const requests = await eventuallyList(({ length }) => length === 3);
  expect(requests[0]).toMatchObject({
    ...{ key_id: key.id, key_label: 'laptop', status: 401 },
    ...{ error_code: 'apiKeyRevoked', explanation: expect.stringMatching(/revoked/) as string },
  });
});

it('failed requests and those with one key are found, in batches', async () => {
  const { key } = await account.owner.keys.createKey({ label: 'laptop' });
  await eventuallyList(({ length }) => length === 1);
  const failed = await insertRequests(5, { status: 409, key_id: key.id });
  await insertRequests(5, { status: 200, key_id: key.id });
  await insertRequests(5, { status: 409 });
  const filter = `?failed=true&key_id=${key.id}&limit=3`;
  const first = await listRequests(account, filter);
  const second = await listRequests(account, `${filter}&after=${first.next}`);
  const found = [...first.requests, ...second.requests].map(({ x_request_id }) => x_request_id);
  expect(found).toEqual(failed);
  expect([second.next, first.counts, second.counts]).toEqual([
    null,
    { all: 10, failed: 5, left_out: 0 },
    { all: 10, failed: 5, left_out: 0 },
  ]);
  const one = await listRequests(account, `?failed=true&x_request_id=${failed[2]}`);
  expect(one.requests.map(({ x_request_id }) => x_request_id)).toEqual([failed[2]]);
  expect(one.counts).toEqual({ all: 1, failed: 1, left_out: 0 });
  expect((await listRequests(account, '?failed=false')).requests).toHaveLength(6);
  const other = await server.createAccount();
  expect(await send(server, other, `GET ${LIST}?after=${first.next}`)).toMatchObject(
    errorText(400, 'after must be the id of one of your requests.'),
  );
  expect(await send(server, account, `GET ${LIST}?failed=yes`)).toMatchObject(
    errorText(400, 'failed must be true or false.'),
  );
});

it('requests with one error are found, with the sentence that each of them got', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  await send(server, account, 'GET /owner/keys/list-requests?limit=0');
  await send(server, account, 'GET /owner/keys/list-requests?after=x%00y');
  await send(server, account, 'POST /owner/projects/create-project', { name: 'Shop' });
  clock.mockRestore();
  await eventuallyList(({ length }) => length === 3);
  const { requests, counts } = await listRequests(account, '?error_code=limitInvalid');
  expect(requests.map(({ error }) => error)).toEqual([
    'limit must be a whole number from 1 to 200.',
  ]);
  expect(counts).toEqual({ all: 1, failed: 1, left_out: 0 });
  const all = await listRequests();
  expect(all.counts).toEqual({ all: 3, failed: 2, left_out: 0 });
  expect(all.requests.map(({ error }) => error).slice(0, 2)).toEqual([
    null,
    'after must be the id of one of your requests.',
  ]);
});

it('an error code that does not exist is refused, unless a listed request has it', async () => {
  const listWith = (code: string) => send(server, account, `GET ${LIST}?error_code=${code}`);
  expect(await listWith('toManyBuckets')).toMatchObject({
    ...errorText(400, 'There is no error code toManyBuckets. Did you mean tooManyBuckets?'),
    headers: { 'x-error-code': 'errorCodeUnknown', 'x-error-field': 'error_code' },
  });
  for (const code of ['tooManyBuckets', 'methodNotAllowed', 'pageNotFound'])
    expect(await listWith(code)).toMatchObject({ status: 200, body: { requests: [] } });
  await insertRequests(1, { status: 400, error_code: 'codeOfAnotherVersion' });
  expect(await listWith('codeOfAnotherVersion')).toMatchObject({ body: { counts: { all: 1 } } });
});

it('the last 250 failed and the last 250 other requests are kept', async () => {
  await insertRequests(253);
  const failed = await insertRequests(253, { status: 409 });
  const listKept = async () => {
    const rows = await server.sql<{ status: number; x_request_id: string }>`
      SELECT status, x_request_id FROM key_requests WHERE account_id = ${account.id}
      ORDER BY created_at DESC`;
    return rows;
  };
  const isFailed = ({ status }: { status: number }) => status >= 400;
  await send(server, account, 'GET /stats/get-projects');
  const kept = await eventually(listKept, (rows) => rows.length === 250 + 253);
  expect(kept.filter(isFailed)).toHaveLength(253);
  await send(server, account, 'GET /owner/keys/list-requests?limit=0');
  const rows = await eventually(listKept, ({ length }) => length === 500);
  const ids = rows.filter(isFailed).map(({ x_request_id }) => x_request_id);
  expect(ids.slice(1)).toEqual(failed.slice(0, 249));
});

it('all fields at fault are listed', async () => {
  const json = { label: 1, scope: 'write', expires_at: 'later' };
  await send(server, account, 'POST /owner/keys/create-key', json);
  const [request] = await eventuallyList((requests) => requests.length > 0);
  expect(request?.field?.split(', ').toSorted()).toEqual(['expires_at', 'label', 'scope']);
});

it('a field with a character that cannot be stored stops no log', async () => {
  const path = '/owner/projects/delete-project?%00=1';
  const json = { project_id: randomUUID() };
  await call(server.app, { method: 'POST', path, key: account.key, json });
  const [request] = await eventuallyList((requests) => requests.length > 0);
  expect(request).toMatchObject({ status: 400, error_code: 'unknownField', field: '' });
});

it('of the requests of many accounts in a second, 200 that succeeded and all that failed are kept', async () => {
  const keyRequests = new KeyRequests({ db: server.db, log: server.app.log });
  const owners = await Promise.all(Array.from({ length: 25 }, () => server.createAccount()));
  const record = ({ id: accountId, key }: TestAccount, status: number) => {
    const caller = { accountId, credential: { kind: 'key', keyId: key.split('.')[0] } };
    keyRequests.record({
      ...{ request: { caller, headers: {}, id: 'x' }, reply: { getHeader: () => 'limitInvalid' } },
      ...{ route: contract.stats.getProjects, status, durationMs: 1 },
    } as unknown as FinishedRequest);
  };
  for (const owner of owners)
    for (let count = 0; count < LIMITS.keyRequestsPerSecond; count += 1) record(owner, 200);
  record(owners.at(-1)!, 400);
  await keyRequests.close();
  const ids = sql.join(owners.map(({ id }) => sql`${id}::uuid`));
  const [counts] = await server.sql<{ succeeded: number; failed: number }>`
    SELECT count(*) FILTER (WHERE status = 200)::integer AS succeeded,
      count(*) FILTER (WHERE status = 400)::integer AS failed
    FROM key_requests WHERE account_id IN (${ids})`;
  expect(counts).toEqual({ succeeded: LIMITS.allKeyRequestsPerSecond, failed: 1 });
});

it('of many requests in a second, the failed ones are kept', async () => {
  const flood = Array.from({ length: 200 }, () => send(server, account, 'GET /stats/get-projects'));
  await Promise.all(flood);
  await send(server, account, 'GET /owner/keys/list-requests?limit=0');
  const isFailed = ({ error_code }: KeyRequest) => error_code === 'limitInvalid';
  await eventuallyList((requests) => requests.some(isFailed));
  const { requests } = await listRequests(account, '?limit=200');
  expect(requests.length).toBeLessThan(flood.length);
  const leftOut = requests.reduce((sum, { left_out }) => sum + left_out, 0);
  expect(requests.length + leftOut).toBe(flood.length + 1);
  const { counts } = await listRequests(account, '?x_request_id=not-listed');
  expect(counts).toEqual({ all: 0, failed: 0, left_out: leftOut });
});
