import { expect, it } from 'vitest';
import { findFreePort } from '../support/postgres-server.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';

const port = await findFreePort();
const [publicUrl, pagesUrl] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
const dashboard = setUpDashboard(
  () => startTestApp({ PUBLIC_URL: publicUrl, PAGES_URL: pagesUrl }),
  publicUrl,
);

it('a page on a separate host is named, shown as a QR code, previewed and visited from the dashboard', async () => {
  const account = await dashboard.server.createNamedAccount('jane-doe');
  await account.client.site.updateSiteConfiguration({
    display_name: 'Jane Doe',
    custom_theme: { font_family: 'Lora' },
  });
  await account.client.site.toggleSiteVisibility();
  const { page, requests, messages } = await dashboard.open(account);
  const url = `${pagesUrl}/@jane-doe`;

  await page.getByText('QR code', { exact: true }).click();
  await page.getByRole('img', { name: `QR code of ${url}` }).waitFor();
  const readQrCodeWidth = () =>
    page.evaluate<number>('document.querySelector(".qr img").naturalWidth');
  await expect.poll(readQrCodeWidth).toBeGreaterThan(0);
  await expect.poll(() => requests).toContain(`${url}/qr.svg`);
  const svg = page.getByRole('link', { name: 'Open as SVG' });
  expect(await svg.getAttribute('href')).toBe(`${url}/qr.svg`);

  await page.getByRole('link', { name: 'Page', exact: true }).click();
  const preview = page.frameLocator('.preview iframe.shown');
  await preview.getByRole('heading', { name: 'Jane Doe' }).waitFor();
  const fonts = '[...document.fonts].map(({ family, status }) => [family, status])';
  await expect
    .poll(() => preview.locator('body').evaluate(fonts))
    .toContainEqual(['Lora', 'loaded']);
  await expect.poll(() => requests).toContainEqual(expect.stringMatching(`^${publicUrl}/fonts/`));

  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(`^127.0.0.1:${port}/ ?@jane-doe$`) }).click();
  await page.getByRole('heading', { name: 'Jane Doe', level: 1 }).waitFor();
  await expect.poll(() => page.url()).toBe(url);
  expect(messages).toEqual([]);
});
