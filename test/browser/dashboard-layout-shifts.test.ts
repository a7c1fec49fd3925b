import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { utcDay } from '#contract/shared/durations.ts';
import type { VisitKind } from '#contract/shared/visits.ts';
import { addPageVisits } from '#db/queries/page-visits.ts';
import { addReport, makeOperator } from '../support/endpoints.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { HOME_HEADING, setUpDashboard } from './support/dashboard.ts';
import { openPage } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

const API_URL_PATTERN = /\/(?:owner|site|stats|account)\/[\w/-]+(?:\?.*)?$/;
/** Largest cumulative layout shift for which Lighthouse deducts no points. */
const MAX_SHIFT = 0.02;

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1_280, height: 800 } };

/** Adds up layout shifts and records the elements that moved. */
const WATCH_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      shifts.push({ value, moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
        ((node?.nodeType === 1 ? node : node?.parentElement)?.outerHTML ?? 'gone').slice(0, 120) +
        ' from ' + [from.x, from.y, from.width, from.height] + ' to ' + [to.x, to.y, to.width, to.height]) });
  }).observe({ type: 'layout-shift', buffered: true });`;

interface Shift {
  value: number;
  moved: string[];
}

/** Holds back every API response until it is released. */
async function holdResponses(page: Page): Promise<Route[]> {
  const heldRoutes: Route[] = [];
  await page.route(API_URL_PATTERN, (route) => void heldRoutes.push(route));
  return heldRoutes;
}

/** Releases the responses, last one first, and waits until each is rendered. */
async function releaseResponses(page: Page, heldRoutes: Route[]): Promise<void> {
  for (;;) {
    const route = heldRoutes.pop();
    if (route) {
      await route.continue();
      await (await route.request().response())?.finished();
    } else if ((await page.getByText('Loading…').count()) === 0) return;
    await page.evaluate(
      'new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50)))',
    );
  }
}

/** Paths of all screens: the navigation, one project, invitations, adding members and one member. */
async function listScreenPaths(page: Page, account: TestAccount): Promise<string[]> {
  const links = await page
    .locator('nav a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
  const { projects } = await account.client.stats.getProjects();
  const operatorPaths = ['invitations', 'add', account.id];
  return [
    ...links,
    '/dashboard/domains',
    `/dashboard/metrics/${projects[0]!.id}`,
    ...operatorPaths.map((path) => `/dashboard/operator/members/${path}`),
  ];
}

// They mostly wait for frames, so they run at once.
it.concurrent.for([
  ['on a phone', PHONE, createFullAccount],
  ['on a phone, with a new account', PHONE, createNewAccount],
  ['on a desktop', DESKTOP, createFullAccount],
] as const)(
  'late responses cause no layout shift: %s',
  async ([_where, options, create], { onTestFinished }) => {
    const account = await create();
    const context = await dashboard.browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(await dashboard.createLoginLink(account));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
    await page.locator('nav a[href$=members]').waitFor({ state: 'attached' });
    const allPaths = await listScreenPaths(page, account);
    expect(allPaths.length).toBeGreaterThan(15);
    // The screens of operators show the whole server, with a new account, too.
    const paths = allPaths.filter((path) => create === createFullAccount || !/operator/.test(path));
    await page.addInitScript(WATCH_SHIFTS);
    const heldRoutes = await holdResponses(page);
    const shiftsByPath: Record<string, Shift[]> = {};
    for (const path of paths) {
      await page.goto(`${dashboard.base}${path}`);
      await page.locator('#main > *').first().waitFor({ state: 'attached' });
      await releaseResponses(page, heldRoutes);
      const shifts = await page.evaluate<Shift[]>('shifts');
      const totalShift = shifts.reduce((total, { value }) => total + value, 0);
      if (totalShift >= MAX_SHIFT) shiftsByPath[path] = shifts;
    }
    expect(shiftsByPath).toEqual({});
  },
);

it('a dead invitation link causes no layout shift on a phone', async () => {
  const { page } = await openPage(dashboard.browser, PHONE);
  await page.addInitScript(WATCH_SHIFTS);
  await page.route('**/owner/invitations/get-invitation', async (route) => {
    await page.waitForTimeout(500);
    await route.continue();
  });
  await page.goto(`${dashboard.base}/dashboard/invitation#${'a'.repeat(43)}`);
  await page.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
  await page.evaluate('new Promise((drawn) => setTimeout(drawn, 200))');
  expect(await page.evaluate('shifts')).toEqual([]);
});

/** An operator with one project and no other data. */
async function createNewAccount(): Promise<TestAccount> {
  const account = await dashboard.server.createAccount();
  await dashboard.server.createProject(account);
  await makeOperator(dashboard.server, account);
  return account;
}

/** An operator with data on every screen. */
async function createFullAccount(): Promise<TestAccount> {
  const account = await createNewAccount();
  const { client } = account;
  await client.account.updateDisplayName({ display_name: `jane-${account.id.slice(-12)}` });
  await client.site.updateSiteConfiguration({
    display_name: 'Jane',
    bio: 'Potter in Lisbon.',
    blocks: Array.from({ length: 8 }, (_, index) => ({
      type: 'link',
      url: `https://example.com/${index}`,
      title: `Link ${index}`,
    })),
  });
  await client.site.toggleSiteVisibility();
  const { projects } = await client.stats.getProjects();
  for (let sent = 0; sent < 12; sent += 1)
    await client.stats.ingestMetrics({
      projectId: projects[0]!.id,
      payload: { visitors: sent, country: 'pt' },
    });
  const day = utcDay();
  const visits: [VisitKind, value: string, count: number][] = [
    ['view', '', 50],
    ['referrer', 'news.example', 9],
    ['device', 'mobile', 40],
    ['click', 'https://example.com/1', 5],
  ];
  await addPageVisits(
    dashboard.server.db,
    visits.map(([kind, value, count]) => ({ accountId: account.id, kind, day, value, count })),
  );
  await addReport(dashboard.server, account);
  return account;
}
