import type { Locator } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { respondWithHtml, type PageServer, startPageServer } from '../support/page-server.ts';
import { createImage } from '../support/pictures.ts';
import { startTestApp } from '../support/test-app.ts';
import { enterName, setUpDashboard } from './support/dashboard.ts';

const LINK_PAGE = `<meta property="og:title" content="Jane Doe | Linktree">
  <meta property="og:description" content="Potter in Lisbon.">
  <img class="avatar" src="https://pictures.example/jane.png">
  <a href="https://www.instagram.com/jane">Instagram</a>
  <a href="https://jane.bandcamp.com">Kiln songs</a>
  <a href="https://shop.example/">My shop</a>`;

let pageServer: PageServer;
let pageFetcher: ReturnType<PageServer['createFetcher']>;
const dashboard = setUpDashboard(async () => {
  pageServer = await startPageServer({ '/jane': respondWithHtml(LINK_PAGE) });
  pageFetcher = pageServer.createFetcher();
  return startTestApp({ pageFetcher });
});
afterAll(async () => {
  await pageFetcher.close();
  await pageServer.close();
});

it('a new owner publishes a page with a link in 5 clicks after the login', async () => {
  const { page, messages } = await dashboard.open(await dashboard.server.createAccount());
  let clicks = 0;
  const click = async (locator: Locator) => {
    clicks += 1;
    await locator.click();
  };
  await click(page.getByLabel('Name'));
  await enterName(page, 'jane-first');
  await page.getByText('Your name is now jane-first.').waitFor();
  await click(page.getByRole('link', { name: 'Page', exact: true }));
  await click(page.getByRole('button', { name: 'Add block', exact: true }));
  await click(page.getByRole('button', { name: /^Link/ }));
  await page.getByLabel('Address').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('instagram.com/jane');
  await click(page.getByRole('button', { name: 'Publish page' }));
  await page.getByRole('dialog', { name: 'Your page is live' }).waitFor();
  await page.goto(`${dashboard.base}/@jane-first`);
  await page.getByRole('link', { name: 'Instagram' }).waitFor();
  expect(clicks).toBe(5);
  expect(messages).toEqual([]);
});

it('a new owner publishes an imported page with a photo in 13 taps', async () => {
  const visit = await dashboard.open(await dashboard.server.createAccount());
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 844 });
  let taps = 0;
  const tap = async (locator: Locator) => {
    taps += 1;
    await locator.click();
  };

  await tap(page.getByLabel('Name'));
  await enterName(page, 'jane-doe');
  await page.getByText('Your name is now jane-doe.').waitFor();
  await tap(page.getByRole('link', { name: 'Page', exact: true }));
  await tap(page.getByRole('button', { name: 'Import from another page' }));
  const dialog = page.getByRole('dialog', { name: 'Import from another page' });
  await tap(dialog.getByLabel('Address of your page'));
  await page.keyboard.type(`${pageServer.host}/jane`);
  await tap(dialog.getByRole('button', { name: 'Find links' }));
  await tap(dialog.getByRole('checkbox', { name: /Picture/ }));
  await tap(dialog.getByRole('button', { name: /^Add 5 / }));

  await tap(page.getByRole('button', { name: 'Profile: name, picture, bio, location' }));
  const chooser = page.waitForEvent('filechooser');
  await tap(page.getByRole('button', { name: 'Choose picture' }));
  const photo = createImage({ width: 4_000, height: 3_000, color: '#c0392b' });
  const buffer = await photo.withMetadata({ orientation: 6 }).jpeg().toBuffer();
  await (await chooser).setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Use picture' }));
  await page.getByRole('button', { name: 'Replace' }).waitFor();

  await tap(page.getByText('Design', { exact: true }));
  await tap(page.getByRole('radio', { name: 'Ember' }));
  await tap(page.getByRole('button', { name: 'Publish page' }));
  await page.getByRole('dialog', { name: 'Your page is live' }).waitFor();
  await page.goto(`${dashboard.base}/@jane-doe`);
  await page.getByRole('heading', { name: 'Jane Doe', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Kiln songs' }).waitFor();
  const readAvatarWidth = () =>
    page.evaluate<number>('document.querySelector("img.avatar").naturalWidth');
  await expect.poll(readAvatarWidth).toBeGreaterThan(0);
  expect(taps).toBe(13);
  expect(visit.messages).toEqual([]);
});
