import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { otherKind } from '#client/index.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { formatNumber, formatShortNumber } from '#page/blocks/metric.ts';
import { localeOf } from '#page/locale.ts';
import type { App } from '#server/app.ts';
import { computePageMetric } from '#server/features/metrics/compute-page-metric.ts';
import { PageMetrics } from '#server/features/metrics/page-metrics.ts';
import { eventually } from '../support/eventually.ts';
import { createPage, toComparable } from '../support/publish-page.ts';
import type { TestAccount } from '../support/test-app.ts';
import { LONG_TIME_LIMITS, connectPostgresDatabase } from '../support/test-database.ts';
import { useServer } from '../support/use-server.ts';
import { Page, attribute } from './support/site.ts';

const { server } = useServer({ PUBLIC_URL: 'https://example.org' });
beforeAll(async () => {
  // Metrics of the last 12 days may need last month's partition.
  await inTransaction(server.db, (trx) =>
    createMetricPartitions(trx, new Date(Date.now() - 31 * 24 * 3_600_000)),
  );
});

const ID = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';
const EN = localeOf('en');

interface Owner {
  account: TestAccount;
  name: string;
  project: string;
}

async function createOwner(metrics: [daysAgo: number, payload: unknown][] = []): Promise<Owner> {
  const page = await createPage(server);
  const project = await server.createProject(page.account);
  await storeMetrics(project, metrics);
  return { ...page, project };
}

async function storeMetrics(project: string, metrics: [daysAgo: number, payload: unknown][]) {
  for (const [days, payload] of metrics)
    await server.sql`INSERT INTO metrics (project_id, received_at, payload)
      VALUES (${project}, now() - ${days} * interval '1 day', ${JSON.stringify(payload)})`;
}

type Fields = Record<string, unknown>;

async function showBlocks({ account }: Pick<Owner, 'account'>, ...blocks: Fields[]) {
  await account.client.site.updateSiteConfiguration({
    blocks: blocks.map((fields) => ({ type: otherKind('metric'), ...fields })),
  });
}

async function get(path: string) {
  const { statusCode, headers, body } = await server.app.inject(path);
  return { status: statusCode, headers, body };
}

/** Waits until the page has a number. A page leaves out numbers that are not loaded yet. */
const waitForNumbers = (name: string) =>
  eventually(
    () => readNumbers(name),
    (all) => all.flat().some(Boolean),
  );

async function readNumbers(name: string): Promise<unknown[][]> {
  const { blocks } = JSON.parse((await get(`/@${name}/page.json`)).body) as { blocks: Fields[] };
  return blocks.map(({ value, previous }) => [value, previous]);
}

const METRICS: [number, unknown][] = [
  [12, { visits: 10, at: { shop: 2 }, status: 'up' }],
  [9, { visits: 30, at: { shop: 4 } }],
  [3, { visits: 20, at: { shop: '3' } }],
  [2, { visits: 50, at: { shop: 1.5 }, status: null }],
  [0.1, { visits: 10, list: [7, 8] }],
];

it('a metric block shows a number for a period, and its change from the previous period', async () => {
  const owner = await createOwner(METRICS);
  const metric = { project: owner.project, field: 'visits', days: 7 };
  await showBlocks(
    owner,
    { ...metric, aggregate: 'sum', title: 'Visits' },
    ...['count', 'avg', 'min', 'max', 'last'].map((aggregate) => ({ ...metric, aggregate })),
    { ...metric, field: 'at.shop' },
    { ...metric, field: 'list.1' },
    { project: owner.project, days: 7 },
  );
  expect(await waitForNumbers(owner.name)).toEqual([
    [80, 40],
    [3, 2],
    [80 / 3, 20],
    [10, 10],
    [50, 30],
    [10, 30],
    [1.5, 6],
    [8, 0],
    [3, 2],
  ]);
  expect(new Page((await get(`/@${owner.name}`)).body).text).toContain(
    'Visits 80 +100% · 7 days Visits 3 +50% · 7 days',
  );
});

it('a metric block has the title of its field, no unit, and the time of a latest value', async () => {
  const owner = await createOwner([[0.1, { room: { air_celsius: 21.456 }, total_eur: 3 }]]);
  const metric = { project: owner.project, days: 7 };
  await showBlocks(
    owner,
    { ...metric, field: 'room.air_celsius', aggregate: 'last' },
    { ...metric, field: 'total_eur' },
    { ...metric, field: 'total_eur', aggregate: 'count', title: 'Orders' },
  );
  await waitForNumbers(owner.name);
  const page = new Page((await get(`/@${owner.name}`)).body);
  expect(page.text).toMatch(
    /Room air celsius 21.46 2 hours ago ?Total eur 3 7 days Orders 1 7 days/,
  );
  // A line of one point looks like a fault.
  const charts = page.findAll('svg').filter((svg) => attribute(svg, 'class') === 'spark');
  expect(charts.map((svg) => attribute(svg, 'aria-label')!.split(':')[0])).toEqual([
    'Total eur',
    'Orders',
  ]);
});

it('a metric block is displayed as a line, bars or only a number, with an accessible description', async () => {
  const owner = await createOwner(METRICS);
  const metric = { project: owner.project, field: 'visits', days: 7, title: '<Visits>' };
  await showBlocks(owner, metric, { ...metric, display: 'bars' }, { ...metric, display: 'number' });
  await waitForNumbers(owner.name);
  const page = new Page((await get(`/@${owner.name}`)).body);
  expect(page.parseErrors).toEqual([]);
  const labels = page.findAll('section').map((section) => {
    const svg = page.findAll('svg').find(({ parentNode }) => parentNode === section);
    return svg && attribute(svg, 'aria-label');
  });
  const label = '<Visits>: 80 · +100% · 7 days · Lowest value: 0 · Highest value: 50';
  expect(labels).toEqual([label, label, undefined]);
});

it('a metric block shows nothing for another owner’s project, an unknown project or an unknown field', async () => {
  const [owner, otherOwner] = [await createOwner(METRICS), await createOwner(METRICS)];
  const metric = { project: owner.project, field: 'visits' };
  await showBlocks(
    owner,
    { ...metric, project: otherOwner.project },
    { ...metric, project: '7d1a9f7c-6d4f-4f6e-8f0e-0d7b5c1a2b3c' },
    { ...metric, project: 'none' },
    { ...metric, project: 7 },
    { ...metric, field: 'nothing' },
    { ...metric, field: 'status' },
    { ...metric, field: "visits'); DROP TABLE metrics; --" },
    { ...metric, field: 'visits.0.a' },
    { ...metric, field: 'a.'.repeat(99) },
    { ...metric, days: 1_000, aggregate: 'median', display: {} },
  );
  expect(await waitForNumbers(owner.name)).toEqual([
    ...Array.from({ length: 9 }, () => [undefined, undefined]),
    [120, 0],
  ]);
  expect(new Page((await get(`/@${owner.name}`)).body).findAll('section')).toHaveLength(1);
});

it('a metric block disappears immediately when its project is deleted', async () => {
  const owner = await createOwner(METRICS);
  await showBlocks(owner, { id: ID, project: owner.project, field: 'visits' });
  expect(await waitForNumbers(owner.name)).toEqual([[120, 0]]);
  await owner.account.owner.projects.deleteProject({ project_id: owner.project });
  expect(await readNumbers(owner.name)).toEqual([[undefined, undefined]]);
  expect((await get(`/@${owner.name}/metric/${ID}.svg`)).body).toContain('no data');
});

it('a metric block does not delay the page while its number is being read', async () => {
  const owner = await createOwner(METRICS);
  await showBlocks(owner, { project: owner.project, field: 'visits' });
  const lockTransaction = await server.db.startTransaction().execute();
  await sql`LOCK TABLE metrics`.execute(lockTransaction);
  const { status, body } = await get(`/@${owner.name}`);
  expect(status).toBe(200);
  expect(new Page(body).findAll('section')).toEqual([]);
  await lockTransaction.rollback().execute();
  expect(await waitForNumbers(owner.name)).toEqual([[120, 0]]);
});

it('the badge of a metric block is an SVG that other sites can embed, and that must be revalidated', async () => {
  const owner = await createOwner(METRICS);
  await showBlocks(owner, { id: ID, project: owner.project, field: 'visits', title: 'A & "B"' });
  await waitForNumbers(owner.name);
  const { status, headers, body } = await get(`/@${owner.name}/metric/${ID}.svg`);
  expect({ status, ...headers }).toMatchObject({
    status: 200,
    'content-type': 'image/svg+xml',
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'cross-origin',
    etag: expect.stringMatching(/^W\/".+"$/) as string,
  });
  expect(body).toContain('aria-label="A &amp; &quot;B&quot;: 120 · 30 days"');
  expect(body).not.toMatch(/<script|href|url\(h|style=/);
});

it('the badge of a metric block returns the same 404 for other blocks, unknown blocks and hidden pages', async () => {
  const owner = await createOwner();
  await owner.account.client.site.updateSiteConfiguration({
    blocks: [{ id: ID, type: 'text', content: 'x' }],
  });
  const getResponse = async (path: string) => toComparable(await server.app.inject(path));
  const notFound = await getResponse('/@nobody-at-all');
  expect(notFound.status).toBe(404);
  expect(await getResponse(`/@${owner.name}/metric/${ID}.svg`)).toEqual(notFound);
  expect(await getResponse(`/@${owner.name}/metric/none.svg`)).toEqual(notFound);
  await showBlocks(owner, { id: ID, project: owner.project });
  expect((await getResponse(`/@${owner.name}/metric/${ID}.svg`)).status).toBe(200);
  await owner.account.client.site.toggleSiteVisibility();
  expect(await getResponse(`/@${owner.name}/metric/${ID}.svg`)).toEqual(notFound);
  expect(await getResponse(`/@${owner.name.toUpperCase()}/metric/${ID}.svg`)).toEqual(notFound);
});

describe('the page metrics of a project', () => {
  afterEach(() => void vi.useRealTimers());

  const createQueries = (projectId: string) =>
    new Map([[ID, { projectId, path: ['visits'], aggregate: 'sum', days: 7 } as const]]);

  async function findSum({ account, project }: Owner, pageMetrics: PageMetrics): Promise<unknown> {
    const { pageMetrics: values } = await pageMetrics.find(account.id, createQueries(project));
    return values.get(ID)?.value;
  }

  function startPageMetrics(metricDatabase = server.database) {
    const { pageReadDb } = server.nameplate;
    const errors: unknown[] = [];
    const log = { error: (error: unknown) => void errors.push(error) } as FastifyBaseLogger;
    const metricReads = { databaseFor: () => metricDatabase.db };
    const queues = { metricReads } as unknown as App['queues'];
    return { errors, pageMetrics: new PageMetrics({ pageReadDb, queues, log }) };
  }

  it('the page metrics of a project are at most a minute old, and include late metrics', async () => {
    const owner = await createOwner();
    const { pageMetrics } = startPageMetrics();
    await storeMetrics(owner.project, [...METRICS, [0, { visits: 0 }]]);
    vi.useFakeTimers({ toFake: ['Date'] });
    await eventually(async () => expect(await findSum(owner, pageMetrics)).toBe(80));
    await storeMetrics(owner.project, [[5 / 86_400, { visits: 1 }]]);
    expect(await findSum(owner, pageMetrics)).toBe(80);
    vi.setSystemTime(Date.now() + 60_000);
    await eventually(async () => expect(await findSum(owner, pageMetrics)).toBe(81));
  });

  it('the page metrics of a project are read in batches, and count each metric once', async () => {
    const owner = await createOwner();
    await server.sql`INSERT INTO metrics (project_id, received_at, payload)
      SELECT ${owner.project}::uuid, now() - (i % 6) * interval '1 day' - interval '1 hour', '{"visits":1}'
      FROM generate_series(1, 20001) AS i`;
    const { pageMetrics } = startPageMetrics();
    await eventually(async () => expect(await findSum(owner, pageMetrics)).toBe(20_001));
  });

  it('the page metrics of a project are read in smaller batches if a batch times out', async () => {
    const owner = await createOwner();
    await server.sql`INSERT INTO metrics (project_id, received_at, payload)
      SELECT ${owner.project}::uuid, now() - interval '1 hour',
        json_build_object('visits', 1, 'log', repeat('line', 10000))
      FROM generate_series(1, 2000) AS i`;
    const shortTimeouts = connectPostgresDatabase(server.database.url, {
      timeLimits: { ...LONG_TIME_LIMITS, statement_timeout: 150 },
    });
    const { pageMetrics } = startPageMetrics(shortTimeouts);
    // With a frozen clock, a lookup that fails is never retried.
    vi.useFakeTimers({ toFake: ['Date'] });
    await eventually(async () => expect(await findSum(owner, pageMetrics)).toBe(2_000));
    await shortTimeouts.close();
  });

  it('the page metrics of a project keep their cached values while they cannot be read', async () => {
    const owner = await createOwner(METRICS);
    const closedDatabase = connectPostgresDatabase(server.database.url, { max: 1 });
    const { pageMetrics, errors } = startPageMetrics(closedDatabase);
    vi.useFakeTimers({ toFake: ['Date'] });
    await eventually(async () => expect(await findSum(owner, pageMetrics)).toBe(80));
    await closedDatabase.close();
    vi.setSystemTime(Date.now() + 60_000);
    expect(await findSum(owner, pageMetrics)).toBe(80);
    await eventually(() => expect(errors.length).toBe(1));
    expect(await findSum(owner, pageMetrics)).toBe(80);
  });
});

it('a one-day number covers the current hour and the 23 hours before', () => {
  const now = new Date('2026-06-15T12:30:00Z');
  const hour = Math.floor(now.getTime() / 3_600_000);
  const hourlySums = [hour - 24, hour - 23, hour].map((hourNumber, index) => {
    const value = 10 ** index;
    return {
      fieldIndex: 0,
      spanIndex: hourNumber,
      valueCount: 1,
      numberCount: 1,
      sum: value,
      min: value,
      max: value,
      last: value,
      lastAt: null,
    };
  });
  const metric = { aggregate: 'sum', days: 1 } as const;
  expect(computePageMetric(metric, hourlySums, now)).toMatchObject({ value: 110, previous: 1 });
});

it.each([
  [0, '0', '0'],
  [-0, '0', '0'],
  [0.000_123_45, '0.000123', '0.000123'],
  [12.345, '12.35', '12.3'],
  [-1_234.5, '-1,234.5', '-1.2K'],
  [123_456_789, '123,456,789', '123.5M'],
  [12_300_000_000, '12.3B', '12.3B'],
  [1e100, '1E100', '1E100'],
])('a number %f is formatted as %s, and as %s in short form', (value, longText, shortText) => {
  expect([formatNumber(value, EN), formatShortNumber(value, EN)]).toEqual([longText, shortText]);
});
