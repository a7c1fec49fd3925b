import { beforeAll, expect, it } from 'vitest';
import { createPage } from '../support/publish-page.ts';
import { openTestApp } from '../support/test-app.ts';
import { useFrozenDate } from '../support/use-frozen-date.ts';
import { useServer } from '../support/use-server.ts';

useFrozenDate();
const { server } = useServer({
  rateLimitOptions: { requestsPerMinute: 0, missingPagesPerMinute: 200 },
});
beforeAll(() => createPage(server, {}, 'jane-doe'));

function get(url: string, remoteAddress: string) {
  return server.app.inject({ url, remoteAddress });
}

async function requestNames(count: number, address: string): Promise<number[]> {
  const suffixes = ['', '/', '/page.json', '/card.vcf', '/qr.svg'];
  const statuses = [];
  for (let index = 0; index < count; index += 1) {
    const name = index % 7 === 0 ? `x${'-'.repeat(70)}${index}` : `random-${index}`;
    const { statusCode } = await get(`/@${name}${suffixes[index % suffixes.length]!}`, address);
    statuses.push(statusCode);
  }
  return statuses;
}

it('a client that requests unknown names gets 429 with Retry-After after 200 in a minute, while other clients still get 404', async () => {
  const statuses = await requestNames(1_000, '203.0.113.1');
  expect(statuses).toEqual(statuses.map((_, index) => (index < 200 ? 404 : 429)));
  const { headers, payload } = await get('/@nobody-here', '203.0.113.1');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'retry-after': expect.stringMatching(/^\d+$/),
  });
  expect(payload).toMatch(/>Too many requests for missing pages\. Try again in \d+ seconds?\.</);
  expect((await get('/@nobody-here', '203.0.113.2')).statusCode).toBe(404);
});

it('a client that requests unknown names can still open existing pages, which do not count', async () => {
  for (let index = 0; index < 250; index += 1)
    expect((await get('/@jane-doe/qr.svg', '203.0.113.3')).statusCode).toBe(200);
  expect((await get('/@nobody-here', '203.0.113.3')).statusCode).toBe(404);
  await requestNames(201, '203.0.113.3');
  for (const [path, status] of [
    ['/@nobody-here', 429],
    ['/@jane-doe', 200],
    ['/@JANE-DOE', 308],
    ['/robots.txt', 200],
    ['/dashboard/', 200],
    ['/site/get-site-status', 401],
  ] as const)
    expect([path, (await get(path, '203.0.113.3')).statusCode]).toEqual([path, status]);
});

it('a client that requests unknown names gets 429 for all pages after five times the limit, so it cannot find existing names', async () => {
  const limitedServer = await openTestApp(
    { rateLimitOptions: { requestsPerMinute: 0, missingPagesPerMinute: 4 } },
    server.database,
  );
  const getFromLimitedServer = (url: string, remoteAddress = '203.0.113.4') =>
    limitedServer.app.inject({ url, remoteAddress });
  for (let index = 0; index < 20; index += 1) await getFromLimitedServer(`/@random-${index}`);
  expect((await getFromLimitedServer('/@jane-doe')).statusCode).toBe(200);
  await getFromLimitedServer('/@random-20');
  for (const path of [
    '/@jane-doe',
    '/@nobody-here',
    '/@JANE-DOE',
    '/@jane-doe/page.json',
    '/.well-known/webfinger?resource=acct:jane-doe@localhost',
  ]) {
    const { statusCode, headers } = await getFromLimitedServer(path);
    expect([path, statusCode]).toEqual([path, 429]);
    expect(headers['retry-after']).toMatch(/^\d+$/);
  }
  expect((await getFromLimitedServer('/dashboard/')).statusCode).toBe(200);
  expect((await getFromLimitedServer('/@jane-doe', '203.0.113.5')).statusCode).toBe(200);
});

it('a client that requests unknown names is identified by its /64 network if it uses IPv6', async () => {
  await requestNames(200, '2001:db8:1:2::1');
  expect((await get('/@nobody-here', '2001:db8:1:2:ffff::1')).statusCode).toBe(429);
  expect((await get('/@nobody-here', '2001:db8:1:3::1')).statusCode).toBe(404);
});
