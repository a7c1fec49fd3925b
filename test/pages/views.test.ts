import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { utcDay } from '#contract/shared/durations.ts';
import { listPageViews } from '#db/queries/page-visits.ts';
import { VisitCounter } from '#server/features/visitors/visit-counter.ts';
import { eventually } from '../support/eventually.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { BROWSER_USER_AGENT, createPage, toComparable } from '../support/publish-page.ts';
import { logIn } from '../support/session.ts';
import { startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const VIEW = { referrer: undefined, device: 'phone', country: undefined } as const;

const { server } = useServer();

const publish = async (name: string) => (await createPage(server, {}, name)).account;

/** Total views of a page in the last 30 days. */
async function readViews(name: string): Promise<number> {
  const site = server.db.selectFrom('display_names').select('account_id').where('name', '=', name);
  const { account_id } = await site.executeTakeFirstOrThrow();
  const days = await listPageViews(server.db, account_id!, { until: utcDay(), days: 30 });
  return days.reduce((sum, { views }) => sum + views, 0);
}

it('the views of a page are counted when people open it, and stored at shutdown', async () => {
  await publish('jane-doe');
  const hiddenAccount = await publish('joe-bloggs');
  await hiddenAccount.client.site.toggleSiteVisibility();
  const { app } = await startTestApp({}, server.database);
  const openPage = (url: string, headers: Record<string, string>, method = 'GET') =>
    app.inject({ method: method as 'GET', url, headers });
  const page = '/@jane-doe';
  const browser = { 'user-agent': BROWSER_USER_AGENT };
  const { headers } = await openPage(page, browser);
  expect(headers).not.toHaveProperty('set-cookie');
  const cachedHeaders = { ...browser, 'if-none-match': String(headers.etag) };
  expect((await openPage(page, cachedHeaders)).statusCode).toBe(304);
  await openPage(page, { ...browser, 'sec-fetch-dest': 'document' });

  await openPage(page, browser, 'HEAD');
  await openPage(page, { 'user-agent': '' });
  await openPage(page, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
  await openPage(page, { 'user-agent': 'curl/8.5.0' });
  await openPage(page, { ...browser, 'sec-purpose': 'prefetch;prerender' });
  await openPage(page, { ...browser, purpose: 'prefetch' });
  await openPage(page, { ...browser, 'sec-fetch-dest': 'empty' });
  await openPage(`${page}/qr.svg`, browser);
  await openPage('/@JANE-DOE', browser);
  await openPage('/@joe-bloggs', browser);
  await app.close();
  expect(await readViews('jane-doe')).toBe(3);
  expect(await readViews('joe-bloggs')).toBe(0);
});

it('the views of a page count the tags of the address without storing what may be personal, in the same cached page', async () => {
  const { id } = await publish('tagged');
  const { app } = await startTestApp({}, server.database);
  const headers = { 'user-agent': BROWSER_USER_AGENT };
  const openPage = async (query: string) =>
    toComparable(await app.inject({ url: `/@tagged${query}`, headers }));
  const plain = await openPage('');
  for (const query of [
    '?utm_source=Newsletter&utm_campaign=Spring+%20Sale%00&ref=flyer&utm_medium=email',
    // Hangul filler, zero-width space and soft hyphen.
    '?ref=%E3%85%A4news%E2%80%8Blet%C2%ADter&utm_source=&utm_campaign=%EF%BC%A1%EF%BC%A2%20%20c',
    '?ref=%C3%9Cber+uns&utm_campaign=jane%40mail.example',
    '?ref=jane%2540mail.example&utm_campaign=jane%EF%BC%A0mail.example',
    `?utm_source=%3D1%2B1&ref=flyer&utm_campaign=${'x'.repeat(101)}`,
    '?utm_source=%E0%A4%A&utm_medium=email',
  ])
    expect(await openPage(query)).toEqual(plain);
  await app.inject({ url: '/@tagged?ref=bot', headers: { 'user-agent': 'curl/8.5.0' } });
  await app.close();
  const tags = await server.sql<
    Record<string, unknown>
  >`SELECT kind, value, count::int FROM page_visits
      WHERE account_id = ${id} AND kind IN ('source', 'campaign') ORDER BY kind, value COLLATE "C"`;
  expect(tags.map((row) => Object.values(row).join(' '))).toEqual([
    'campaign ab c 1',
    'campaign other 3',
    'campaign spring sale 1',
    'source newsletter 2',
    'source other 3',
    'source über uns 1',
  ]);
});

it('the views of a page exclude the owner but include other accounts, and both get the same response', async () => {
  const owner = await publish('looks-often');
  const otherAccount = await server.createAccount();
  const { app } = await startTestApp({}, server.database);
  const openPage = async (cookie?: string, etag?: string) => {
    const headers = {
      'user-agent': BROWSER_USER_AGENT,
      ...(cookie !== undefined && { cookie }),
      ...(etag !== undefined && { 'if-none-match': etag }),
    };
    return toComparable(await app.inject({ url: '/@looks-often', headers }));
  };
  const { cookie = '' } = await logIn(server, owner.id);
  const ownerResponse = await openPage(cookie);
  expect((await openPage(cookie, String(ownerResponse.headers.etag))).status).toBe(304);
  expect(await openPage()).toEqual(ownerResponse);
  expect(await openPage((await logIn(server, otherAccount.id))['cookie'])).toEqual(ownerResponse);
  expect(await openPage(`nameplate=${'x'.repeat(43)}`)).toEqual(ownerResponse);
  await app.close();
  expect(await readViews('looks-often')).toBe(3);
});

it('the views of a page are limited per network and hour, and the page is still served', async () => {
  await publish('often-opened');
  await publish('opened-once');
  const rateLimitOptions = { requestsPerMinute: 0, pageViewsPerHour: 2 };
  const { app } = await startTestApp({ rateLimitOptions }, server.database);
  const headers = { 'user-agent': BROWSER_USER_AGENT };
  const openPage = async (name: string, remoteAddress: string) =>
    (await app.inject({ url: `/@${name}`, headers, remoteAddress })).statusCode;
  for (let count = 0; count < 5; count += 1)
    expect(await openPage('often-opened', '203.0.113.1')).toBe(200);
  expect(await openPage('often-opened', '203.0.113.2')).toBe(200);
  expect(await openPage('opened-once', '203.0.113.1')).toBe(200);
  await app.close();
  expect([await readViews('often-opened'), await readViews('opened-once')]).toEqual([3, 1]);
});

it('the views of a page are summed over all servers, without deleted accounts', async () => {
  const { id } = await publish('somebody');
  const errors: unknown[] = [];
  const counters = [1, 2].map(
    () => new VisitCounter(server.db, (error) => void errors.push(error)),
  );
  for (const counter of counters)
    for (const account of [id, randomUUID(), id]) counter.addView(account, VIEW);
  await Promise.all(counters.map((counter) => counter.flush()));
  expect(errors).toEqual([]);
  expect(await readViews('somebody')).toBe(4);
});

it('the views of a page are kept in memory while the database refuses writes', async () => {
  const { id } = await publish('patient');
  const errors: unknown[] = [];
  const counter = new VisitCounter(server.db, (error) => void errors.push(error));
  counter.addView(id, VIEW);
  await server.sql`ALTER TABLE page_visits RENAME TO lost`;
  await counter.flush();
  await server.sql`ALTER TABLE lost RENAME TO page_visits`;
  expect(errors.length).toBeGreaterThan(0);
  counter.addView(id, VIEW);
  await counter.flush();
  expect(await readViews('patient')).toBe(2);
});

it('the views of a page are stored every few seconds', async () => {
  const { id } = await publish('soon');
  const counter = new VisitCounter(server.db, () => {});
  fakeTimers(['setTimeout']);
  counter.addView(id, VIEW);
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  await eventually(async () => expect(await readViews('soon')).toBe(1));
});

it('the views of a page use limited memory', async () => {
  const { id } = await publish('bounded');
  const latePage = await publish('too-late');
  const counter = new VisitCounter(server.db, () => {});
  counter.addView(id, VIEW);
  for (let index = 0; index < 10_000; index += 1) counter.addView(randomUUID(), VIEW);
  counter.addView(latePage.id, VIEW);
  counter.addView(id, VIEW);
  await counter.flush();
  expect([await readViews('bounded'), await readViews('too-late')]).toEqual([2, 0]);
});
