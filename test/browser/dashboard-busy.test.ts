import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';
import { HOME_HEADING, setUpDashboard } from './support/dashboard.ts';
import {
  findAccessibilityViolations,
  measureHorizontalOverflow,
  visitUrl,
} from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);
const ASSETS = '**/dashboard/assets/';

/** Fails requests for these files, like an overloaded server or proxy. */
function rejectRequests(page: Page, files: string): Promise<unknown> {
  return page.route(ASSETS + files, (route) => route.fulfill({ status: 503, body: 'busy' }));
}

describe('when the server is too busy to send', () => {
  it.each(['dashboard-*.js', '*.css', '*'])(
    'the page says that %s could not load, and works after a retry, including the login link',
    async (files) => {
      const account = await dashboard.server.createAccount();
      const { page } = await visitUrl(dashboard.browser, 'about:blank');
      await rejectRequests(page, files);
      await page.goto(await dashboard.createLoginLink(account));
      if (files !== '*.css') {
        const message = page.getByText('The dashboard is taking long to load:');
        await message.waitFor();
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 700 });
          await expect.poll(() => measureHorizontalOverflow(page)).toBe(0);
          await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
        }
        const retryLink = page.getByRole('link', { name: 'Try again' });
        const reloaded = page.waitForEvent('load');
        await retryLink.click();
        await reloaded;
        await message.waitFor();
        await page.unroute(ASSETS + files);
        await retryLink.click();
        await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
        await expect.poll(() => message.count()).toBe(0);
        await page.goto('about:blank');
        await page.goto(await dashboard.createLoginLink(account));
      }
      // Without a style sheet the screen is plain but works.
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
    },
  );

  it('a screen whose code could not load says so and works after a retry', async () => {
    const account = await dashboard.server.createAccount();
    const { page } = await dashboard.open(account);
    await rejectRequests(page, 'account-*.js');
    // Without a reload, the preloaded file would be used.
    await page.reload();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText('Could not load this screen.').waitFor();
    await page.unroute(`${ASSETS}account-*.js`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
  });
});
