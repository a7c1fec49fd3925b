import { expect, it } from 'vitest';
import { addPageVisits, deleteOldPageVisits } from '#db/queries/page-visits.ts';
import { VisitCounter } from '#server/features/visitors/visit-counter.ts';
import { send } from '../support/call.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({
  account: 'per test',
  COUNTRY_HEADER: 'cf-ipcountry',
  VISITOR_DAYS: 90,
});

const callVisitors = (body: object) =>
  send(server, account, 'POST /owner/visitors/query-visitors', body);

async function get(path: string) {
  return server.app.inject({ url: `/owner/visitors/${path}`, headers: account.headers });
}

const DAY = '2026-01-31';
type Kind = 'view' | 'click' | 'referrer' | 'source' | 'campaign' | 'link';
type Row = [kind: Kind, value: string, count: number, day?: string];

async function storeVisits({ id: accountId }: TestAccount, rows: Row[]): Promise<void> {
  await addPageVisits(
    server.db,
    rows.map(([kind, value, count, day = DAY]) => ({ accountId, kind, value, count, day })),
  );
}

it("query-visitors returns the account's days, totals and most frequent values", async () => {
  const otherAccount = await server.createAccount();
  await storeVisits(otherAccount, [
    ['view', '', 99],
    ['referrer', 'other.example', 99],
  ]);
  await storeVisits(account, [
    ['view', '', 5, '2026-01-29'],
    ['view', '', 7],
    ['click', '', 2],
    ['link', 'https://shop.example/', 2],
    ['referrer', 'a.example', 2, '2026-01-29'],
    ['referrer', 'a.example', 3],
    ['referrer', 'b.example', 1],
    ['referrer', 'direct', 4],
    ['referrer', 'other', 20],
    ['referrer', 'before.example', 9, '2026-01-28'],
    ['source', 'flyer', 3],
    ['campaign', 'spring sale', 2],
  ]);
  expect(await callVisitors({ since: '2026-01-29', until: DAY })).toMatchObject(
    okBody({
      since: '2026-01-29',
      until: DAY,
      days: [
        { day: '2026-01-29', views: 5, clicks: 0 },
        { day: '2026-01-30', views: 0, clicks: 0 },
        { day: DAY, views: 7, clicks: 2 },
      ],
      views: 12,
      clicks: 2,
      links: [{ value: 'https://shop.example/', count: 2 }],
      referrers: [
        { value: 'a.example', count: 5 },
        { value: 'direct', count: 4 },
        { value: 'b.example', count: 1 },
        { value: 'other', count: 20 },
      ],
      sources: [{ value: 'flyer', count: 3 }],
      campaigns: [{ value: 'spring sale', count: 2 }],
      devices: [],
      countries: [],
      entry: null,
      previous: null,
    }),
  );
  const { body } = await callVisitors({ since: DAY, until: DAY, limit: 1 });
  expect(body).toMatchObject({ referrers: [{ value: 'direct', count: 4 }] });
});

it('query-visitors returns the daily counts of an entry', async () => {
  await storeVisits(account, [
    ['view', '', 9],
    ['referrer', 'a.example', 2, '2026-01-29'],
    ['referrer', 'a.example', 3],
    ['referrer', 'b.example', 1],
    ['link', 'a.example', 4],
  ]);
  const entry = { list: 'referrers', value: 'a.example' };
  const { body } = await callVisitors({ since: '2026-01-29', until: DAY, entry });
  expect(body).toMatchObject({ views: 9, entry: { ...entry, counts: [2, 0, 3] } });
});

it('query-visitors compares with the previous period of the same length', async () => {
  await storeVisits(account, [
    ['view', '', 3, '2026-02-28'],
    ['view', '', 1, '2026-02-26'],
  ]);
  const period = { since: '2026-03-01', until: '2026-03-02' };
  const { body } = await callVisitors({ ...period, compare: true });
  const days = [
    { day: '2026-02-27', views: 0 },
    { day: '2026-02-28', views: 3 },
  ];
  const previous = { since: '2026-02-27', until: '2026-02-28', days, views: 3, clicks: 0 };
  expect(body).toMatchObject({ views: 0, previous });
});

it.each([
  [{ since: '2026-02-30', until: DAY }, 'since must be a day like 2026-01-01.'],
  [{ since: '0026-01-01', until: DAY }, 'since must be a day like 2026-01-01.'],
  [{ since: DAY, until: '2026-01-31T00:00:00Z' }, 'until must be a day like 2026-01-31.'],
  [
    { since: DAY, until: '2026-01-30' },
    'since must not be after until, and they must not be more than 732 days apart.',
  ],
  [
    { since: '2024-01-31', until: '2026-02-01' },
    'since must not be after until, and they must not be more than 732 days apart.',
  ],
])('query-visitors refuses %j', async (body, error) => {
  expect(await callVisitors(body)).toMatchObject(errorText(400, error));
});

it('what is counted, and how long it is kept, can be read and changed', async () => {
  const getVisitorCounting = async () => (await get('get-visitor-counting')).json<unknown>();
  const noVisits = { counting: true, first_day: null, days: 90, countries: true };
  expect(await getVisitorCounting()).toEqual(noVisits);
  await storeVisits(account, [['click', '', 1, '2025-12-01']]);
  for (const day of [DAY, '2025-12-24']) await storeVisits(account, [['view', '', 1, day]]);
  expect(await getVisitorCounting()).toEqual({ ...noVisits, first_day: '2025-12-24' });
  for (const counting of [false, true]) {
    const endpoint = 'POST /owner/visitors/update-visitor-counting';
    expect(await send(server, account, endpoint, { counting })).toMatchObject(okBody({ counting }));
    expect(await getVisitorCounting()).toMatchObject({ counting });
  }
});

it('export-visitors returns a table of all sums, or those of a date range', async () => {
  await storeVisits(await server.createAccount(), [['view', '', 99]]);
  const empty = await get('export-visitors');
  expect(empty.payload).toBe('\uFEFFkind,day,value,count\r\n');
  expect(empty.headers).toMatchObject({
    'content-type': 'text/csv',
    'content-disposition': 'attachment; filename="visitors.csv"',
  });
  await storeVisits(account, [
    ['view', '', 7, '2026-01-30'],
    ['view', '', 8],
    ['link', 'https://shop.example/?a=%22,b', 1],
    ['source', '-2+3', 4],
  ]);
  expect((await get('export-visitors')).payload.split('\r\n')).toEqual([
    '\uFEFFkind,day,value,count',
    'link,2026-01-31,"https://shop.example/?a=%22,b",1',
    `source,2026-01-31,"'-2+3",4`,
    'view,2026-01-30,"",7',
    'view,2026-01-31,"",8',
    '',
  ]);
  expect((await get(`export-visitors?until=2026-01-30`)).payload).toBe(
    '\uFEFFkind,day,value,count\r\nview,2026-01-30,"",7\r\n',
  );
  expect((await get('export-visitors?since=tomorrow')).json()).toEqual({
    error: 'since must be a day like 2026-01-01.',
  });
});

it('export-visitors streams any number of sums', async () => {
  await server.sql`INSERT INTO page_visits
      SELECT ${account.id}, 'referrer', date '2020-01-01' + number / 100, 'host-' || number || '.example', 1
      FROM generate_series(1, 25000) AS number`;
  const lines = (await get('export-visitors')).payload.trimEnd().split('\r\n');
  expect(new Set(lines).size).toBe(25_001);
});

it('daily sums let a new host replace one with a count of 1, so that fake hosts cannot displace real ones', async () => {
  const createRows = (prefix: string, length: number, count: number) =>
    Array.from({ length }, (_, index): Row => ['referrer', `${prefix}${index}.example`, count]);
  await storeVisits(account, [...createRows('often', 100, 2), ...createRows('junk', 150, 1)]);
  // junk0 is counted again in the same write, so it is not replaced.
  await storeVisits(account, [
    ['referrer', 'junk0.example', 1],
    ['referrer', 'real.example', 1],
  ]);
  await storeVisits(account, [['referrer', 'real.example', 1]]);
  await storeVisits(account, createRows('late', 300, 1));
  const stored = await server.sql<{ value: string; count: number }>`
      SELECT value, count::int FROM page_visits WHERE account_id = ${account.id}`;
  const counts = new Map(stored.map(({ value, count }) => [value, count]));
  expect(stored).toHaveLength(201);
  expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(200 + 150 + 3 + 300);
  expect(counts.get('real.example')).toBe(2);
  expect(counts.get('junk0.example')).toBe(2);
  expect(counts.get('often99.example')).toBe(2);
});

it('daily sums count a limited number of different hosts in memory, too', async () => {
  const country = undefined;
  const errors: unknown[] = [];
  const counts = new VisitCounter(server.db, (error) => void errors.push(error));
  for (let index = 0; index < 1_000; index += 1)
    counts.addView(account.id, { referrer: `a${index}.example`, device: 'phone', country });
  await counts.flush();
  expect(errors).toEqual([]);
  const rows = await server.sql<{ kind: string; values: number; count: number }>`
      SELECT kind, count(*)::int AS values, sum(count)::int AS count FROM page_visits
      WHERE account_id = ${account.id} GROUP BY kind ORDER BY kind`;
  const values = expect.toSatisfy((value: number) => value <= 201) as number;
  expect(rows).toEqual([
    { kind: 'device', values: 1, count: 1_000 },
    { kind: 'referrer', values, count: 1_000 },
    { kind: 'view', values: 1, count: 1_000 },
  ]);
});

it('daily sums are deleted after the retention period, unless they are kept forever', async () => {
  await storeVisits(account, [
    ['view', '', 1, '2026-01-01'],
    ['view', '', 2, '2026-01-02'],
  ]);
  const deleteAndListRemaining = async (days: number) => {
    await deleteOldPageVisits(server.db, { today: '2026-01-12', days });
    return (await get('export-visitors')).payload.split('\r\n').slice(1, -1);
  };
  expect(await deleteAndListRemaining(0)).toHaveLength(2);
  expect(await deleteAndListRemaining(10)).toEqual(['view,2026-01-02,"",2']);
});
