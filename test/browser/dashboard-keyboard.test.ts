import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';
import { tryDashboard } from './support/dashboard.ts';
import { visit } from './support/visit.ts';

const tried = tryDashboard(startTestApp);

/** What has the focus: what it is called, or what is in it. */
const FOCUSED = `(({ activeElement: at }) => at.getAttribute('aria-label')
  ?? at.labels?.[0]?.textContent ?? at.innerText)(document).trim()`;

/** Goes on by the tab key until something of a name has the focus, which one sees. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(FOCUSED)) !== name) continue;
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect([name, outline]).toEqual([name, 'solid']);
    return;
  }
  throw new Error(`The tab key does not lead to ${name}.`);
}

it('everything is reached, seen and done by the keyboard: signing in, a name, a page, a key, a question, a plot', async () => {
  const account = await tried.server.createAccount();
  const projectId = await tried.server.createProject(account);
  await account.client.stats.ingestMetrics({ projectId, payload: { visitors: 42 } });
  const { page, said } = await visit(tried.browser, await tried.linkFor(account));
  const { keyboard } = page;
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  await tabTo(page, 'Sign in');
  await keyboard.press('Enter');
  await heading('Overview');
  await page.getByLabel('Name').waitFor();
  await tabTo(page, 'Name');
  await keyboard.type('Jane Keys\n');
  await page.getByRole('switch', { name: 'Hidden' }).waitFor();
  await tabTo(page, 'Hidden');
  await keyboard.press('Space');
  await page.getByRole('switch', { name: 'Visible' }).waitFor();

  await page.reload();
  await page.getByRole('switch', { name: 'Visible' }).waitFor();
  await tabTo(page, 'Skip to the content');
  await keyboard.press('Enter');
  await tabTo(page, '127.0.0.1:' + new URL(tried.base).port + '/@jane-keys');
  await page.reload();
  await page.getByRole('switch', { name: 'Visible' }).waitFor();
  await tabTo(page, 'Keys');
  await keyboard.press('Enter');
  await heading('Keys');
  await page.getByLabel('What it is for').waitFor();
  // The link that was followed is called the same.
  expect(await page.evaluate('document.activeElement.outerHTML')).toMatch(/^<h1\b.*>Keys</);
  await tabTo(page, 'What it is for');
  await keyboard.type('status page');
  await tabTo(page, 'Make key');
  await keyboard.press('Enter');
  await page.locator('.secret').waitFor();
  expect(await page.evaluate(FOCUSED)).toBe('Copy your new key now');
  await tabTo(page, 'Revoke status page');
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Revoke status page?' });
  await dialog.waitFor();
  await keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.evaluate(FOCUSED)).toBe('Revoke status page');
  await keyboard.press('Enter');
  await tabTo(page, 'Revoke');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Revoke status page' }).waitFor({ state: 'detached' });

  await page.goto(`${tried.base}/dashboard/metrics/${projectId}`);
  await page.locator('.chart canvas').waitFor();
  await tabTo(page, 'Plot; the arrow keys go from point to point');
  await keyboard.press('End');
  await page.getByText(/: Now 1$/).waitFor();
  await tabTo(page, 'Put on my page');
  await keyboard.press('Enter');
  await page.getByText('It is on your page').waitFor();
  const { blocks } = await account.client.site.getSiteConfiguration();
  expect(blocks).toMatchObject([{ type: 'metric', project: projectId }]);
  expect(said).toEqual([]);
});
