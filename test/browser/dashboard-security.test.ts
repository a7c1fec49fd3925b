import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { type FakeDiscord, startFakeDiscord } from '../support/fake-discord.ts';
import { startChatApp } from '../support/chat-app.ts';
import { HOME_HEADING, signOut, setUpDashboard } from './support/dashboard.ts';
import { visitUrl } from './support/visit.ts';
import { openProfile } from './support/editor.ts';

let discord: FakeDiscord;
const dashboard = setUpDashboard(async () => {
  discord = await startFakeDiscord();
  return startChatApp(discord);
});
afterAll(() => discord.close());

/** Whether a colored bar spans the upper edge of the window. */
async function hasBar(page: Page): Promise<boolean> {
  const { width } = page.viewportSize()!;
  const screenshotStrip = (x: number, y: number) =>
    page.screenshot({ clip: { x, y, width: 40, height: 2 }, animations: 'disabled' });
  const isBarAt = async (x: number) => {
    const [topStrip, lowerStrip] = [await screenshotStrip(x, 0), await screenshotStrip(x, 5)];
    return !topStrip.equals(lowerStrip);
  };
  const results = [await isBarAt(0), await isBarAt(width / 2), await isBarAt(width - 40)];
  expect(new Set(results).size).toBe(1);
  return results[0]!;
}

describe('a bar at the top of the window distinguishes the dashboard from pages:', () => {
  const viewports = [
    [1280, 'light'],
    [1280, 'dark'],
    [320, 'light'],
  ] as const;
  const views = viewports.map(([width, colorScheme]) => ({
    viewport: { width, height: 700 },
    colorScheme,
  }));

  it.each(views)(
    'the dashboard and its sign-in screens have it, a page that imitates them has not ($viewport.width, $colorScheme)',
    async (options) => {
      const account = await dashboard.server.createAccount();
      const { page } = await visitUrl(
        dashboard.browser,
        await dashboard.createLoginLink(account),
        options,
      );
      expect(await hasBar(page)).toBe(true);
      await page.locator('.plate', { hasText: new URL(dashboard.base).host }).waitFor();
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
      await page.locator('nav a[href$=keys]').waitFor({ state: 'attached' });
      const links = await page
        .locator('nav a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
      expect(links.length).toBeGreaterThan(8);
      // All screens share a frame, so the other views check only the first screen.
      for (const link of options === views[0] ? links : links.slice(0, 1)) {
        await page.goto(dashboard.base + link);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect([link, await hasBar(page)]).toEqual([link, true]);
        // The bar stays in place on scroll.
        await page.evaluate('scrollTo(0, 1e6)');
        expect([link, await hasBar(page)]).toEqual([link, true]);
      }

      const name = `login-${account.id.slice(0, 8)}`;
      await account.client.account.updateDisplayName({ display_name: name });
      await account.client.site.updateSiteConfiguration({
        display_name: 'Sign in to Nameplate',
        bio: `${new URL(dashboard.base).host}\nAPI key`,
        custom_theme: {
          background_color: '#f7f7f8',
          primary_color: '#1d4ed8',
          text_color: '#17181c',
          accent_color: '#1d4ed8',
        },
        blocks: [
          { type: 'divider' },
          { type: 'heading', content: 'API key' },
          { type: 'link', title: 'Sign in with this key', url: 'https://evil.example/login' },
        ],
      });
      await account.client.site.toggleSiteVisibility();
      const { page: imitation } = await visitUrl(
        dashboard.browser,
        `${dashboard.base}/@${name}`,
        options,
      );
      await imitation.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
      expect(await hasBar(imitation)).toBe(false);
      await imitation.getByRole('main').getByText(`@${name}`, { exact: true }).waitFor();
    },
  );
});

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  return page.locator('.secret').innerText();
}

/** Everything that a browser context stores, except the session cookie. */
async function readStorage(context: BrowserContext): Promise<string> {
  const { cookies, origins } = await context.storageState({ indexedDB: true });
  expect(cookies.map(({ name, httpOnly }) => [name, httpOnly])).toEqual([['nameplate', true]]);
  return JSON.stringify(origins);
}

it('browser storage contains no key, webhook or other data of an account', async () => {
  const account = await dashboard.server.createAccount();
  const webhook = discord.addWebhook();
  const { page, context } = await visitUrl(dashboard.browser, `${dashboard.base}/dashboard/keys`);
  await page.getByLabel('API key').fill(account.key);
  await page.getByLabel('API key').press('Enter');
  const secret = await createKey(page, 'status page');
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByLabel('Webhook URL').fill(webhook.url);
  await page.getByLabel('Message', { exact: true }).fill('Hello');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Edit the message' }).waitFor();
  await page.getByRole('link', { name: 'Page', exact: true }).click();
  await openProfile(page);
  await page.getByLabel('Bio').fill('Not saved.');
  const tabStorage = await page.evaluate(
    'caches.keys().then((all) => [all, document.cookie, window.name, JSON.stringify(sessionStorage)])',
  );
  expect(tabStorage).toEqual([[], '', '', expect.stringContaining('Not saved.')]);
  // The tab stores only the draft of the page, which must survive a reload.
  await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(1);
  for (const secretValue of [secret, account.key, webhook.url])
    expect(JSON.stringify(tabStorage)).not.toContain(secretValue);
  // The API reference has the same origin. It must not store account data either.
  const referencePage = await context.newPage();
  await referencePage.goto(`${dashboard.base}/docs/`, { waitUntil: 'networkidle' });
  const contextStorage = await readStorage(context);
  for (const accountValue of [account.key, secret, webhook.url, 'Not saved.'])
    expect(contextStorage).not.toContain(accountValue);
  expect(JSON.parse(contextStorage)).toEqual([]);
});

it('after signing out, Back shows no account data, and never shows a key again', async () => {
  const account = await dashboard.server.createAccount();
  await account.client.account.updateDisplayName({ display_name: 'jane-goes-back' });
  const { page } = await dashboard.openFromHome(account, 'Keys');
  await page.getByText('@jane-goes-back').first().waitFor();
  const secret = await createKey(page, 'a label of a key');
  await page.getByRole('cell', { name: 'a label of a key' }).first().waitFor();
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page
    .getByText(/a label of a key/)
    .first()
    .waitFor();
  await page.goBack();
  await page.getByRole('cell', { name: 'a label of a key' }).first().waitFor();
  await expect.poll(() => page.content()).not.toContain(secret);

  await signOut(page);
  await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
  for (let step = 0; step < 2; step += 1) {
    await page.goBack({ waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
    const content = await page.content();
    for (const accountValue of ['jane-goes-back', 'a label of a key', secret, account.id])
      expect(content).not.toContain(accountValue);
  }
});
