import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeOperator } from '../support/endpoints.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { hostileText, createCrowdedAccount } from './support/crowded-account.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

const API_URL_PATTERN = /\/(?:owner|site|stats|account)\/[\w/-]+(?:\?.*)?$/;
const FORWARDING_URL = '**/owner/forwarding/get-forwarding';
/** Browser messages about error responses. */
const FAILED_CALL_MESSAGE =
  /^Failed to load resource: (?:the server responded with a status of 500|net::ERR_)/;

/** A state of the screens, and how to reach it. */
interface State {
  name: string;
  createAccount: () => Promise<{ account: TestAccount; projectId: string }>;
  prepare?: (page: Page) => Promise<unknown>;
  waitForState?: (page: Page) => Promise<unknown>;
}

async function createNewAccount() {
  const account = await dashboard.server.createAccount();
  return { account, projectId: await dashboard.server.createProject(account) };
}

const STATES: State[] = [
  { name: 'without data', createAccount: createNewAccount },
  {
    name: 'while it loads',
    createAccount: createNewAccount,
    // These requests never get a response.
    prepare: (page) => page.route(API_URL_PATTERN, () => {}),
    waitForState: (page) => page.getByText('Loading…').first().waitFor(),
  },
  {
    name: 'after every request failed with a long message',
    createAccount: createNewAccount,
    prepare: (page) =>
      page.route(API_URL_PATTERN, (route) =>
        route.fulfill({
          status: 500,
          json: { error: `${hostileText(600)} ${'word '.repeat(100)}` },
        }),
      ),
    waitForState: (page) => page.getByRole('button', { name: 'Try again' }).first().waitFor(),
  },
  {
    name: 'full of hostile text of maximum length',
    createAccount: () => createCrowdedAccount(dashboard.server),
    prepare: (page) =>
      page.route(FORWARDING_URL, async (route) => {
        const response = await route.fetch();
        const json = {
          ...((await response.json()) as object),
          enabled: true,
          email: `${'a'.repeat(64)}@${'b'.repeat(63)}.example`,
          pending_email: `${'c'.repeat(64)}@${'d'.repeat(63)}.example`,
          provider_email: `${'e'.repeat(64)}@${'f'.repeat(63)}.example`,
          stage: 'waiting',
          attempts: 3,
          last_error: hostileText(2_000),
          next_try_at: new Date(Date.now() + 3_600_000).toISOString(),
        };
        await route.fulfill({ json });
      }),
  },
];

/** Paths of all screens in the navigation and of one project. */
async function listScreenPaths(page: Page, projectId: string): Promise<string[]> {
  await page.getByRole('navigation').getByRole('link', { name: 'Keys' }).waitFor();
  const links = await page.getByRole('navigation').getByRole('link').all();
  const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')));
  return [
    ...hrefs.map(String),
    '/dashboard/domains',
    '/dashboard/connected-apps',
    '/dashboard/keepers',
    '/dashboard/keep',
    `/dashboard/metrics/${projectId}`,
  ];
}

it.each(STATES)(
  'every screen is accessible in every state and size $name',
  async ({ createAccount: create, prepare, waitForState }) => {
    const { account, projectId } = await create();
    const { visit, page, messages, requests } = await dashboard.open(account);
    const paths = await listScreenPaths(page, projectId);
    expect(paths.length).toBeGreaterThan(9);
    await prepare?.(page);
    for (const path of paths) {
      await page.goto(dashboard.base + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (waitForState) await waitForState(page);
      else await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
      await page.evaluate(
        'for (const part of document.querySelectorAll("details")) part.open = true',
      );
      const unexpectedMessages = messages.filter((text) => !FAILED_CALL_MESSAGE.test(text));
      // The preview loads the pictures that the owner chose.
      const requestsWithoutPictures = requests.filter(
        (url) => !url.startsWith('https://example.com/'),
      );
      await expectNoProblems({
        ...visit,
        messages: unexpectedMessages,
        requests: requestsWithoutPictures,
      }).catch((cause: unknown) => {
        throw new Error(`At ${path}`, { cause });
      });
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

it('offers another try when a response is slow', async () => {
  const { page } = await dashboard.open(await dashboard.server.createAccount());
  await page.clock.install();
  await page.route('**/owner/keys/list-keys', () => {}, { times: 1 });
  await page.goto(`${dashboard.base}/dashboard/keys`);
  await page.getByText('Loading…').waitFor();
  await page.clock.fastForward(10_000);
  await page.getByText('Still loading…').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Keys' }).waitFor();
});

it('shows no settings that did not load', async () => {
  const { page } = await dashboard.open(await dashboard.server.createAccount());
  await page.route('**/get-session', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${dashboard.base}/dashboard/settings`);
  await page.getByText('This could not be loaded.').first().waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
  await page.unroute('**/get-session');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('switch', { name: 'Show developer tools' }).waitFor();
});

it('a response that takes longer than the next poll is shown', async () => {
  const account = await dashboard.server.createAccount();
  const projectId = await dashboard.server.createProject(account);
  const { page } = await dashboard.open(account);
  await page.clock.install();
  const waiting: Route[] = [];
  await page.route('**/owner/metrics/list-metrics*', (route) => void waiting.push(route));
  await page.goto(`${dashboard.base}/dashboard/metrics/${projectId}`);
  await expect.poll(() => waiting.length).toBe(1);
  await page.clock.runFor(10_000);
  await account.client.stats.ingestMetrics({ projectId, payload: { visitors: 42 } });
  await waiting[0]!.continue();
  // Later requests get no response.
  await page.getByText('Your first metric has arrived.').waitFor();
});

it('a visible tab stops polling after ten minutes without input', async () => {
  const { page } = await dashboard.openOperator('Your server');
  await page.clock.install();
  await page.addInitScript(`window.calls = 0;
    const { fetch } = window;
    window.fetch = (...request) => {
      calls += String(request[0].url ?? request[0]).includes('list-addresses');
      return fetch(...request);
    };`);
  await page.goto(`${dashboard.base}/dashboard/operator/addresses`);
  await page.getByText('One address, read by several people.').waitFor();
  const countCalls = () => page.evaluate<number>('calls');
  const countLater = async () => {
    await page.clock.runFor(30_000);
    return countCalls();
  };
  await expect.poll(countLater).toBeGreaterThan(2);
  await page.clock.runFor(10 * 60_000);
  const countWhileIdle = async () => {
    const before = await countCalls();
    await page.clock.runFor(60_000);
    return (await countCalls()) - before;
  };
  // Requests of before can be repeated.
  await expect.poll(countWhileIdle).toBe(0);
  await page.keyboard.press('Shift');
  await expect.poll(countWhileIdle).toBeGreaterThan(0);
});

it('works if the browser blocks its storage', async () => {
  const account = await dashboard.server.createNamedAccount('jane-blocked');
  const { page, visit } = await dashboard.open(account);
  await page.addInitScript(`for (const area of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, area, { get() { throw new DOMException('', 'SecurityError') } })`);
  await page.reload();
  await page.getByRole('heading', { name: '@jane-blocked is yours' }).waitFor();
  await expectNoProblems(visit);
});

it('the step for operators stays until an operator screen opens, and is put off for that account only', async () => {
  const first = await createPublishedOperator('op-one');
  const { page } = await dashboard.open(first);
  const step = page.getByRole('region', { name: 'You are an operator' });
  await step.waitFor();
  await page.clock.install();
  await page.reload();
  // Idle browsers load screens that may come next.
  for (let second = 0; second < 30; second += 1) await page.clock.runFor(1_000);
  await page.reload();
  await step.waitFor();
  await page.goto(`${dashboard.base}/dashboard/operator/members`);
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await page.goto(`${dashboard.base}/dashboard/`);
  await page.getByRole('region', { name: 'Add a picture' }).waitFor();
  expect(await step.count()).toBe(0);
  await page.goto(await dashboard.createLoginLink(await createPublishedOperator('op-two')));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await step.waitFor();
});

async function createPublishedOperator(name: string): Promise<TestAccount> {
  const account = await dashboard.server.createNamedAccount(name);
  await makeOperator(dashboard.server, account);
  await account.client.site.toggleSiteVisibility();
  return account;
}
