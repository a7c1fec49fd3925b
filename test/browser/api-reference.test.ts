import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createImage } from '../support/pictures.ts';
import { useServer } from '../support/use-server.ts';
import { sharedChromium } from './support/chromium.ts';
import { findAccessibilityViolations } from './support/visit.ts';

let base: string;
let browser: Browser;
let page: Page;
const externalUrls: string[] = [];
const consoleErrors: string[] = [];

const run = async (file: string, args: string[]) =>
  (
    await promisify(execFile)(file, args, {
      env: { ...process.env, NAMEPLATE_API_KEY: account.key },
    })
  ).stdout;

const { server, account } = useServer({ account: true });
beforeAll(async () => {
  await account.client.account.updateDisplayName({ display_name: 'jane-doe' });
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  browser = await sharedChromium();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
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
  await page.context().close();
});

it.each([
  ['/docs/', '/docs/', 'API reference', 'update-site-configuration'],
  ['/docs/owner/', '/docs/owner/keys', 'API reference for owners', 'create-key'],
])(
  '%s shows every operation, and %s fields, errors and samples',
  async (path, area, title, operation) => {
    await page.goto(`${base}${path}`);
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    const file = path === '/docs/' ? '/openapi.json' : '/owner/openapi.json';
    expect(await page.locator('*').count()).toBeLessThan(12_000);
    const { paths } = (await (await fetch(`${base}${file}`)).json()) as {
      paths: Record<string, object>;
    };
    const shown = await page.locator('.operation > summary code').allTextContents();
    const expected = Object.entries(paths).flatMap(([key, methods]) =>
      Object.keys(methods).map(() => key),
    );
    expect(shown.toSorted()).toEqual(expected.toSorted());
    await page.goto(`${base}${area}`);
    const details = page.locator('.operation', { hasText: `/${operation}` }).first();
    expect(await details.textContent()).toMatch(/Body.*characters.*Response 20\d.*Errors/s);
    expect(await details.textContent()).toContain('curl');
    const broken = await page.evaluate<string[]>(
      `[...document.querySelectorAll('a[href^="#"]')].map((a) => a.hash.slice(1)).filter((id) => !document.getElementById(id))`,
    );
    expect(broken).toEqual([]);
  },
);

it('the explanation of an error is the target of its link, and its endpoints are in the reference', async () => {
  await page.goto(`${base}/docs/errors#displayNameTaken`);
  const entry = page.locator('.codes > [open]');
  await entry.getByText('409').waitFor();
  const { height } = (await page.locator('.codes').boundingBox())!;
  expect(height).toBeLessThan(20_000);
  await entry.getByText('Another account has this name.').waitFor();
  await entry.getByText(/^\d+ endpoints$/).click();
  await entry.getByRole('link', { name: '/account/update-display-name' }).click();
  await page.locator('.operation[open]', { hasText: 'update-display-name' }).waitFor();
});

it('an operation that a link to the whole owner API names leads to its fields', async () => {
  await page.goto(`${base}/docs/owner/#createKey`);
  await page
    .locator('.operation[open]')
    .getByRole('link', { name: /^Fields/ })
    .click();
  await page.waitForURL(`${base}/docs/owner/keys#createKey`);
  await page.locator('.operation[open]').getByText('expires_at', { exact: true }).first().waitFor();
});

it('the list is filtered by label, path, status, fields and codes, and says if nothing is left', async () => {
  const entries = page.locator('nav.contents [href^="#"]:visible');
  for (const [path, text, expected] of [
    ['/docs/', 'post newstatus', ['Toggle the visibility']],
    ['/docs/', 'metricLimitReached', ['Submit a metric']],
    ['/docs/owner/', 'expires_at label', ['Create a key']],
    ['/docs/', 'fingerprint that opens', ['KeyBlock', 'KeyBlockUpdate']],
    ['/docs/', 'nothing like it', []],
    ['/docs/errors', '401 apikeyrev', ['apiKeyRevoked']],
  ] as const) {
    await page.goto(base + path);
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await expect.poll(() => entries.allTextContents()).toEqual(expected);
    const none = page.locator('nav').getByText('Nothing has all of these words.');
    expect(await none.isVisible()).toBe(expected.length === 0);
    await page.keyboard.press('Escape');
    await expect.poll(() => entries.count()).toBeGreaterThan(10);
  }
});

it('an operation is marked and in view after a link, and after opening it closes a long one above', async () => {
  await page.goto(`${base}/docs/#updateSiteConfiguration`);
  const opened = page.locator('.operation[open] > summary');
  await expect.poll(async () => (await opened.boundingBox())!.y).toBeLessThan(100);
  const hiddenHeight = () =>
    page.evaluate(
      `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.operation[open] pre'))`,
    );
  expect(await hiddenHeight()).toBeGreaterThan(0);
  await page.locator('.operation[open]').getByRole('button', { name: 'Show all lines' }).click();
  expect(await hiddenHeight()).toBe(0);
  const summary = page.locator('summary', { hasText: '/site/toggle-site-visibility' });
  await summary.click();
  await page.locator('.operation[open]', { has: summary }).waitFor();
  await expect.poll(async () => (await summary.boundingBox())!.y).toBeGreaterThanOrEqual(0);
  await page.locator('nav a[aria-current="location"]', { hasText: 'Toggle' }).waitFor();
});

it('without a script, a link opens an operation, and tabs work', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const scriptless = await context.newPage();
  await scriptless.goto(`${base}/docs/reference/#getSiteStatus`);
  expect(scriptless.url()).toBe(`${base}/docs/#getSiteStatus`);
  const opened = scriptless.locator('.operation[open]');
  await opened.getByText('/site/get-site-status', { exact: true }).waitFor();
  await opened.getByText('Scope: read.').waitFor();
  await scriptless.locator('summary', { hasText: '/site/toggle-site-visibility' }).click();
  await opened.getByText('/site/toggle-site-visibility', { exact: true }).waitFor();
  await opened.getByText('curl \\').waitFor();
  await opened.getByText('Go', { exact: true }).click();
  await opened.getByText('package main').waitFor();
  expect(await opened.getByText('curl \\').isVisible()).toBe(false);
  expect(await scriptless.getByLabel('Your key').isVisible()).toBe(false);
  await context.close();
});

it('the request that is shown can be copied, and works in a shell and in Python', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${base}/docs/#updateSiteConfiguration`);
  const request = page.locator('.operation[open]').getByRole('group', { name: 'Request' });
  const copy = async (tab: string) => {
    await request.getByText(tab, { exact: true }).click();
    await request.getByRole('button', { name: /^Cop(?:y|ied)$/ }).click();
    return page.evaluate<string>('navigator.clipboard.readText()');
  };
  const command = await copy('curl');
  expect(await run('sh', ['-c', command.replace('curl', 'curl -s')])).toBe('{"success":true}');
  const { blocks } = await account.client.site.getSiteConfiguration();
  expect(blocks).toMatchObject([{ content: 'Hello!' }]);
  expect(await copy('Go')).toContain('http.NewRequest("POST", "http://');
  expect(await copy('TypeScript')).toContain('client.site.updateSiteConfiguration({\n  bio:');
  const program = await copy('Python');
  expect(await run('python3', ['-c', program])).toBe("{'success': True}\n");
  const refused = program.replace('site-configuration', 'nothing');
  expect(await run('python3', ['-c', refused])).toMatch(/^404 \w+ \{"error":/);
  expect(await request.locator('i', { hasText: 'Potter in Lisbon.' }).count()).toBe(4);
  expect(await request.getByText('import urllib.request').isVisible()).toBe(true);
  expect(await findAccessibilityViolations(page)).toEqual([]);
});

const field = () => page.getByLabel('Your key');
const answer = () => page.getByRole('status');

it('the first call makes the call with the pasted key, and shows the answer', async () => {
  await page.goto(`${base}/docs/`);
  await field().fill(`  ${account.key}\n`);
  const sent = page.waitForRequest(`${base}/account/get-display-name`);
  await page.getByRole('button', { name: 'Run it' }).click();
  const headers = await (await sent).allHeaders();
  expect(headers).toMatchObject({ 'x-api-key': account.key });
  expect(headers).not.toHaveProperty('cookie');
  await answer().getByText('"display_name": "jane-doe"').filter({ visible: true }).waitFor();
  await answer()
    .getByText(/^200 · \d+ ms$/)
    .waitFor();
  expect(page.url()).toBe(`${base}/docs/`);
});

it('a key stays in its tab, for all pages of the reference, and nowhere else', async () => {
  await page.goto(`${base}/docs/`);
  await field().fill(account.key);
  await page.goto(`${base}/docs/owner/keys#listKeys`);
  expect(await field().inputValue()).toBe(account.key);
  await page.locator('#listKeys').getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('#listKeys').getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('#listKeys').getByRole('status').getByText('"keys"').waitFor();
  expect(await page.evaluate('localStorage.length')).toBe(0);
  expect(await page.context().cookies()).toEqual([]);
  const otherTab = await page.context().newPage();
  await otherTab.goto(`${base}/docs/`);
  expect(await otherTab.getByLabel('Your key').inputValue()).toBe('');
  await otherTab.close();
  await field().fill('');
  await page.reload();
  expect(await field().inputValue()).toBe('');
});

it('an upload sends the chosen file', async () => {
  await page.goto(`${base}/docs/owner/pictures#uploadPicture`);
  await field().fill(account.key);
  const opened = page.locator('#uploadPicture');
  await opened.getByRole('button', { name: 'Run', exact: true }).click();
  const buffer = await createImage().png().toBuffer();
  await opened.getByLabel('File').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await opened.getByRole('button', { name: 'Send – this changes your account' }).click();
  await opened.getByRole('status').getByText('"picture"').waitFor();
  expect((await account.owner.pictures.listPictures()).pictures).toHaveLength(1);
  await field().fill('');
});

it('every operation can be run with the key, and shows first what it sends', async () => {
  await page.goto(`${base}/docs/#updateSiteConfiguration`);
  const opened = page.locator('#updateSiteConfiguration');
  await opened.getByRole('button', { name: 'Run', exact: true }).click();
  await opened.getByLabel('Body').fill('{ "mood": "🌊" }');
  const sendButton = opened.getByRole('button', { name: 'Send – this changes your account' });
  await sendButton.click();
  expect(await field().evaluate('document.activeElement.id')).toBe('key');
  await field().fill(account.key);
  const sent = page.waitForRequest(`${base}/site/update-site-configuration`);
  await sendButton.click();
  expect(await (await sent).allHeaders()).toMatchObject({ 'x-api-key': account.key });
  await opened.getByRole('status').getByText('"success": true').waitFor();
  expect((await account.client.site.getSiteConfiguration()).site.mood).toBe('🌊');
  await page.goto(`${base}/docs/#getProjects`);
  const other = page.locator('#getProjects');
  await other.getByRole('button', { name: 'Run', exact: true }).click();
  await other.getByRole('button', { name: 'Send', exact: true }).click();
  await other.getByRole('status').getByText('"projects"').waitFor();
  await page.goto(`${base}/docs/owner/keys#listRequests`);
  const list = page.locator('#listRequests');
  await list.getByRole('button', { name: 'Run', exact: true }).click();
  expect(await list.getByLabel('Query').getAttribute('placeholder')).toContain('limit=…');
  await list.getByLabel('Query').fill('limit=0');
  await list.getByRole('button', { name: 'Send', exact: true }).click();
  await list
    .getByRole('status')
    .getByText(/^400 · limitInvalid · \d+ ms/)
    .waitFor();
  await field().fill('');
});

it('on wide screens, the first operation of each group is open, and all statuses have an example', async () => {
  await page.goto(`${base}/docs/`);
  const opened = page.locator('.operation[open] > summary > code');
  expect(await opened.allTextContents()).toEqual([
    '/account/get-display-name',
    '/site/get-site-configuration',
    '/email-forwarding/email-forwarding-toggle',
    '/stats/get-projects',
    '/hooks/send-chat-webhook',
  ]);
  const responses = page.locator('#emailForwardingToggle').getByRole('group', { name: 'Response' });
  const statuses = ['200', '400', '401', '403', '404', '413', '415', '429', '500', '503'];
  expect(await responses.locator('label').allTextContents()).toEqual(statuses);
  await responses.getByText('503', { exact: true }).click();
  expect(await responses.locator('pre:visible').textContent()).toContain('"error":');
});

it('the first call copies commands with the key, but shows only its id', async () => {
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
    `curl \\\n  ${base.replace('127.0.0.1', 'localhost')}/account/get-display-name \\\n  --header "X-API-KEY: ${key}"`;
  expect(await copy()).toBe(command('np_your.key'));
  await field().fill(account.key);
  expect(await copy()).toBe(command(account.key));
  expect(await page.locator('main').textContent()).not.toContain(account.key.split('.')[1]);
});

it('the first call shows why a key was refused or the server is silent, and sends nothing for other text', async () => {
  await page.goto(`${base}/docs/`);
  await field().fill('my password');
  await answer().getByText('This is not a whole key.').waitFor();
  await page.getByRole('button', { name: 'Run it' }).click();
  await field().fill(`np_${'a'.repeat(16)}.${'b'.repeat(38)}`);
  await page.getByRole('button', { name: 'Run it' }).click();
  await answer().getByText('Refused. The response says why.').waitFor();
  await answer().getByText(/^401/).waitFor();
  await answer().getByText('"error": "The API key is mistyped or incomplete').waitFor();
  await page.route('**/account/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Run it' }).click();
  await answer().getByText('No response.').waitFor();
  await page.unroute('**/account/**');
  consoleErrors.splice(0);
});

it('the API reference sends no request to other hosts, violates no policy and misses no file', () => {
  expect(externalUrls).toEqual([]);
  expect(consoleErrors).toEqual([]);
});
