import { expect, it } from 'vitest';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import type { VisitKind } from '#contract/shared/visits.ts';
import { addPageVisits } from '#db/queries/page-visits.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';

const today = utcDay();

it('visits and clicks of others are shown as totals, a chart and lists, until counting is turned off', async () => {
  const account = await dashboard.server.createNamedAccount('jane-visited');
  await account.client.site.updateSiteConfiguration({
    blocks: [{ type: 'link', url: 'https://shop.example/?a=1&b=2', title: 'The shop' }],
  });
  await account.client.site.toggleSiteVisibility();
  const { visit, page } = await dashboard.open(account, 'Visitors');
  await page.getByRole('region', { name: 'No visitors yet' }).waitFor();

  const visitor = await dashboard.browser.newContext({ userAgent: USER_AGENT });
  const visitorPage = await visitor.newPage();
  await visitor.route(/^https?:..\w+\.example\//, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${dashboard.base}/@jane-visited">Jane</a>`,
    }),
  );
  await visitorPage.goto('http://news.example/');
  await visitorPage.getByRole('link', { name: 'Jane' }).click();
  const clickSent = visitorPage.waitForRequest((request) =>
    request.url().endsWith('/@jane-visited/click'),
  );
  await visitorPage.getByRole('link', { name: 'The shop' }).click();
  const click = await clickSent;
  expect(click.method()).toBe('POST');
  await visitorPage.waitForURL('https://shop.example/?a=1&b=2');
  await visitor.close();

  const listItems = (name: string) =>
    page.locator('section', { has: page.getByRole('heading', { name }) }).getByRole('listitem');
  // The server stores counts after some seconds, and may store clicks later than views.
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.getByRole('heading', { name: 'Privacy' }).waitFor();
        await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
        return listItems('Top links').allTextContents();
      },
      { interval: 1_000 },
    )
    .toEqual(['TThe shop1100%']);
  await expect.poll(() => listItems('Referrers').allTextContents()).toEqual(['Nnews.example1100%']);
  await expect.poll(() => listItems('Devices').allTextContents()).toEqual(['Phone1100%']);
  // In German, the share has a space and is wider.
  const share = await page.evaluate<number>(`(() => {
    const share = document.querySelector('.rank-share');
    share.textContent = '100\\u00a0%';
    const text = document.createRange();
    text.selectNodeContents(share);
    return text.getClientRects().length;
  })()`);
  expect(share).toBe(1);
  await page.getByRole('button', { name: 'Click rate 100%' }).click();
  await page.locator('.marks').getByText('100%', { exact: true }).waitFor({ state: 'attached' });
  await expectNoProblems(visit);

  await page.getByRole('switch', { name: 'Count views and clicks' }).click();
  await expect
    .poll(() => page.getByRole('switch', { name: 'Count views and clicks' }).isChecked())
    .toBe(false);
  const { payload } = await dashboard.server.app.inject('/@jane-visited');
  expect(payload).not.toContain('ping=');
});

it('a period is chosen, compared with the previous one and exported', async () => {
  const account = await dashboard.server.createAccount();
  const dateDaysAgo = (daysAgo: number) =>
    new Date(Date.parse(today) - daysAgo * 86_400_000).toISOString().slice(0, 10);
  await addPageVisits(
    dashboard.server.db,
    [0, 1, 10, 40, 300].map((daysAgo) => ({
      accountId: account.id,
      kind: 'view',
      day: dateDaysAgo(daysAgo),
      value: '',
      count: 100 + daysAgo,
    })),
  );
  const { page } = await dashboard.open(account, 'Visitors');
  await page.getByRole('button', { name: 'Page views 311 up 122%' }).waitFor();
  await page.getByText('7 days', { exact: true }).click();
  await page.getByRole('button', { name: 'Page views 201 up 83%' }).waitFor();
  await page.getByRole('button', { name: /^Compare/ }).click();
  await page.getByRole('button', { name: 'Page views 201', exact: true }).waitFor();
  await page.getByText('12 months', { exact: true }).click();
  await page.getByRole('button', { name: 'Page views 851', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Page views 851', exact: true }).waitFor();
  await page.getByRole('group', { name: /^Chart/ }).focus();
  await page.keyboard.press('End');
  await page.getByText(/^Week of .*: .* 201$/).waitFor();
  await page.goBack();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await downloading).suggestedFilename()).toBe('visitors.csv');
});

it('the mouse zooms into the chart; Back zooms out', async () => {
  const account = await dashboard.server.createAccount();
  await addPageVisits(
    dashboard.server.db,
    Array.from({ length: 60 }, (_, daysAgo) => ({
      accountId: account.id,
      kind: 'view',
      day: utcDay(Date.parse(today) - daysAgo * DAY_MS),
      value: '',
      count: 1,
    })),
  );
  const { page } = await dashboard.open(account, 'Visitors');
  const wholeRange = page.getByRole('button', { name: /^Page views 30\b/ });
  await wholeRange.waitFor();
  const { x, y, width, height } = (await page.locator('.plot .pointer').boundingBox())!;
  await page.mouse.move(x + width * 0.5, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.8, y + height / 2, { steps: 5 });
  await page.mouse.up();
  await page.getByRole('button', { name: /^Page views (?:9|10|11)\b/ }).waitFor();
  expect([...new URL(page.url()).searchParams.keys()].toSorted()).toEqual(['since', 'until']);
  await page.goBack();
  await wholeRange.waitFor();
});

it('lists show shares of the total and icons of known services; a click on an entry shows its days; the first period is not compared', async () => {
  const account = await dashboard.server.createAccount();
  const visitCount = (kind: VisitKind, value: string, count: number) => ({
    accountId: account.id,
    kind,
    day: today,
    value,
    count,
  });
  await addPageVisits(dashboard.server.db, [
    visitCount('view', '', 1_000),
    visitCount('referrer', 'm.youtube.com', 300),
    visitCount('referrer', 'news.example', 4),
    visitCount('referrer', 'direct', 696),
    visitCount('source', 'flyer', 80),
  ]);
  const { visit, page } = await dashboard.open(account, 'Visitors');
  const rows = page
    .locator('section', { has: page.getByRole('heading', { name: 'Referrers' }) })
    .getByRole('listitem');
  await expect
    .poll(() => rows.allTextContents())
    .toEqual(['Direct69670%', 'm.youtube.com30030%', 'Nnews.example40.4%']);
  const section = (name: string) => page.getByRole('heading', { name, exact: true });
  await page.getByRole('button', { name: 'flyer' }).waitFor();
  expect([await section('Sources').count(), await section('Campaigns').count()]).toEqual([1, 0]);
  expect(await page.getByText('ref=').allTextContents()).toEqual([
    'Add ?\u2060ref=flyer to the address of your page to see it here.',
  ]);
  await rows.nth(1).click();
  // The chart is replaced when the days of the entry arrive.
  const showAllButton = page.getByRole('button', { name: 'Show all' });
  await showAllButton.waitFor();
  // Totals and earlier periods are not stored by referrer, so they are hidden.
  await page.getByText(/^of 1,000, /).waitFor();
  expect(await page.getByRole('group', { name: 'Number in the chart' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Compare/ }).count()).toBe(0);
  const chart = page.getByRole('group', { name: /^Chart/ });
  await chart.focus();
  await page.keyboard.press('End');
  await page.getByText(/: m\.youtube\.com 300, Page views 1,000$/).waitFor();
  expect(await rows.getByRole('button', { pressed: true }).allTextContents()).toEqual([
    'm.youtube.com',
  ]);
  await expectNoProblems(visit);
  await showAllButton.click();
  await expect.poll(() => rows.getByRole('button', { pressed: true }).count()).toBe(0);
  const icon = rows.nth(1).locator('img');
  await expect
    .poll(() => icon.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
    .toBeGreaterThan(0);
  expect(await icon.getAttribute('src')).toBe('/dashboard/icons/youtube.svg');
  await page.getByText(/^The first view was on /).waitFor();
  await page.getByRole('button', { name: 'Page views 1,000', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^Compare/ }).count()).toBe(0);
});
