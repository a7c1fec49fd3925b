import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { hostileText, createCrowdedAccount } from './support/crowded-account.ts';
import { expectNoProblems } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

const CALLS = /\/(?:owner|site|stats|account)\/[\w/-]+(?:\?.*)?$/;
const FORWARDING = '**/owner/forwarding/get-forwarding';
/** Browser messages about error responses. */
const FAILED = /^Failed to load resource: (?:the server responded with a status of 500|net::ERR_)/;

/** A state of a screen, and how to get there. */
interface State {
  what: string;
  account: () => Promise<{ account: TestAccount; projectId: string }>;
  prepare?: (page: Page) => Promise<unknown>;
  /** Checks what the screen shows in this state. */
  isThere?: (page: Page) => Promise<unknown>;
}

async function createNewAccount() {
  const account = await dashboard.server.createAccount();
  return { account, projectId: await dashboard.server.createProject(account) };
}

const STATES: State[] = [
  { what: 'with nothing in it', account: createNewAccount },
  {
    what: 'while it loads',
    account: createNewAccount,
    // Requests stay pending until the browser is closed.
    prepare: (page) => page.route(CALLS, () => {}),
    isThere: (page) => page.getByText('Loading…').first().waitFor(),
  },
  {
    what: 'when all it asks fails, with a sentence without an end',
    account: createNewAccount,
    prepare: (page) =>
      page.route(CALLS, (route) =>
        route.fulfill({
          status: 500,
          json: { error: `${hostileText(600)} ${'word '.repeat(100)}` },
        }),
      ),
    isThere: (page) => page.getByRole('button', { name: 'Try again' }).first().waitFor(),
  },
  {
    what: 'with as much as fits, all of it hostile',
    account: () => createCrowdedAccount(dashboard.server),
    prepare: (page) =>
      page.route(FORWARDING, async (route) => {
        const answer = await route.fetch();
        const json = {
          ...((await answer.json()) as object),
          enabled: true,
          email: `${'a'.repeat(64)}@${'b'.repeat(63)}.example`,
          known: `${'c'.repeat(64)}@${'d'.repeat(63)}.example`,
          stage: 'waiting',
          attempts: 3,
          last_error: hostileText(2_000),
          next_try_at: new Date(Date.now() + 3_600_000).toISOString(),
        };
        await route.fulfill({ json });
      }),
  },
];

/** Addresses of all screens in the navigation and of one project. */
async function addresses(page: Page, projectId: string): Promise<string[]> {
  await page.getByRole('navigation').getByRole('link', { name: 'Security' }).waitFor();
  const links = await page.getByRole('navigation').getByRole('link').all();
  const found = await Promise.all(links.map((link) => link.getAttribute('href')));
  return [...found.map(String), `/dashboard/metrics/${projectId}`];
}

describe('every screen is accessible in every state and size', () => {
  it.each(STATES)('$what', async ({ account: make, prepare, isThere }) => {
    const { account, projectId } = await make();
    const opened = await dashboard.open(account);
    const { page, messages, requests } = opened;
    const all = await addresses(page, projectId);
    expect(all.length).toBeGreaterThan(9);
    await prepare?.(page);
    for (const address of all) {
      await page.goto(dashboard.base + address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The form for chat messages loads nothing.
      if (isThere && !address.endsWith('/chat')) await isThere(page);
      else await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
      await page.evaluate(
        `for (const part of document.querySelectorAll('details')) part.open = true;
        Promise.all(document.getAnimations()
          .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
          .map(({ finished }) => finished))`,
      );
      const quiet = messages.filter((text) => !FAILED.test(text));
      // The preview loads the pictures that the owner chose.
      const own = requests.filter((url) => !url.startsWith('https://example.com/'));
      await expectNoProblems({ ...opened, messages: quiet, requests: own }).catch(
        (cause: unknown) => {
          throw new Error(`At ${address}`, { cause });
        },
      );
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
