import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { respondWithHtml, type PageServer, startPageServer } from '../support/page-server.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { openProfile, waitForSaveState } from './support/editor.ts';
import { expectNoProblems, FAILED_REQUEST, measureHorizontalOverflow } from './support/visit.ts';

const LINK_PAGE = `<meta property="og:title" content="Jane Doe | Linktree">
  <meta property="og:description" content="Potter in Lisbon.">
  <img class="avatar" src="https://pictures.example/jane.png">
  <a class="button" href="https://example.com/shop?a=1&amp;b=2"><img src=x onerror=alert(1)>My <b>shop</b></a>
  <a href="https://example.com/old">Old</a><a href="javascript:alert(1)">No</a>
  <a href="mailto:jane@example.com">Mail</a>`;

let pageServer: PageServer;
let pageFetcher: ReturnType<PageServer['createFetcher']>;
const dashboard = setUpDashboard(async () => {
  pageServer = await startPageServer({
    '/jane': respondWithHtml(LINK_PAGE),
    '/empty': respondWithHtml('<p>Hello'),
  });
  pageFetcher = pageServer.createFetcher();
  return startTestApp({ pageFetcher });
});
afterAll(async () => {
  await pageFetcher.close();
  await pageServer.close();
});

const PHONE = { width: 390, height: 844 };
const savePage = async (page: Page) => {
  await page.keyboard.press('Control+s');
  await waitForSaveState(page, 'Saved');
};

async function openPage() {
  const account = await dashboard.server.createAccount();
  const visit = await dashboard.open(account, 'Page');
  await visit.page.setViewportSize(PHONE);
  return { account, visit, page: visit.page };
}

describe('an empty page', () => {
  it('is filled from a template, customized, saved, and replaced by another template', async () => {
    const { account, visit, page } = await openPage();
    const startSection = page.getByRole('region', { name: 'How would you like to begin?' });
    await startSection.getByRole('listitem').nth(7).waitFor();
    // Thumbnails are real pages and load one by one.
    await startSection.locator('.thumb iframe.shown').first().waitFor();
    const dialog = page.getByRole('dialog', { name: 'Start from a template' });
    await expect.poll(() => measureHorizontalOverflow(page)).toBe(0);
    await expectNoProblems(visit);
    await startSection.getByRole('button', { name: 'Writer' }).click();
    await startSection.waitFor({ state: 'detached' });
    await openProfile(page);
    await page.getByLabel('Name', { exact: true }).fill('Jane Doe');
    await savePage(page);
    const { site, blocks } = await account.client.site.getSiteConfiguration();
    expect(site).toMatchObject({ display_name: 'Jane Doe', themes: { name: 'Paper' } });
    expect(blocks).toContainEqual(expect.objectContaining({ title: 'The first chapter' }));

    await page.getByRole('button', { name: 'Templates' }).click();
    await dialog.getByRole('button', { name: 'Podcast' }).click();
    const confirmDialog = page.getByRole('dialog', { name: /^Replace your blocks/ });
    await confirmDialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Podcast' }).click();
    await confirmDialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The bench that started a war').first().waitFor();
    await page.locator('.message').getByRole('button', { name: 'Undo' }).click();
    await waitForSaveState(page, 'Saved');
    expect(visit.messages).toEqual([]);
  });

  it('is filled with selected content of another page, by its URL', async () => {
    const { account, visit, page } = await openPage();
    await page.getByRole('button', { name: 'Import from another page' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import from another page' });
    const urlField = dialog.getByLabel('Address of your page');
    const findButton = dialog.getByRole('button', { name: 'Find links' });
    visit.ignoredMessages.push(FAILED_REQUEST);
    await urlField.fill('example.com/jane');
    await findButton.click();
    await dialog.getByText('This service is not supported.').waitFor();
    await urlField.fill(`${pageServer.host}/empty`);
    await findButton.click();
    await dialog.getByText('We found nothing to import on this page.').waitFor();
    await urlField.fill(`${pageServer.host}/jane`);
    await findButton.click();
    await dialog.getByText('Visitors load it from pictures.example').waitFor();
    await dialog.getByText('My shop').waitFor();
    await expect.poll(() => dialog.getByText('javascript').count()).toBe(0);
    await expect.poll(() => measureHorizontalOverflow(page)).toBe(0);
    await expectNoProblems(visit);
    expect((await account.client.site.getSiteConfiguration()).blocks).toEqual([]);
    await dialog.getByRole('checkbox', { name: /Old/ }).uncheck();
    await dialog.getByRole('checkbox', { name: /Picture/ }).uncheck();
    await dialog.getByRole('button', { name: 'Add 4 to my page' }).click();
    await dialog.waitFor({ state: 'detached' });
    await savePage(page);
    const { site, blocks } = await account.client.site.getSiteConfiguration();
    expect(site).toMatchObject({
      display_name: 'Jane Doe',
      bio: 'Potter in Lisbon.',
      avatar_url: null,
    });
    expect(
      blocks.map((block) => block.type === 'link' && [block.type, block.title, block.url]),
    ).toEqual([
      ['link', 'My shop', 'https://example.com/shop?a=1&b=2'],
      ['link', 'Mail', 'mailto:jane@example.com'],
    ]);
    expect(visit.messages).toEqual([]);
  });
});

it('a page is filled from pasted HTML if the URL does not work, and content is replaced only after a confirmation', async () => {
  const { account, visit, page } = await openPage();
  await account.client.site.updateSiteConfiguration({
    display_name: 'Ines',
    blocks: [{ type: 'text', content: 'Hello.' }],
  });
  await page.reload();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import from another page' });
  await dialog.getByRole('button', { name: /source instead/ }).click();
  await dialog.getByLabel('Page source').fill(`${LINK_PAGE}\0`);
  await dialog.getByRole('button', { name: 'Find links' }).click();
  const title = dialog.getByRole('checkbox', { name: /Title/ });
  await dialog.getByText('Replaces “Ines”').waitFor();
  await expect.poll(() => title.isChecked()).toBe(false);
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: /^Add 5 / }).click();
  await savePage(page);
  const { site, blocks } = await account.client.site.getSiteConfiguration();
  expect(site).toMatchObject({ display_name: 'Ines', bio: 'Potter in Lisbon.' });
  expect(blocks.map(({ type }) => type)).toEqual(['text', 'link', 'link', 'link']);
});
