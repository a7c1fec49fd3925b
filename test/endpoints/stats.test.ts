import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { IngestMetricsRequest } from '#client/index.ts';
import { call, send } from '../support/call.ts';
import { errorText } from '../support/expected-responses.ts';
import { statusAndBody } from '../support/status-and-body.ts';
import { useServer } from '../support/use-server.ts';

let projectId: string;
const { server, account } = useServer({ account: true });
beforeAll(async () => {
  projectId = await server.createProject(account);
});

const PATH = '/stats/ingest-metrics';
const INGESTED = { status: 200, body: { message: 'The metric was ingested.' } };
const PROJECT_FORBIDDEN = { status: 403, body: { error: 'The project does not belong to you.' } };

function ingest(request: unknown, { client } = account) {
  return statusAndBody(client.stats.ingestMetrics(request as IngestMetricsRequest));
}

async function readStoredPayloads(project: string): Promise<string[]> {
  const rows = await server.sql<{ text: string }>`SELECT payload::text AS text FROM metrics
    WHERE project_id = ${project} ORDER BY received_at, id`;
  return rows.map(({ text }) => text);
}

/** Makes the storing of metrics fail, if their payload has a field `bad`. Returns how to repair it. */
async function breakMetrics(sqlState: string) {
  await server.sql`CREATE FUNCTION broken_metrics() RETURNS trigger LANGUAGE plpgsql AS ${sql.lit(
    `BEGIN RAISE EXCEPTION 'broken on purpose' USING ERRCODE = '${sqlState}'; END`,
  )}`;
  await server.sql`CREATE TRIGGER broken_metrics BEFORE INSERT ON metrics FOR EACH ROW
    WHEN (NEW.payload ->> 'bad' IS NOT NULL) EXECUTE FUNCTION broken_metrics()`;
  return () => server.sql`DROP FUNCTION broken_metrics CASCADE`;
}

it("getProjects returns only the account's projects, oldest first", async () => {
  const [a, b] = [await server.createAccount(), await server.createAccount()];
  expect(await a.client.stats.getProjects()).toEqual({ projects: [] });
  const expected = [];
  for (const [index, name] of ['Zebra', 'Ant', 'Ant', '<b>🦉</b>'].entries()) {
    const id = await server.createProject(a, name);
    // Two projects share each time, so only their ids order them.
    const created_at = `2026-01-0${1 + Math.floor(index / 2)}T00:00:00.000Z`;
    await server.sql`UPDATE projects SET created_at = ${created_at} WHERE id = ${id}`;
    expected.push({ id, name, created_at });
  }
  await server.createProject(b, 'Of b');
  expected.sort((x, y) => (x.created_at + x.id < y.created_at + y.id ? -1 : 1));
  expect(await a.client.stats.getProjects()).toEqual({ projects: expected });
});

it('ingestMetrics stores the payload exactly as sent', async () => {
  const project = await server.createProject(account);
  const requests: object[] = [
    { visitors: 42 },
    {},
    { z: 1, a: { nested: [1, [2, [3]], null, true, ''] }, '': 'empty key' },
    { 'ключ "\\': '🦉 \u2028 \u0001 </script>', projectId: 'x', '1': 1, toString: null },
    { small: 5e-324, large: 1e308, fraction: 0.30000000000000004, exact: 9007199254740991 },
  ];
  for (const payload of requests)
    expect(await ingest({ projectId: project, payload })).toEqual(INGESTED);
  expect(await readStoredPayloads(project)).toEqual(
    requests.map((payload) => JSON.stringify(payload)),
  );
});

const ingestJson = (json: string) =>
  call(server.app, {
    method: 'POST',
    path: PATH,
    key: account.key,
    payload: `{"projectId":"${projectId}","payload":${json}}`,
  });

it('ingestMetrics stores numbers as 64-bit floating point, and every integer up to 2^53 - 1 exactly', async () => {
  projectId = await server.createProject(account);
  const json =
    '{"a":-0,"b":1.0,"c":1E2,"d":-9007199254740991,"e":9007199254740993.0,"f":1e20,"g":6.02e23}';
  expect(await ingestJson(json)).toMatchObject({ status: 200 });
  expect(await readStoredPayloads(projectId)).toEqual([
    '{"a":0,"b":1,"c":100,"d":-9007199254740991,"e":9007199254740992,"f":100000000000000000000,"g":6.02e+23}',
  ]);
});

it.each([
  ['{"id":9007199254740993}', 'payload.id'],
  ['{"id":-9007199254740993}', 'payload.id'],
  ['{"id":1000000000000000000001}', 'payload.id'],
  [
    '{"a":1e300,"b":[{},[0.5,{"c":1,"d\\n":123456789012345678901234567890}]],"e":9007199254740993}',
    'payload.b.1.1.d\n',
  ],
])('ingestMetrics refuses an integer that would be rounded: %s', async (json, path) => {
  expect(await ingestJson(json)).toMatchObject({
    status: 400,
    headers: { 'x-error-code': 'integerTooLarge', 'x-error-field': encodeURIComponent(path) },
    body: {
      error: `${path} is an integer beyond ±(2^53 - 1) that would be rounded. Send it as a string.`,
    },
  });
});

it.each([
  ['{"a":[1,{"b":1e400}]}', 'numberTooLarge', 'payload.a.1.b'],
  ['{"a":[1,"\\ud800"]}', 'textUnsupported', 'payload.a.1'],
  ['{"a":{"b\\u0000c":1}}', 'textUnsupported', 'payload.a.bc'],
  [`{"a":1e400,"b":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'tooManyMembers', undefined],
  [`{"a":1e400,"b":${'['.repeat(99)}${']'.repeat(99)}}`, 'nestingTooDeep', undefined],
])('ingestMetrics names the value that cannot be stored: %s', async (json, code, path) => {
  expect(await ingestJson(json)).toMatchObject({
    status: 400,
    headers: { 'x-error-code': code, ...(path !== undefined && { 'x-error-field': path }) },
    body: { error: expect.stringContaining(path ?? 'The request body') },
  });
});

it('ingestMetrics refuses every project of others in the same way', async () => {
  const otherAccount = await server.createAccount();
  const otherProjectId = await server.createProject(otherAccount);
  const responses = [];
  const malformed = `x 1 ../ %00 {${projectId}} ${projectId.replaceAll('-', '')}`.split(' ');
  for (const id of [
    ...[otherProjectId, otherProjectId.toUpperCase(), randomUUID(), ...malformed],
    ...['00000000-0000-0000-0000-000000000000', "' OR 1=1; --", 'é'.repeat(10_000)],
    ...[` ${projectId}`, `${projectId}\n`],
  ]) {
    const payload = JSON.stringify({ projectId: id, payload: { a: 1 } });
    const request = { method: 'POST', path: PATH, key: account.key, payload };
    responses.push(await call(server.app, request));
  }
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).toEqual(
    new Set([`403 ${JSON.stringify(PROJECT_FORBIDDEN.body)}`]),
  );
  expect(await readStoredPayloads(otherProjectId)).toEqual([]);
});

it('ingestMetrics accepts a project id in upper or lower case', async () => {
  expect(await ingest({ projectId: projectId.toUpperCase(), payload: {} })).toEqual(INGESTED);
});

it('ingestMetrics accepts a payload of 64 levels and refuses one of 65', async () => {
  const createNested = (levels: number) =>
    JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown;
  const project = await server.createProject(account);
  expect(await ingest({ projectId: project, payload: createNested(64) })).toEqual(INGESTED);
  expect(await ingest({ projectId: project, payload: createNested(65) })).toEqual(
    errorText(400, expect.stringMatching(/64 levels/)),
  );
  expect(await readStoredPayloads(project)).toEqual([JSON.stringify(createNested(64))]);
});

it('ingestMetrics accepts a body of exactly 1 MiB', async () => {
  const project = await server.createProject(account);
  const body = (text: string) => ({ projectId: project, payload: { text } });
  const maxTextLength = 1_048_576 - JSON.stringify(body('')).length;
  expect(await ingest(body('x'.repeat(maxTextLength)))).toEqual(INGESTED);
  expect(await ingest(body('x'.repeat(maxTextLength + 1)))).toMatchObject({ status: 413 });
  expect((await readStoredPayloads(project)).map(({ length }) => length)).toEqual([
    maxTextLength + 11,
  ]);
});

it.each(['22000', '23514', '40P01'])(
  'ingestMetrics stores the others when one of several concurrent metrics fails with SQLSTATE %s, and a retry of it',
  async (state) => {
    const project = await server.createProject(account);
    const repair = await breakMetrics(state);
    const ingestWith = async (payload: object, key?: string) => {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      const json = { projectId: project, payload };
      return (await send(server, account, `POST ${PATH}`, json, headers)).status;
    };
    const statuses = await Promise.all([
      ...[ingestWith({ a: 1 }), ingestWith({ bad: 1 }), ingestWith({ bad: 2 }, `bad-${state}`)],
      ...[ingestWith({ a: 2 }), ingestWith({ a: 3 }, `good-${state}`)],
    ]);
    await repair();
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
    const stored = ['{"a":1}', '{"a":2}', '{"a":3}'];
    expect((await readStoredPayloads(project)).toSorted()).toEqual(stored);
    expect(await ingestWith({ bad: 2 }, `bad-${state}`)).toBe(200);
    expect(await readStoredPayloads(project)).toContain('{"bad":2}');
  },
);
