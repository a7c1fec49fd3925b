import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { LOGO_URL } from '#server/http/responses/brand.ts';
import { logIn } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';
import { sharedChromium } from './support/chromium.ts';

let base: string;
let browser: Browser;
let page: Page;
const externalUrls: string[] = [];
const consoleErrors: string[] = [];

const { server, account } = useServer({ account: true });
beforeAll(async () => {
  await account.client.account.updateDisplayName({ display_name: 'jane-doe' });
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  browser = await sharedChromium();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${base}/`) && !/^(?:data|blob):/.test(url)) externalUrls.push(url);
  });
  page.on('pageerror', (error) => consoleErrors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
});
afterAll(async () => {
  await page.close();
});

it('the API reference shows every endpoint', async () => {
  await page.goto(`${base}/docs`);
  await page.getByRole('heading', { name: 'Nameplate', exact: true }).waitFor();
  for (const area of ['Account', 'Site', 'Email forwarding', 'Stats', 'Hooks'])
    await expect
      .poll(() => page.getByRole('link', { name: area, exact: true }).count())
      .toBeGreaterThan(0);
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
  await expect
    .poll(() => page.locator('[aria-pressed]:visible').filter({ hasNotText: /./ }).count())
    .toBe(0);
});

it('the API reference has the product’s logo, font and colors', async () => {
  await page.goto(`${base}/docs/`);
  await page.getByRole('heading', { name: 'Nameplate', exact: true }).waitFor();
  const styles = () =>
    page.evaluate<string[]>(`(() => {
      const sidebar = document.querySelector('aside');
      const logo = getComputedStyle(sidebar, '::before');
      return [logo.content + logo.backgroundImage, getComputedStyle(document.querySelector('h1')).fontFamily, getComputedStyle(sidebar).backgroundColor];
    })()`);
  await expect
    .poll(styles)
    .toEqual([
      expect.stringContaining(`"Nameplate"url("${LOGO_URL}")`),
      expect.stringMatching(/^Inter\b/),
      'rgb(246, 245, 241)',
    ]);
  await expect.poll(() => page.evaluate('document.fonts.check("16px Inter")')).toBe(true);
});

it('the API reference also shows the owner’s endpoints', async () => {
  await page.goto(`${base}/docs/`);
  await page.getByRole('button', { name: 'API', exact: true }).first().click();
  await page.getByText('For owners', { exact: true }).first().click();
  await page.getByRole('heading', { name: 'Nameplate for owners', exact: true }).waitFor();
});

it('the API reference calls an endpoint with the entered key and without cookies', async () => {
  const { cookie } = (await logIn(server, account.id)) as { cookie: string };
  const [name, value] = cookie.split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: base, sameSite: 'Strict' }]);
  await page.goto(`${base}/docs`);
  await page.getByPlaceholder('np_your.key').first().fill(account.key);
  await page
    .getByRole('button', { name: /Test Request.*get-display-name/ })
    .first()
    .click();
  const responded = page.waitForResponse(`${base}/account/get-display-name`);
  await page.getByRole('button', { name: /^Send/ }).first().click();
  const response = await responded;
  expect(await response.request().allHeaders()).not.toHaveProperty('cookie');
  expect(response.status()).toBe(200);
  expect(await response.json()).toEqual({ display_name: 'jane-doe' });
  await page.getByText('jane-doe').first().waitFor();
});

it('the API reference sends every write, without an Idempotency-Key of its own', async () => {
  await page.goto(`${base}/docs/#api/tag/site/POST/site/toggle-site-visibility`);
  await page.reload();
  await page.getByPlaceholder('np_your.key').first().fill(account.key);
  await page
    .getByRole('button', { name: /Test Request.*toggle-site-visibility/ })
    .first()
    .click();
  for (const newStatus of [true, false]) {
    const responded = page.waitForResponse(`${base}/site/toggle-site-visibility`);
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect(await (await responded).json()).toEqual({ success: true, newStatus });
  }
});

it('the API reference sends no request to other hosts, violates no policy and misses no file', () => {
  expect(externalUrls).toEqual([]);
  expect(consoleErrors).toEqual([]);
});
