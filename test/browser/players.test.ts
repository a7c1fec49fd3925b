import type { Browser } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { useServer } from '../support/use-server.ts';
import { sharedChromium } from './support/chromium.ts';

let base: string;
let browser: Browser;
const { server } = useServer();
beforeAll(async () => {
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  browser = await sharedChromium();
});

/** Opens a page with two players. Records requests to other hosts and policy violations. */
async function openPlayers() {
  const { client } = await server.createAccount();
  const name = `jane-${crypto.randomUUID().slice(0, 8)}`;
  await client.account.updateDisplayName({ display_name: name });
  await client.site.updateSiteConfiguration({
    blocks: [
      { type: 'embed', enabled: true, url: 'https://youtu.be/dQw4w9WgXcQ?t=43', title: 'A film' },
      { type: 'embed', enabled: true, url: 'https://vimeo.com/76979871', title: 'Another' },
    ],
  });
  await client.site.toggleSiteVisibility();
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const requests: string[] = [];
  const errors: string[] = [];
  await page.route(/^https:/, async (route) => {
    requests.push(route.request().url());
    await route.fulfill({ contentType: 'text/html', body: '<p>The player' });
  });
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(`${base}/@${name}`, { waitUntil: 'networkidle' });
  return { page, requests, errors };
}

it('a player sends no request to its host before a visitor opens it', async () => {
  const { page, requests, errors } = await openPlayers();
  const first = page.locator('details', { hasText: 'A film' });
  await first.scrollIntoViewIfNeeded();
  await page.locator('footer').scrollIntoViewIfNeeded();
  // A lazily loaded frame would have been requested by now.
  expect(requests).toEqual([]);
  await first.locator('summary').click();
  await first.frameLocator('iframe').getByText('The player').waitFor();
  await expect
    .poll(() => requests)
    .toEqual(['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=43']);
  expect(errors).toEqual([]);
});
