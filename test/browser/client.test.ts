import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, it } from 'vitest';
import { bundle } from '../../client/size.ts';
import { startServer } from '../client/support/server.ts';
import { startTestApp } from '../support/test-app.ts';
import { sharedChromium } from './support/chromium.ts';

/** Browser code that uses the client from `module`. */
const BROWSER_CODE = `async (module, options) => {
  try {
    const { Nameplate } = await import(module);
    const { site } = new Nameplate(options);
    const { newStatus } = await site.toggleSiteVisibility();
    const { data, requestId } = await site.getSiteStatus().withResponse();
    return { newStatus, ...data, requestId: typeof requestId };
  } catch (error) {
    return { error: error.message };
  }
}`;

let browser: Browser;

beforeAll(async () => {
  browser = await sharedChromium();
});

/** Opens a page on an origin that the service allows. `module` is the URL of the client's code. */
async function openPage(): Promise<{ page: Page; module: string; options: object }> {
  const { url } = await startServer((response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>x</title>'),
  );
  const server = await startTestApp({ CORS_ORIGINS: [url] });
  onTestFinished(() => server.close());
  const { key: apiKey } = await server.createAccount();
  const baseUrl = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  const type = 'text/javascript';
  const blob = `new Blob([${JSON.stringify(await bundle())}], { type: '${type}' })`;
  const module = await page.evaluate<string>(`URL.createObjectURL(${blob})`);
  return { page, module, options: { apiKey, baseUrl } };
}

it('the client in a page runs only with dangerouslyAllowBrowser', async () => {
  const { page, module, options } = await openPage();
  const runInBrowser = (clientOptions: object) =>
    page.evaluate(`(${BROWSER_CODE})('${module}', ${JSON.stringify(clientOptions)})`);
  expect(await runInBrowser(options)).toEqual({
    error: expect.stringContaining('set dangerouslyAllowBrowser to true') as string,
  });
  expect(await runInBrowser({ ...options, dangerouslyAllowBrowser: true })).toEqual({
    newStatus: true,
    enabled: true,
    requestId: 'string',
  });
});
