import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { GetMetricFieldsResponse, ListMetricsResponse } from '#client/owner.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import {
  readOwnerDocument,
  type OpenApiResponse,
  resolve,
} from '#server/platform/openapi-documents.ts';
import { send } from '../support/call.ts';
import { listBlockedPids } from '../support/database-locks.ts';
import { eventually } from '../support/eventually.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { createSchemaCompiler } from '../support/openapi-schema-compiler.ts';
import { startTestApp } from '../support/test-app.ts';
import { connectPostgresDatabase, LONG_TIME_LIMITS } from '../support/test-database.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';
import { createMonthPartitions, queryMetrics, insertMetrics } from './support/metrics.ts';

const { server, account } = useServer({ account: true });
beforeAll(async () => {
  // Yesterday can be in the previous month.
  await createMonthPartitions(server.db, lastDay.since.slice(0, 7));
});

const HOUR = 3_600_000;
const now = Math.floor(Date.now() / HOUR) * HOUR;
const [dayAgo, hourStart] = [now - 24 * HOUR, now].map((time) => new Date(time).toISOString());
const lastDay = { since: dayAgo!, until: hourStart! };

/** Creates a project with metrics one second apart, the last one an hour ago. */
async function createProjectWith(...payloads: unknown[]): Promise<string> {
  const project_id = await server.createProject(account);
  const first = now - HOUR - (payloads.length - 1) * 1_000;
  const rows = payloads.map((payload, index) => ({ at: first + index * 1_000, payload }));
  await insertMetrics(server.db, project_id, rows);
  return project_id;
}

async function get(endpoint: string, parameters: object, caller = account) {
  const search = new URLSearchParams(parameters as Record<string, string>);
  const path = `GET /owner/metrics/${endpoint}?${search.toString()}` as const;
  const { status, body } = await send(server, caller, path);
  return { status, body };
}

const listMetrics = async (parameters: object) => {
  const { status, body } = await get('list-metrics', parameters);
  expect(status).toBe(200);
  return body as ListMetricsResponse;
};

it('every endpoint that reads metrics times out with an error', async () => {
  const shortTimeouts = connectPostgresDatabase(server.database.url, {
    timeLimits: { ...LONG_TIME_LIMITS, lock_timeout: 50 },
  });
  const other = await startTestApp(
    {},
    { ...server.database, createQueues: () => shortTimeouts.queues },
  );
  const project_id = await createProjectWith({ a: 1 });
  const lockTransaction = await server.db.startTransaction().execute();
  try {
    await sql`LOCK TABLE metrics`.execute(lockTransaction);
    const tooExpensive = 'There are too many metrics to read at once. Narrow the range.';
    expect(await queryMetrics(other, account, { project_id, ...lastDay })).toEqual(
      errorText(503, tooExpensive),
    );
    const url = `/owner/metrics/export-metrics?project_id=${project_id}`;
    const { headers, ...response } = await other.app.inject({ url, headers: account.headers });
    expect([response.statusCode, response.json()]).toEqual([503, { error: tooExpensive }]);
    expect(headers).not.toHaveProperty('content-disposition');
  } finally {
    await lockTransaction.rollback().execute();
    await other.app.close();
    await shortTimeouts.close();
  }
});

it('every endpoint that reads metrics runs at most twice at a time per account, without blocking its other requests', async () => {
  const project_id = await createProjectWith({ a: 1 });
  // Opens all pooled connections first, so that the queries below do not wait for one.
  await Promise.all(Array.from({ length: 8 }, () => server.sql`SELECT pg_sleep(0.05)`));
  const lockTransaction = await server.db.startTransaction().execute();
  await sql`LOCK TABLE metrics`.execute(lockTransaction);
  try {
    const responses = Array.from({ length: 5 }, () =>
      queryMetrics(server, account, { project_id, ...lastDay }),
    );
    const countBlocked = async () => (await listBlockedPids(server.db, 'metrics')).length;
    await eventually(countBlocked, (count) => count === 2);
    for (let round = 0; round < 20; round += 1) {
      expect((await get('../sessions/get-session', {})).status).toBe(200);
      expect(await countBlocked()).toBe(2);
    }
    await lockTransaction.rollback().execute();
    for (const { status } of await Promise.all(responses)) expect(status).toBe(200);
  } finally {
    if (!lockTransaction.isRolledBack) await lockTransaction.rollback().execute();
  }
});

it('get-metric-fields lists the fields of the newest payloads with unambiguous paths', async () => {
  const big = 2 ** 60;
  const project_id = await createProjectWith(
    { visits: 3, 'a.b': 'x', a: { b: true, "it's": null }, list: [1, 2], empty: {} },
    { visits: 5, 'a.b': 'y'.repeat(150), a: { b: false }, big },
    { visits: '7', ['💥']: 'ü', a: 1 },
    { visits: 5 },
  );
  const field = (path: string[], types: string[], share: number, overrides: object = {}) => ({
    ...{ path, types, share, min: null, max: null, distinct: 1 },
    ...overrides,
  });
  expect(await get('get-metric-fields', { project_id })).toEqual(
    okBody({
      metrics: 4,
      oldest_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      truncated: false,
      fields: [
        field(['visits'], ['number', 'string'], 1, {
          ...{ min: 3, max: 5, distinct: 3, examples: [5, '7', 3] },
        }),
        field(['a.b'], ['string'], 0.5, { distinct: 2, examples: ['y'.repeat(100), 'x'] }),
        field(['a', 'b'], ['boolean'], 0.5, { distinct: 2, examples: [false, true] }),
        field(['💥'], ['string'], 0.25, { examples: ['ü'] }),
        field(['a'], ['number'], 0.25, { min: 1, max: 1, examples: [1] }),
        field(['big'], ['number'], 0.25, { min: big, max: big, examples: [big] }),
        field(['list'], ['array'], 0.25, { examples: ['[1,2]'] }),
        field(['empty'], ['object'], 0.25, { examples: ['{}'] }),
      ],
    }),
  );
});

it('get-metric-fields lists up to 200 fields and 50 values, and whether there are more fields', async () => {
  const widePayload = Object.fromEntries(
    Array.from({ length: 201 }, (_, index) => [`f${index}`, index]),
  );
  const others = Array.from({ length: 60 }, (_, f0) => ({ f0 }));
  const project_id = await createProjectWith(widePayload, ...others);
  const { body } = await get('get-metric-fields', { project_id });
  const { fields, truncated } = body as GetMetricFieldsResponse;
  expect({ count: fields.length, first: fields[0], truncated }).toMatchObject({
    count: 200,
    first: { path: ['f0'], distinct: 50 },
    truncated: true,
  });
});

it('get-metric-fields omits paths and values that are too long', async () => {
  const [longest, longer] = ['💥'.repeat(LIMITS.pathCharacters), 'x'.repeat(1_025)];
  const project_id = await createProjectWith({ [longest]: '💥'.repeat(101), [longer]: 1 });
  const { body } = await get('get-metric-fields', { project_id });
  expect(body).toMatchObject({
    fields: [{ path: [longest], examples: ['💥'.repeat(LIMITS.exampleText)] }],
    truncated: true,
  });
  const measures = [{ path: [longest], aggregate: 'count' }];
  const pending = await queryMetrics(server, account, { project_id, ...lastDay, measures });
  expect(pending.body.totals).toEqual([1]);
});

it('get-metric-fields reads only the requested time range', async () => {
  const project_id = await createProjectWith({ old: 1 }, { young: 1 });
  const until = new Date(now - HOUR).toISOString();
  const { body } = await get('get-metric-fields', { project_id, until });
  expect(body).toMatchObject({ metrics: 1, fields: [{ path: ['old'] }] });
});

it('list-metrics returns metrics as they were sent, newest first, page by page', async () => {
  const payloads = Array.from({ length: 5 }, (_, visit) => ({ z: visit, a: [{ ü: null }] }));
  const project_id = await createProjectWith(...payloads);
  const listedMetrics: unknown[] = [];
  let page = await listMetrics({ project_id, limit: 2 });
  for (; page.next; page = await listMetrics({ project_id, limit: 2, after: page.next }))
    listedMetrics.push(...page.metrics);
  listedMetrics.push(...page.metrics);
  expect(listedMetrics).toEqual(
    payloads.toReversed().map((payload, index) => ({
      id: expect.stringMatching(/^\d+$/) as string,
      received_at: new Date(now - HOUR - index * 1_000).toISOString(),
      payload,
    })),
  );
  expect(JSON.stringify(page.metrics[0]!.payload)).toBe(JSON.stringify(payloads[0]));
});

it('a time whose plus sign became a space is refused with the way to write it', async () => {
  const error = 'must be a time such as 2026-01-31T09:30:00Z or 2026-01-31T10:30:00+01:00.';
  const project_id = await createProjectWith({ a: 1 });
  const since = '2026-11-29T00:00:00 00:00';
  expect(await get('list-metrics', { project_id, since, until: 'now' })).toMatchObject(
    errorText(400, `since ${error} In a URL, write + as %2B. Also wrong: until.`),
  );
  expect(await get('list-metrics', { project_id, since: 'now' })).toMatchObject(
    errorText(400, `since ${error}`),
  );
});

it('list-metrics returns at most 1 MB, unless a single metric is larger', async () => {
  const large = { text: 'x'.repeat(400_000) };
  const project_id = await createProjectWith({ text: 'x'.repeat(1_040_000) }, large, large, large);
  const sizes: number[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page: ListMetricsResponse = await listMetrics({
      project_id,
      ...(after !== undefined && { after }),
    });
    sizes.push(page.metrics.length);
    after = page.next;
  }
  expect(sizes).toEqual([2, 1, 1]);
});

it('list-metrics rejects a cursor that was changed, made up or issued for another project', async () => {
  const project_id = await createProjectWith({ a: 1 }, { a: 2 });
  const other = await createProjectWith({ a: 1 }, { a: 2 });
  const { next } = await listMetrics({ project_id, limit: 1 });
  const cursor = Buffer.from(next!, 'base64url').toString();
  const changedCursor = Buffer.from(cursor.replace(/^\d{4}/, '2020')).toString('base64url');
  const refused = errorText(400, 'after must be the next of an earlier response for this project.');
  for (const after of [changedCursor, `${next}A`, '', 'x', "' OR 1=1"])
    expect(await get('list-metrics', { project_id, after })).toEqual(refused);
  expect(await get('list-metrics', { project_id: other, after: next! })).toEqual(refused);
});

it.each(['list-metrics', 'export-metrics'])(
  '%s accepts UTC offsets and microseconds',
  async (path) => {
    const project_id = await server.createProject(account);
    await server.sql`INSERT INTO metrics (project_id, received_at, payload)
      VALUES (${project_id}, ${`${lastDay.since.slice(0, 10)}T12:00:00.000002Z`}, '{}')`;
    const day = lastDay.since.slice(0, 10);
    const read = async (fraction: string) => {
      const search = new URLSearchParams({
        project_id,
        since: `${day}T23:59:00.${fraction}+11:59`,
        until: '9999-12-31T23:59:59.999999+23:59',
      });
      const url = `/owner/metrics/${path}?${search.toString()}`;
      const { statusCode, body } = await server.app.inject({ url, headers: account.headers });
      return [statusCode, body.includes('T12:00:00.000Z')];
    };
    expect(await read('000002')).toEqual([200, true]);
    expect(await read('000003')).toEqual([200, false]);
  },
);

async function download(parameters: object) {
  const search = new URLSearchParams(parameters as Record<string, string>).toString();
  const url = `/owner/metrics/export-metrics?${search}`;
  const { statusCode, ...response } = await server.app.inject({ url, headers: account.headers });
  return { status: statusCode, headers: response.headers, body: response.body };
}

const payload = Object.fromEntries(
  ['=', '+', '-', '@', '\t', '\r', '\r\n=', '",=', '"\n='].map((sign) => [
    `${sign}1+1`,
    `${sign}cmd()`,
  ]),
);
const time = new Date(now - HOUR).toISOString();

it.each([
  ['ndjson', 'application/x-ndjson', /^\{"id":"\d+","received_at":"(.*?)","payload":(.*)\}\n$/],
  ['json', 'application/json', /^\[\n\{"id":"\d+","received_at":"(.*?)","payload":(.*)\}\n\]\n$/],
  // The cells are a number, a time and quoted JSON, never formulas.
  [
    'csv',
    'text/csv',
    /^\uFEFFid,received_at,payload\r\n\d+,([\dT:.Z-]+),"(\{(?:[^"]|"")*\})"\r\n$/,
  ],
])('export-metrics returns a download in the format %s', async (format, type, pattern) => {
  const project_id = await createProjectWith(payload);
  const { status, headers, body } = await download({ project_id, format });
  expect({ status, ...headers }).toMatchObject({
    status: 200,
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="metrics.${format}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  const [, at, payloadText = ''] = pattern.exec(body)!;
  expect(at).toBe(time);
  const json = format === 'csv' ? payloadText.replaceAll('""', '"') : payloadText;
  expect(json).toBe(JSON.stringify(payload));
});

it.each(['ndjson', 'json', 'csv'])(
  'export-metrics has example and schema of %s',
  async (format) => {
    const project_id = await createProjectWith({ visitors: 42 });
    const { headers, body } = await download({ project_id, format });
    const document = await readOwnerDocument();
    const { responses } = document.paths['/owner/metrics/export-metrics']!['get']!;
    const { content } = resolve<OpenApiResponse>(document, responses['200']!);
    const type = String(headers['content-type']).split(';')[0]!;
    const file = body.replace(/(?<=^|"id":")\d+/m, '17').replace(time, '2026-01-31T09:30:00.123Z');
    const received: unknown = format === 'json' ? JSON.parse(file) : file;
    expect(received).toEqual(content![type]!.example);
    const path = `paths/~1owner~1metrics~1export-metrics/get/responses/200/content/${type.replace('/', '~1')}`;
    expect(createSchemaCompiler(document)(`#/${path}/schema`)(received)).toBeUndefined();
  },
);

it('export-metrics returns all metrics of the range, however many', async () => {
  const payloads = Array.from({ length: 2_500 }, (_, visit) => ({ visit }));
  const project_id = await createProjectWith(...payloads);
  const { body } = await download({
    project_id,
    format: 'json',
    until: lastDay.until,
  });
  const metrics = JSON.parse(body) as { payload: unknown }[];
  expect(metrics.map((metric) => metric.payload)).toEqual(payloads);
  expect((await download({ project_id, since: lastDay.until })).body).toBe('');
});

it('query-metrics counts by default, in buckets of a readable size', async () => {
  const project_id = await createProjectWith({ a: 1 }, { a: 2 });
  const { body } = await queryMetrics(server, account, { project_id, ...lastDay });
  const hours = Array.from({ length: 24 }, (_, hour) => new Date(now - (24 - hour) * HOUR));
  expect(body).toEqual({
    ...lastDay,
    bucket: 'hour',
    times: hours.map((hour) => hour.toISOString()),
    series: [{ measure: 0, group: null, values: [...Array.from({ length: 22 }, () => 0), 1, 1] }],
    totals: [2],
    rows: 2,
    groups: 1,
  });
});

it('query-metrics returns the 20 largest groups and the number of groups', async () => {
  const payloads = Array.from({ length: 25 }, (_, index) => ({ page: `/${index}` }));
  const project_id = await createProjectWith(...payloads, { page: '/24' });
  const query = { project_id, ...lastDay, group_by: ['page'] };
  const { body } = await queryMetrics(server, account, query);
  expect([body.series.length, body.groups, body.rows]).toEqual([20, 25, 26]);
  expect(body.series[0]!.group).toBe('/24');
});

it('query-metrics returns the documented maximum of results', async () => {
  const project_id = await server.createProject(account);
  const rows = Array.from({ length: LIMITS.groups }, (_, index) => ({
    at: Date.UTC(2024, 2, 1),
    payload: { group: `${index}${'💥'.repeat(LIMITS.groupText)}` },
  }));
  await createMonthPartitions(server.db, '2024-03');
  await insertMetrics(server.db, project_id, rows);
  // The range is 1,000 × 24 hours across a clock change, so there is a partial day at both ends.
  const { status, body } = await queryMetrics(server, account, {
    project_id,
    since: '2023-11-04T22:30:00Z',
    until: '2026-07-31T22:30:00Z',
    time_zone: 'Europe/Berlin',
    bucket: 'day',
    group_by: ['group'],
  });
  expect(status).toBe(200);
  expect([body.times.length, body.series[0]!.values.length]).toEqual([1_002, 1_002]);
  expect([body.series.length, body.totals.length]).toEqual([20, 20]);
  expect([...(body.series[0]!.group as string)]).toHaveLength(LIMITS.groupText);
});

it('query-metrics is exact, however many metrics there are', async () => {
  const project_id = await server.createProject(account);
  await server.sql`INSERT INTO metrics (project_id, received_at, payload)
      SELECT ${project_id}::uuid, ${lastDay.since}::timestamptz + i * interval '0.5 seconds',
        json_build_object('visits', i % 10)
      FROM generate_series(1, 120000) AS i`;
  await server.sql`ANALYZE metrics`;
  const measures = [{ path: ['visits'], aggregate: 'sum' }];
  const { body } = await queryMetrics(server, account, { project_id, ...lastDay, measures });
  expect([body.rows, body.totals]).toEqual([120_000, [120_000 * 4.5]]);
});

it.each([
  ['Europe/Berlin', 22],
  // PostgreSQL alone would take this for UTC+1 without daylight saving time.
  ['CET', 22],
  ['EST5EDT', 4],
  ['Japan', 15],
])('query-metrics starts days at midnight in %s', async (time_zone, hour) => {
  const project_id = await createProjectWith();
  const range = { since: '2024-07-01T12:00:00Z', until: '2024-07-02T12:00:00Z' };
  const query = { project_id, ...range, time_zone, bucket: 'day' as const };
  const { times } = (await queryMetrics(server, account, query)).body;
  expect(times.map((at) => new Date(at).getUTCHours())).toEqual(times.map(() => hour));
});

const PATH =
  'must be an array such as ["visitors"], of at most 64 keys with 1,024 characters in total. __proto__ is not allowed.';
const FILTER =
  'needs a matching value: a number for gt, gte, lt and lte, a string for contains, any value for eq and ne.';
const ZONE = 'time_zone must be the name of a time zone, like Europe/Lisbon.';
const COMPARE =
  'compare is not a field of this operation, so nothing was changed. Its fields: project_id, since, until, time_zone, bucket, measures, group_by, filters.';
const RANGE = 'since must be before until, by at most 3,660 days.';
it.each(
  withTitles<[object, string]>([
    [{ measures: [{ path: ['__proto__'] }] }, `measures.0.path ${PATH}`],
    [{ measures: [{ path: ['x'.repeat(10_000)] }] }, `measures.0.path ${PATH}`],
    [
      { measures: [{ aggregate: 'sum' }] },
      'measures.0.path is missing: only the aggregate count needs no path.',
    ],
    [{ measures: [{}, {}] }, 'measures must be a list of 1 measure.'],
    ...['p50', 'p99', 'distinct'].map((aggregate): [object, string] => [
      { measures: [{ path: ['a'], aggregate }] },
      'measures.0.aggregate must be one of count, sum, avg, min, max, last.',
    ]),
    [{ compare: false }, COMPARE],
    [
      { measures: [{ aggregat: 'sum' }] },
      'measures.0.aggregat is not a field of this operation, so nothing was changed. Did you mean aggregate?',
    ],
    [
      { filters: [{ path: ['a'], is: 'exists', op: 'eq' }] },
      'filters.0.op is not a field of this operation, so nothing was changed. Its fields: path, is, value.',
    ],
    [{ filters: [{ path: [], is: 'gt', value: '1' }] }, `filters.0 ${FILTER}`],
    [{ filters: [{ path: [], is: 'eq' }] }, `filters.0 ${FILTER}`],
    [{ time_zone: 'Mars/Base' }, ZONE],
    [{ time_zone: '+01:00' }, ZONE],
    [{ time_zone: 'Etc/Unknown' }, ZONE],
    [{ time_zone: 'Europe/Lisbon+3' }, ZONE],
    [{ since: lastDay.until, until: lastDay.since }, RANGE],
    [{ since: '2010-01-01T00:00:00Z' }, RANGE],
    [{ bucket: 'minute' }, 'The result would have more than 1,000 points. Choose a longer bucket.'],
  ]),
)('query-metrics refuses $title', async ({ value: [body, error] }) => {
  const project_id = await createProjectWith();
  expect(await queryMetrics(server, account, { project_id, ...lastDay, ...body })).toEqual(
    errorText(400, error),
  );
});

it.each<[is: 'eq' | 'ne', value: string | number | boolean, rows: number]>([
  ['eq', '1001', 2],
  ['ne', '1001', 4],
  ['eq', 1001, 1],
  ['eq', '007', 1],
  ['eq', 'true', 2],
  ['ne', true, 5],
])('query-metrics compares text with what it spells: %s %j', async (is, value, rows) => {
  const ids = [1001, '1001', '007', '7', true, 'true'];
  const project_id = await createProjectWith(...ids.map((id) => ({ id })));
  const filters = [{ path: ['id'], is, value }];
  const { body } = await queryMetrics(server, account, { project_id, ...lastDay, filters });
  expect(body).toMatchObject({ rows });
});

it('query-metrics ignores Idempotency-Key and stores no response', async () => {
  const project_id = await createProjectWith({ a: 1 });
  const [json, key] = [{ project_id, ...lastDay }, { 'idempotency-key': 'k' }];
  const queryWithKey = () => send(server, account, 'POST /owner/metrics/query-metrics', json, key);
  expect((await queryWithKey()).body).toMatchObject({ rows: 1 });
  await insertMetrics(server.db, project_id, [{ at: now - HOUR, payload: {} }]);
  expect((await queryWithKey()).body).toMatchObject({ rows: 2 });
});
