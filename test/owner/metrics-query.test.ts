import fc from 'fast-check';
import pg from 'pg';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { QueryMetricsResponse } from '#client/owner.ts';
import {
  BUCKET_UNITS,
  METRIC_AGGREGATES,
  METRIC_CONDITIONS,
  type Measure,
  type MetricFilter,
} from '#contract/metric-query.ts';
import { NOT_PREPARED } from '#db/connections/prepared-statement-client.ts';
import { aggregateSeries } from '#db/queries/metric-series.ts';
import { insertProject } from '#db/queries/projects.ts';
import { useServer } from '../support/use-server.ts';
import {
  bucketKey,
  matchesFilter,
  computeResult,
  type Row,
  valueAt,
} from './support/expected-metrics.ts';
import { createMonthPartitions, queryMetrics, insertMetrics } from './support/metrics.ts';

const { server, account } = useServer({ account: true });
beforeAll(async () => {
  await createMonthPartitions(server.db, '2023-12', '2024-03', '2024-07', '2024-11');
});

/** Clock changes, some of them at midnight, and times in zones without clock changes. */
const TIMES: [zone: string, at: string][] = [
  ['UTC', '2024-04-01T00:00:00Z'],
  ['Europe/Berlin', '2024-03-31T01:00:00Z'],
  ['Europe/Berlin', '2024-10-27T01:00:00Z'],
  ['America/New_York', '2024-03-10T07:00:00Z'],
  ['America/New_York', '2024-11-03T06:00:00Z'],
  ['America/Havana', '2024-11-03T05:00:00Z'],
  ['America/Santiago', '2024-09-08T04:00:00Z'],
  ['Africa/Cairo', '2024-04-25T22:00:00Z'],
  ['Asia/Beirut', '2024-10-26T21:00:00Z'],
  ['Asia/Kathmandu', '2024-04-01T00:00:00Z'],
  ['Asia/Kolkata', '2024-04-01T00:00:00Z'],
];
const SPAN_HOURS = { minute: 8, hour: 20, day: 24 * 6, week: 24 * 20, month: 24 * 40 };
const HOUR = 3_600_000;

const keyArbitrary = fc.constantFrom(
  'a',
  'b',
  'a.b',
  "it's",
  '"q"',
  '$1',
  'ä',
  '💥',
  '',
  '0',
  '1',
  'constructor',
  '\\',
  '\n',
);
const pathArbitrary = fc.array(keyArbitrary, { maxLength: 2 });
const leafArbitrary = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 0.1, 2 ** 53 + 2, 2 ** 63, 1e21, 1e99, 1e100, -1e300, 5e-324),
  fc.constantFrom('', 'x', 'xyz', '3', 'null', 'ünï', '"', "'; --"),
  fc.boolean(),
  fc.constant(null),
);
const valueArbitrary = fc.letrec((self) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    leafArbitrary,
    fc.dictionary(keyArbitrary, self('any'), { maxKeys: 3 }),
    fc.array(self('any'), { maxLength: 2 }),
  ),
})).any;
const payloadArbitrary = fc.dictionary(keyArbitrary, valueArbitrary, { maxKeys: 5 });
const measureArbitrary: fc.Arbitrary<Measure> = fc
  .record({ path: pathArbitrary, aggregate: fc.constantFrom(...METRIC_AGGREGATES) })
  .filter(({ path, aggregate }) => path.length > 0 || aggregate === 'count');
const filterArbitrary: fc.Arbitrary<MetricFilter> = fc
  .record({
    path: pathArbitrary,
    is: fc.constantFrom(...METRIC_CONDITIONS),
    text: fc.constantFrom('x', 'xyz', ''),
    number: fc.constantFrom(-1, 0, 1, 0.1),
  })
  .chain(({ text, number, ...rest }) => {
    if (rest.is === 'exists' || rest.is === 'missing') return fc.constant(rest);
    if (rest.is === 'contains') return fc.constant({ ...rest, value: text });
    if (rest.is !== 'eq' && rest.is !== 'ne') return fc.constant({ ...rest, value: number });
    return fc
      .constantFrom<string | number | boolean>(text, number, true)
      .map((filterValue) => ({ ...rest, value: filterValue }));
  });

const queryArbitrary = fc
  .record({
    zonedTime: fc.constantFrom(...TIMES),
    unit: fc.constantFrom(...BUCKET_UNITS),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.double({ min: 0.01, max: 1, noNaN: true }),
    offsets: fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), payloadArbitrary), {
      maxLength: 40,
    }),
    measure: measureArbitrary,
    filters: fc.oneof(fc.constant<MetricFilter[]>([]), fc.array(filterArbitrary, { maxLength: 5 })),
    groupBy: fc.option(pathArbitrary, { nil: undefined }),
  })
  .map(({ zonedTime: [timeZone, at], unit, from, to, offsets, ...rest }) => {
    const interval = SPAN_HOURS[unit] * HOUR;
    const middleTime = Date.parse(at);
    const since = Math.floor(middleTime - from * interval);
    const until = Math.floor(middleTime + to * interval) + 1;
    const rows = offsets
      .map(([offset, body]): Row => ({
        at: Math.floor(middleTime + offset * 2 * interval),
        payload: body,
      }))
      .toSorted((a, b) => a.at - b.at);
    return { timeZone, unit, since, until, rows, ...rest };
  });

type Group = string | number | boolean | null;

function toGroup(row: Row, groupBy: readonly string[]): Group {
  const groupValue = valueAt(row.payload, groupBy);
  return groupValue === undefined || typeof groupValue === 'object' ? null : (groupValue as Group);
}

/** Converts groups to sorted JSON, which distinguishes no group (null) from the text `null`. */
function sortGroups(groups: Group[]): string[] {
  return groups.map((group) => JSON.stringify(group)).toSorted();
}

interface QueryCase {
  timeZone: string;
  unit: string;
  rows: readonly Row[];
  measure: Measure;
  filters: readonly MetricFilter[];
  groupBy: readonly string[] | undefined;
}

function expectReferenceResult(
  response: QueryMetricsResponse,
  { rows, timeZone, unit, measure, filters, groupBy }: QueryCase,
  since: number,
  until: number,
) {
  const rowsInRange = rows.filter(({ at }) => at >= since && at < until);
  const matchingRows = rowsInRange.filter((row) =>
    filters.every((filter) => matchesFilter(row.payload, filter)),
  );
  const keys = response.times.map((time) => bucketKey(Date.parse(time), timeZone, unit));
  expect(Date.parse(response.times[0]!)).toBeLessThanOrEqual(since);
  expect(new Set(keys).size).toBe(keys.length);
  expect(bucketKey(since, timeZone, unit)).toBe(keys[0]);
  expect(bucketKey(until - 1, timeZone, unit)).toBe(keys.at(-1));
  expect(response.rows).toBe(matchingRows.length);
  const rowsByGroup = Map.groupBy(matchingRows, (row) => (groupBy ? toGroup(row, groupBy) : null));
  const returnedGroups = [...new Set(response.series.map(({ group }) => group))];
  if (groupBy) expect(sortGroups(returnedGroups)).toEqual(sortGroups([...rowsByGroup.keys()]));
  else expect(returnedGroups).toEqual([null]);
  for (const [index, { group, measure: measureIndex, values }] of response.series.entries()) {
    const groupRows = rowsByGroup.get(group) ?? [];
    expect(measureIndex).toBe(0);
    const check = (actual: number | null, subset: readonly Row[]) => {
      const { value: expected, tolerance } = computeResult(subset, measure);
      if (expected === null || actual === null) expect(actual).toBe(expected);
      else expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance);
    };
    check(response.totals[index]!, groupRows);
    expect(values).toHaveLength(keys.length);
    const rowsByBucket = Map.groupBy(groupRows, ({ at }) => bucketKey(at, timeZone, unit));
    expect(keys).toEqual(expect.arrayContaining([...rowsByBucket.keys()]));
    for (const [bucket, name] of keys.entries())
      check(values[bucket]!, rowsByBucket.get(name) ?? []);
  }
}

it('query-metrics matches a simple reference implementation in every time zone and across clock changes', async () => {
  await fc.assert(
    fc.asyncProperty(queryArbitrary, async (queryCase) => {
      const { id: projectId } = await insertProject(server.db, account.id, 'Shop');
      await insertMetrics(server.db, projectId, queryCase.rows);
      const { since, until, unit, timeZone, measure, filters, groupBy } = queryCase;
      const [from, to] = [since, until].map((time) => new Date(time).toISOString());
      const { status, body } = await queryMetrics(server, account, {
        ...{ project_id: projectId, since: from, until: to, bucket: unit },
        ...{ time_zone: timeZone, measures: [measure], filters, group_by: groupBy },
      });
      expect({ status, body }).toMatchObject({ status: 200, body: { bucket: unit } });
      expectReferenceResult(body, queryCase, since, until);
    }),
    { numRuns: 150 },
  );
});

it('query-metrics treats values of one type as equal, however they were encoded', async () => {
  const { id: projectId } = await insertProject(server.db, account.id, 'Shop');
  const strings = ['"é"', '"\\u00e9"', '"a\\"b"', '"a\\u0022b"', '"\\\\"', '"true"', '"1"', '""'];
  await server.sql`INSERT INTO metrics (project_id, received_at, payload)
      SELECT ${projectId}::uuid, '2024-04-01', ('{"text":' || text || '}')::json
      FROM unnest(${[...strings, 'true', '1']}::text[]) AS text`;
  const queryWith = async (overrides: object) => {
    const { body } = await queryMetrics(server, account, {
      ...{ project_id: projectId, since: '2024-04-01T00:00:00Z', until: '2024-04-02T00:00:00Z' },
      ...{ time_zone: 'UTC', ...overrides },
    });
    return { body, groups: body.series.map(({ group }) => group).toSorted() };
  };
  const { groups } = await queryWith({ group_by: ['text'] });
  expect(groups).toEqual(['', '1', 1, '\\', 'a"b', 'true', true, 'é']);
  const filters = [{ path: ['text'], is: 'contains', value: '"' }];
  expect((await queryWith({ filters })).body).toMatchObject({ rows: 2, totals: [2] });
});

it('query-metrics is not prepared, because its text depends on the request', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  await aggregateSeries(server.db, {
    ...{ projectId: account.id, since: '2024-03-01', until: '2024-03-02' },
    ...{
      starts: [new Date('2024-03-01')],
      measure: { path: [], aggregate: 'count' },
      filters: [],
    },
  });
  const sent = (query.mock.calls as unknown as { text?: string; name?: string }[][]).flat();
  const ofMetrics = sent.filter(({ text }) => text?.includes('metrics'));
  expect(ofMetrics.map(({ text, name }) => [text?.startsWith(NOT_PREPARED), name])).toEqual([
    [true, undefined],
  ]);
});
