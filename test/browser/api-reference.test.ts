import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
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

it.each([
  ['/docs/reference/', 'Nameplate', 'update-site-configuration'],
  ['/docs/reference/owner/', 'Nameplate for owners', 'create-key'],
])('%s shows every operation with fields, errors and samples', async (path, title, operation) => {
  await page.goto(`${base}${path}`);
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  const file = path === '/docs/reference/' ? '/openapi.json' : '/owner/openapi.json';
  const { paths } = (await (await fetch(`${base}${file}`)).json()) as {
    paths: Record<string, object>;
  };
  const shown = await page.locator('.operation > summary code').allTextContents();
  const expected = Object.entries(paths).flatMap(([key, methods]) =>
    Object.keys(methods).map(() => key),
  );
  expect(shown.toSorted()).toEqual(expected.toSorted());
  const details = page.locator('.operation', { hasText: `/${operation}` }).first();
  expect(await details.textContent()).toMatch(/Body.*characters.*Response 20\d.*Errors/s);
  expect(await details.textContent()).toContain('curl');
  const display = await page.evaluate(
    `getComputedStyle(document.querySelector('.type a')).display`,
  );
  expect(display).toBe('inline');
  const broken = await page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="#"]')].map((a) => a.hash.slice(1)).filter((id) => !document.getElementById(id))`,
  );
  expect(broken).toEqual([]);
});

it('the explanation of an error is the target of its link, and its endpoints are in the reference', async () => {
  await page.goto(`${base}/docs/errors#displayNameTaken`);
  const entry = page.locator(':target');
  await entry.getByText('409').waitFor();
  await entry.getByRole('link', { name: '/account/update-display-name' }).click();
  await page.locator('.operation[open]', { hasText: 'update-display-name' }).waitFor();
});

it('the API reference opens the operation of its address and copies its command', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${base}/docs/reference/#get/account/get-display-name`);
  const operation = page.locator('.operation[open]');
  await operation.getByText('Returns the display name').first().waitFor();
  await operation.getByRole('button', { name: 'Copy' }).first().click();
  await operation.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(
    /^curl \S+\/account\/get-display-name/,
  );
});

it('the API reference is compressed, and revalidated with its ETag', async () => {
  const url = `${base}/docs/reference/owner/`;
  const response = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  expect(response.headers.get('content-encoding')).toBe('br');
  expect(Number(response.headers.get('content-length'))).toBeLessThan(100_000);
  const etag = response.headers.get('etag')!;
  const headers = { 'accept-encoding': 'br', 'if-none-match': etag };
  expect((await fetch(url, { headers })).status).toBe(304);
});

describe('the first screen of /docs', () => {
  const field = () => page.getByLabel('Your key');
  const answer = () => page.getByRole('status');

  it('makes the call with the pasted key, which stays in the field, and shows the answer', async () => {
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
    expect(page.url()).toBe(`${base}/docs/`);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    await page.reload();
    expect(await field().inputValue()).toBe('');
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

  it('shows why a key was refused or the server is silent, and sends nothing for other text', async () => {
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
    await page.locator('.operation[open]').getByText('replaces the list of blocks').waitFor();
    await page.getByRole('link', { name: 'Your first call' }).click();
    await page.getByRole('link', { name: 'For owners' }).click();
    await page.getByRole('heading', { name: 'Nameplate for owners', exact: true }).waitFor();
  });
});

it('the API reference sends no request to other hosts, violates no policy and misses no file', () => {
  expect(externalUrls).toEqual([]);
  expect(consoleErrors).toEqual([]);
});
