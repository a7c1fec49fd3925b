import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createOperator } from '../support/endpoints.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard, waitUntilDialogsRemoved } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

/** Opens the palette with the keyboard and types. */
async function searchPalette(page: Page, query: string) {
  await waitUntilDialogsRemoved(page);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search screens' });
  await field.fill(query);
  return field;
}

/** Text of the option in `aria-activedescendant`. */
function selectedOption(page: Page): Promise<string> {
  return page.evaluate(`document.getElementById(document.activeElement
    .getAttribute('aria-activedescendant')).innerText.trim()`);
}

describe('the palette', () => {
  it('opens screens, projects and keys after a few letters, with the keyboard only', async () => {
    const account = await dashboard.server.createAccount();
    const projectId = await dashboard.server.createProject(account, 'Pottery shop');
    const { page, requests } = await dashboard.open(account);
    expect(requests.filter((url) => url.includes('/palette'))).toEqual([]);
    await searchPalette(page, 'secu');
    await expect.poll(() => selectedOption(page)).toBe('Settings');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await searchPalette(page, 'shop pot alert');
    await page.getByRole('option', { name: 'Pottery shop' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/metrics/${projectId}`);
    await searchPalette(page, account.key.split('.')[0]!);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  });

  it('finds blocks by their text and opens their form, and lists recent commands first', async () => {
    const account = await dashboard.server.createAccount();
    await account.client.site.updateSiteConfiguration({
      blocks: [
        { type: 'heading', content: 'Workshops' },
        { type: 'text', content: '**Walks** by the north sea' },
        { type: 'image', url: 'https://example.com/pictures/n-o-r-t-h-sea' },
        { type: 'link', url: 'https://harbor.example/timetable' },
      ],
    });
    const { page } = await dashboard.open(account);
    await searchPalette(page, 'north sea');
    await expect.poll(() => selectedOption(page)).toBe('Walks by the north sea\nText');
    expect(await page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Page', level: 1 }).waitFor();
    const openRow = page.locator('.block', {
      has: page.getByRole('button', { name: 'Walks by the north sea', expanded: true }),
    });
    await openRow.waitFor();
    await searchPalette(page, 'inbox');
    await expect.poll(() => selectedOption(page)).toBe('Mail');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Mail', level: 1 }).waitFor();
    await searchPalette(page, '');
    const recent = page.getByRole('group', { name: 'Recent' });
    await expect
      .poll(() => recent.getByRole('option').allTextContents())
      .toEqual(['Mail', 'Walks by the north seaText']);
    await expect.poll(() => page.getByRole('option', { name: 'Workshops' }).count()).toBe(0);
    // A link without a title is listed by its kind, not by its address.
    await page.getByRole('combobox').fill('harbor');
    await expect.poll(() => selectedOption(page)).toBe('Link\nharbor.example/timetable');
  });

  it('finds members by name for operators, and highlights the match', async () => {
    const operator = await createOperator(dashboard.server);
    const member = await dashboard.server.createNamedAccount('freya-holm');
    await member.client.site.updateSiteConfiguration({ display_name: 'Freya Holm' });
    const { page } = await dashboard.open(operator, 'Members');
    // It may be opened before the browser knows whose account it is.
    const account = Promise.withResolvers<void>();
    await page.route('**/get-session', async (route) => {
      await account.promise;
      await route.continue();
    });
    await page.reload();
    await searchPalette(page, 'frey');
    await page.getByText('Nothing found for “frey”').waitFor();
    account.resolve();
    const found = page.getByRole('group', { name: 'Members' }).getByRole('option');
    await expect.poll(() => found.allTextContents()).toEqual(['Freya Holm@freya-holm']);
    expect(await found.locator('mark').allTextContents()).toEqual(['Frey']);
    await page.route('**/list-members**', async (route) => {
      await page.getByText('Searching…').waitFor();
      await route.fulfill({ status: 400, json: {} });
    });
    await page.getByRole('combobox').fill('freyx');
    await page.getByText('The server could not do this (error 400).').waitFor();
    // Before the next search, which may begin at once.
    await page.unroute('**/list-members**');
    await page.getByRole('combobox').fill('frey');
    await found.waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/operator/members/${member.id}`);
    const other = await dashboard.open(member);
    await searchPalette(other.page, 'frey');
    await other.page.getByText('Nothing found for “frey”').waitFor();
    expect(other.requests.filter((url) => url.includes('list-members'))).toEqual([]);
  });

  it('wraps around with the arrow keys, and says when there are no results', async () => {
    const { visit, page } = await dashboard.openNew('Activity');
    const field = await searchPalette(page, '');
    await expect.poll(() => selectedOption(page)).toBe('Home');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => selectedOption(page)).toBe('Connections');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => selectedOption(page)).toBe('Page');
    await field.fill('no such thing');
    await page.getByText('Nothing found for “no such thing”').waitFor();
    await page.keyboard.press('Enter');
    // Screens are found by the words that people use.
    for (const [query, option] of [
      ['unpublish', 'Home'],
      ['notify', 'Connections'],
      ['analytics', 'Visitors'],
      ['mail', 'Mail'],
    ] as const) {
      await field.fill(query);
      await expect.poll(() => selectedOption(page)).toBe(option);
    }
    // Its button opens it on a phone, and a tap opens a screen.
    await page.keyboard.press('Escape');
    await waitUntilDialogsRemoved(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('combobox').fill('mail');
    await expectNoProblems(visit);
    await page.getByRole('option', { name: 'Mail' }).click();
    await page.getByRole('heading', { name: 'Mail', level: 1 }).waitFor();
  });

  it('changes the colors of the dashboard, and does not open over a dialog', async () => {
    const { page } = await dashboard.openNew('Keys');
    const run = async (query: string) => {
      await searchPalette(page, query);
      await page.keyboard.press('Enter');
    };
    const readBackground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await readBackground();
    await run('dark');
    await expect.poll(readBackground).not.toBe(light);
    await page.reload();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await expect.poll(() => readBackground()).not.toBe(light);
    await run('system colors');
    await expect.poll(readBackground).toBe(light);
    expect(await page.evaluate('localStorage.getItem("nameplate-scheme")')).toBe(null);
    await page.getByRole('button', { name: 'Create key' }).click();
    const createDialog = page.getByRole('dialog', { name: 'Create key' });
    await createDialog.getByLabel('Name').waitFor();
    await page.keyboard.press('Control+k');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  });
});
