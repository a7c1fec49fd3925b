import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { logIn } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';
import { sharedChromium } from './support/chromium.ts';

let base: string;
let browser: Browser;
let page: Page;
const externalUrls: string[] = [];
const consoleErrors: string[] = [];

const runShell = async (command: string) =>
  (await promisify(execFile)('sh', ['-c', command.replaceAll('curl ', 'curl -s ')])).stdout;

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
  await page.goto(`${base}/docs/reference/`);
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
  await page.goto(`${base}/docs/reference/`);
  await page.getByRole('heading', { name: 'Nameplate', exact: true }).waitFor();
  const readStyles = () =>
    page.evaluate<string[]>(`(() => {
      const sidebar = document.querySelector('aside');
      return [document.querySelector('.logo').textContent, getComputedStyle(document.querySelector('h1')).fontFamily, getComputedStyle(sidebar).backgroundColor];
    })()`);
  await expect
    .poll(readStyles)
    .toEqual(['Nameplate', expect.stringMatching(/^Inter\b/), 'rgb(246, 245, 241)']);
  await expect.poll(() => page.evaluate('document.fonts.check("16px Inter")')).toBe(true);
});

it('the API reference also shows the owner’s endpoints', async () => {
  await page.goto(`${base}/docs/reference/`);
  await page.getByRole('button', { name: 'API', exact: true }).first().click();
  await page.getByText('For owners', { exact: true }).first().click();
  await page.getByRole('heading', { name: 'Nameplate for owners', exact: true }).waitFor();
});

it('the API reference calls an endpoint with the entered key and without cookies', async () => {
  const { cookie } = (await logIn(server, account.id)) as { cookie: string };
  const [name, value] = cookie.split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: base, sameSite: 'Strict' }]);
  await page.goto(`${base}/docs/reference/`);
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
  await page.goto(`${base}/docs/reference/#api/tag/site/POST/site/toggle-site-visibility`);
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

describe('the first screen of /docs', () => {
  const field = () => page.getByLabel('Your key');
  const answer = () => page.getByRole('status');

  it('makes the call with the pasted key and shows the answer', async () => {
    await page.goto(`${base}/docs/`);
    await field().fill(`  ${account.key}\n`);
    const sent = page.waitForRequest(`${base}/account/get-display-name`);
    await page.getByRole('button', { name: 'Run it' }).click();
    const headers = await (await sent).allHeaders();
    expect(headers).toMatchObject({ 'x-api-key': account.key });
    expect(headers).not.toHaveProperty('cookie');
    await answer().getByText('"display_name": "jane-doe"').waitFor();
    await answer()
      .getByText(/^200 · \d+ ms$/)
      .waitFor();
  });

  it('copies commands with the key, but shows only its id', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${base}/docs/`);
    const copy = async () => {
      await page
        .getByRole('button', { name: /^Cop(?:y|ied)$/ })
        .first()
        .click();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const command = (key: string) =>
      `curl ${base.replace('127.0.0.1', 'localhost')}/account/get-display-name \\\n  -H "X-API-KEY: ${key}"`;
    expect(await copy()).toBe(command('np_your.key'));
    await field().fill(account.key);
    expect(await copy()).toBe(command(account.key));
    expect(await page.locator('main').textContent()).not.toContain(account.key.split('.')[1]);
  });

  it('shows why a key was refused, and sends nothing for other text', async () => {
    await page.goto(`${base}/docs/`);
    await field().fill('my password');
    await answer().getByText('This is not a whole key.').waitFor();
    await page.getByRole('button', { name: 'Run it' }).click();
    await field().fill(`np_${'a'.repeat(16)}.${'b'.repeat(38)}`);
    await page.getByRole('button', { name: 'Run it' }).click();
    await answer().getByText('Refused. The response says why.').waitFor();
    await answer().getByText(/^401/).waitFor();
    await answer().getByText('"error": "The API key is missing or not valid').waitFor();
    consoleErrors.splice(0);
  });

  it('says when the server does not respond', async () => {
    await page.goto(`${base}/docs/`);
    await field().fill(account.key);
    await page.route('**/account/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Run it' }).click();
    await answer().getByText('No response.').waitFor();
    await page.unroute('**/account/**');
    consoleErrors.splice(0);
  });

  it('keeps the key only in the field', async () => {
    await page.goto(`${base}/docs/`);
    await field().fill(account.key);
    await field().press('Enter');
    await answer().getByText('jane-doe').waitFor();
    expect(page.url()).toBe(`${base}/docs/`);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    await page.reload();
    expect(await field().inputValue()).toBe('');
  });

  it('has recipes that work in a shell', async () => {
    await page.goto(`${base}/docs/`);
    await field().fill(account.key);
    const id = await server.createProject(account);
    const commands = await page.locator('.recipe code').allTextContents();
    const outputs = commands.map((command) =>
      command
        .replaceAll(`${account.key.split('.')[0]}.…`, account.key)
        .replace('your-project-id', id),
    );
    expect(await Promise.all(outputs.map(runShell))).toEqual([
      '{"success":true}',
      '{"message":"The metric was ingested."}',
      expect.stringMatching(/^\{"days":\[/),
    ]);
    const { blocks } = await account.client.site.getSiteConfiguration();
    expect(blocks).toMatchObject([{ type: 'link', title: 'My shop' }]);
  });

  it('leads to the reference of an endpoint and of the owner API', async () => {
    await page.goto(`${base}/docs/`);
    await page.getByRole('link', { name: /update-site-configuration/ }).click();
    await page.getByRole('heading', { name: 'Change the site configuration' }).waitFor();
    await page.getByRole('link', { name: 'Your first call' }).click();
    await page.getByRole('link', { name: 'For owners' }).click();
    await page.getByRole('heading', { name: 'Nameplate for owners', exact: true }).waitFor();
  });
});

it('the API reference sends no request to other hosts, violates no policy and misses no file', () => {
  expect(externalUrls).toEqual([]);
  expect(consoleErrors).toEqual([]);
});
