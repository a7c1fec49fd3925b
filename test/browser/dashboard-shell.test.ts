import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import type { VisitKind } from '#contract/shared/visits.ts';
import { addPageVisits } from '#db/queries/page-visits.ts';
import { call } from '../support/call.ts';
import { logIn } from '../support/session.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { enterName, HOME_HEADING, setUpDashboard } from './support/dashboard.ts';
import { waitForSaveState } from './support/editor.ts';
import { expectFocus, tabTo } from './support/keyboard.ts';
import {
  expectNoProblems,
  findAccessibilityViolations,
  measureHorizontalOverflow,
} from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

it('a screen that throws shows an error, offers to reload, and does not affect the navigation', async () => {
  const { visit, page, messages } = await dashboard.openNew();
  await page.route('**/owner/events/list-events?limit=50', (route) =>
    route.fulfill({ json: { events: [{ created_at: '2026-11-29T12:00:00.000Z' }], next: null } }),
  );
  await page.getByRole('link', { name: 'Activity', exact: true }).first().click();
  await page.getByText('This screen has stopped working.').waitFor();
  await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  await expect.poll(() => messages.join('\n')).toContain('TypeError');
  await expectNoProblems({ ...visit, messages: [] });
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Activity', exact: true }).first().click();
  await page.getByText('This screen has stopped working.').waitFor();
  await page.unroute('**/owner/events/list-events?limit=50');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
});

it('Home says what happened today and this week, and suggests a step that can be put off', async () => {
  const account = await dashboard.server.createNamedAccount('at-home');
  const { client, id } = account;
  const link = { type: 'link', url: 'https://jane.example', title: 'My shop' } as const;
  await client.site.updateSiteConfiguration({ blocks: [{ type: 'page', fonts: 'mono' }, link] });
  await client.site.toggleSiteVisibility();
  const { page } = await dashboard.open(account);
  await page.getByRole('heading', { name: 'Add a picture' }).waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.reload();
  await page.getByRole('heading', { name: /Your page is live\. / }).waitFor();
  expect(await page.getByRole('heading', { name: 'Add a picture' }).count()).toBe(0);
  const visit = (kind: VisitKind, daysAgo: number, value: string, count: number) => ({
    ...{ accountId: id, kind, value, count },
    day: utcDay(Date.now() - daysAgo * DAY_MS),
  });
  await addPageVisits(dashboard.server.db, [
    ...[0, 1, 7, 8, 14].map((daysAgo) => visit('view', daysAgo, '', 30)),
    visit('referrer', 0, 'news.example', 16),
    visit('link', 0, new URL(link.url).href, 2),
  ]);
  await page.reload();
  const sentence = '30 views today, most from news.example. “My shop” got 2 clicks.';
  await page.getByRole('heading', { name: sentence }).waitFor();
  await page.getByRole('heading', { name: 'This week 60 views' }).waitFor();
  await page.getByRole('img', { name: /^Views of each day: .*, Today 30$/ }).waitFor();
  // The account row stays in a low window.
  await page.setViewportSize({ width: 1_280, height: 400 });
  const { y, height } = (await page.getByRole('button', { name: /Account$/ }).boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(400);
});

it('after a change of the name, the old address leads to the new one unless the owner chooses otherwise, and until they stop it', async () => {
  const account = await dashboard.server.createNamedAccount('jane-before');
  await account.client.site.toggleSiteVisibility();
  const { page, messages } = await dashboard.open(account);
  const readStatus = async () => {
    const { status } = await fetch(`${dashboard.base}/@jane-before`, { redirect: 'manual' });
    return status;
  };
  const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
  const waitUntilHeld = (days: number) => {
    const date = dateFormat.format(Date.now() + days * DAY_MS);
    return dialog.getByText(`Until ${date}, nobody else can claim @jane-before`).waitFor();
  };
  const dialog = page.getByRole('dialog', { name: 'Change your name' });
  const submit = dialog.getByRole('button', { name: 'Change name' });
  const typeName = async (name: string, state: string) => {
    await page.getByRole('button', { name: 'Change name' }).click();
    await dialog.getByLabel('New name').fill(name);
    await dialog.getByText(`${name} is ${state}`).waitFor();
  };
  await typeName('admin', 'not available');
  await expect.poll(() => submit.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await typeName('jane-after', 'available');
  await waitUntilHeld(90);
  await dialog.getByRole('radio', { name: /^It stops working/ }).check();
  await waitUntilHeld(30);
  await submit.click();
  await page.getByText('Your name is now jane-after.').waitFor();
  expect(await readStatus()).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Your name is jane-before again.').waitFor();
  expect(await readStatus()).toBe(200);

  await typeName('jane-later', 'available');
  await submit.click();
  await page.getByText(/^@jane-before redirects to your page until /).waitFor();
  expect(await readStatus()).toBe(302);
  await page.getByRole('button', { name: 'Stop redirecting' }).click();
  await page.getByText('Your old address no longer redirects to your page.').waitFor();
  expect(await readStatus()).toBe(404);
  expect(messages).toEqual([]);
});

it('on a tablet, the navigation is a rail of icons with their names below', async () => {
  const { visit, page } = await dashboard.openNew();
  await page.setViewportSize({ width: 768, height: 1_024 });
  await expect.poll(async () => (await page.getByRole('main').boundingBox())!.x).toBe(96);
  const link = page.getByRole('link', { name: 'Visitors', exact: true });
  const icon = (await link.locator('svg').boundingBox())!;
  expect((await link.getByText('Visitors').boundingBox())!.y).toBeGreaterThan(icon.y + icon.height);
  await link.click();
  await page.getByRole('heading', { name: 'Visitors', level: 1 }).waitFor();
  await expectNoProblems(visit);
});

it('fields on a tablet have text of 16 pixels, because Safari zooms into smaller text', async () => {
  const tablet = { viewport: { width: 768, height: 1_024 }, hasTouch: true, isMobile: true };
  const account = await dashboard.server.createNamedAccount('jane-touches');
  await account.client.site.toggleSiteVisibility();
  const { page } = await dashboard.open(account, 'Settings', tablet);
  for (const path of ['/dashboard/settings', '/docs/', '/@jane-touches/report']) {
    await page.goto(dashboard.base + path);
    const fields = 'main :is(input:not([type=checkbox], [hidden]), select, textarea), .filter';
    await page.locator(fields).first().waitFor({ state: 'attached' });
    const size = await page.evaluate(
      `getComputedStyle(document.querySelector('${fields}')).fontSize`,
    );
    expect([path, size]).toEqual([path, '16px']);
  }
});

it('prints are light and as wide as the sheet, without the link that skips to the content', async () => {
  const { page } = await dashboard.openNew('Settings');
  await page.evaluate(`document.documentElement.dataset.scheme = 'dark'`);
  await page.setViewportSize({ width: 1_047, height: 700 });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const path of ['/dashboard/settings', '/docs/']) {
    if (path === '/docs/') await page.goto(dashboard.base + path);
    const [scheme, width] = await page.evaluate<[string, number]>(
      `[getComputedStyle(document.body).colorScheme, document.querySelector('main').clientWidth]`,
    );
    expect([path, scheme, width]).toEqual([path, 'light', 1_047]);
    expect(await page.locator('.skip, .side, nav').filter({ visible: true }).count()).toBe(0);
  }
});

it('signing in, claiming a name and publishing work with the keyboard, with visible focus', async () => {
  const account = await dashboard.server.createAccount();
  const { page, messages } = await dashboard.visit(await dashboard.createLoginLink(account));
  const { keyboard } = page;
  await tabTo(page, 'Sign in');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
  await page.getByLabel('Name').waitFor();
  await tabTo(page, 'Name');
  await enterName(page, 'Jane Keys');
  await page.getByRole('button', { name: 'Add your first link' }).waitFor();
  await tabTo(page, 'Add your first link');
  await keyboard.press('Enter');
  await page.getByLabel('Address').waitFor();
  await keyboard.type('jane.example');
  await keyboard.press('Control+s');
  await waitForSaveState(page, 'Saved');
  await tabTo(page, 'Home');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Publish page' }).waitFor();
  await tabTo(page, 'Publish page');
  await keyboard.press('Enter');
  await page.getByRole('radio', { name: 'Public', checked: true }).waitFor();

  await page.reload();
  await page.getByRole('radio', { name: 'Public', checked: true }).waitFor();
  await tabTo(page, 'Skip to the content');
  await keyboard.press('Enter');
  await tabTo(page, '127.0.0.1:' + new URL(dashboard.base).port + '/@jane-keys');
  await tabTo(page, 'Keys');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create key' }).waitFor();
  // The navigation link has the same name, so check the element.
  await expect
    .poll(() => page.evaluate('document.activeElement.outerHTML'))
    .toMatch(/^<h1\b.*>Keys</);
  expect(messages).toEqual([]);
});

it('activity is loaded page by page with the keyboard', async () => {
  const account = await dashboard.server.createAccount();
  const rows = Array.from({ length: 120 }, (_, index) => ({
    account_id: account.id,
    type: 'display_name_updated' as const,
    outcome: 'succeeded' as const,
    detail: JSON.stringify({ to: `name-${index}` }),
    created_at: new Date(1_767_000_000_000 + index * 1_000),
  }));
  await dashboard.server.db.insertInto('events').values(rows).execute();
  const { page, messages } = await dashboard.open(account, 'Activity');
  const { keyboard } = page;
  await page.getByText('changed to @name-119').waitFor();
  await tabTo(page, 'Show more');
  await keyboard.press('Enter');
  await page.getByText('changed to @name-50').waitFor();
  await expectFocus(page, 'Show more');
  await keyboard.press('Enter');
  await page.getByText(/changed to @name-0$/).waitFor();
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  expect(messages).toEqual([]);
});

it('sessions are ended and the account is deleted with the keyboard', async () => {
  const account = await dashboard.server.createNamedAccount('jane-leaves');
  await logIn(dashboard.server, account.id);
  const { page } = await dashboard.openFromHome(account, 'Settings');
  const { keyboard } = page;
  const signOutOther = /^Sign out (?!everywhere)/;
  await page.getByRole('button', { name: signOutOther }).waitFor();
  await expectFocus(page, 'Settings');
  await tabTo(page, 'Sign out everywhere');
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Sign out everywhere?' }).waitFor();
  await keyboard.press('Escape');
  await expectFocus(page, 'Sign out everywhere');
  await tabTo(page, (await page.getByLabel(signOutOther).getAttribute('aria-label'))!);
  await keyboard.press('Enter');
  await page.getByText(/^Signed out /).waitFor();
  await page.getByLabel(signOutOther).waitFor({ state: 'detached' });
  await tabTo(page, 'Delete my account');
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Delete your account?' }).waitFor();
  await expectFocus(page, 'Type jane-leaves to confirm');
  await keyboard.type('somebody-else\n');
  await page.locator('.field').getByText('This is not the name of the account.').waitFor();
  await keyboard.press('Control+a');
  await keyboard.type('jane-leaves\n');
  await page.getByText('Your account and everything in it has been deleted.').waitFor();
  await page.goto(`${dashboard.base}/dashboard/keys`);
  await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
  await expect.poll(() => page.getByText('has been deleted.').count()).toBe(0);
});

async function createGermanAccount(): Promise<TestAccount> {
  const account = await dashboard.server.createAccount();
  const { status } = await call(dashboard.server.app, {
    method: 'POST',
    path: '/owner/account/update-language',
    headers: account.headers,
    json: { language: 'de' },
  });
  expect(status).toBe(200);
  return account;
}

it('the colors of the dashboard are chosen in Settings, and follow the device by default', async () => {
  const { page } = await dashboard.openNew('Settings');
  const readBackground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await readBackground();
  await page.getByLabel('Appearance').selectOption('Dark');
  await expect.poll(readBackground).not.toBe(light);
  await page.reload();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await expect.poll(readBackground).not.toBe(light);
  await page.getByLabel('Appearance').selectOption('Automatic');
  await expect.poll(readBackground).toBe(light);
  expect(await page.evaluate('localStorage.getItem("nameplate-scheme")')).toBe(null);
});

it('the language is changed in Settings and stays if the change fails', async () => {
  const { visit, page } = await dashboard.openNew('Settings');
  const choice = page.getByRole('combobox', { name: 'Language' });
  await expect
    .poll(() => choice.getByRole('option').allInnerTexts())
    .toEqual(['English', 'Deutsch']);
  visit.ignoredMessages.push(/ERR_FAILED/);
  await page.route('**/update-language', (route) => route.abort());
  await choice.selectOption('Deutsch');
  await page.getByText('The server cannot be reached.').first().waitFor();
  expect(await choice.inputValue()).toBe('en');
  await page.unroute('**/update-language');

  await choice.selectOption('Deutsch');
  await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
  await expectNoProblems(visit);
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});

it.each([
  'text.replaceWith(font)',
  'text.before(font), text.remove()',
  'text.after(font), text.remove()',
  'text.replaceWith(font.textContent)',
])('Home shows the new state while a browser translates it: %s', async (replace) => {
  const account = await dashboard.server.createAccount();
  const name = `jane-${account.id.slice(-12)}`;
  await account.client.account.updateDisplayName({ display_name: name });
  await account.client.site.toggleSiteVisibility();
  const { page, messages } = await dashboard.open(account);
  await page.evaluate(`{
    const isNew = ({ data, parentElement }) => /^(?!«).*\\w/.test(data) && parentElement.localName !== 'font';
    const translate = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) if (isNew(walker.currentNode)) texts.push(walker.currentNode);
      for (const text of texts) {
        const font = document.createElement('font');
        font.textContent = '«' + text.data + '»';
        ${replace};
      }
    };
    const app = document.getElementById('app');
    translate(app);
    new MutationObserver(() => translate(app)).observe(app, { childList: true, subtree: true });
  }`);
  const title = page.getByRole('heading', { level: 1 });
  const expectHeading = async (...texts: string[]) => {
    const heading = texts.map((text) => `«${text}»`).join(' ');
    await expect.poll(() => title.innerText()).toBe(heading);
  };
  await expectHeading('Your page is live.', 'Show it to somebody.');
  await page.getByRole('radio', { name: '«Hidden»' }).click();
  await expectHeading('Your page is hidden.', 'Only you can see it.');
  await page.getByRole('button', { name: '«Undo»' }).click();
  await expectHeading('Your page is live.', 'Show it to somebody.');
  await expect
    .poll(() => page.locator('.visibility .hint').innerText())
    .toBe('«Anyone with the link can open it.»');
  await page.getByRole('link', { name: '«Settings»' }).click();
  await expectHeading('Settings');
  expect(messages).toEqual([]);
});

it('every tab of a small phone is one line of text', async () => {
  // The first account is an operator's, and operators have other tabs.
  const { db } = dashboard.server;
  const account = await createGermanAccount();
  await db.deleteFrom('operators').where('account_id', '=', account.id).execute();
  await db
    .updateTable('accounts')
    .set({ developer_tools: false })
    .where('id', '=', account.id)
    .execute();
  const viewport = { width: 320, height: 800 };
  const link = await dashboard.createLoginLink(account);
  const { page } = await dashboard.visit(link, { viewport });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'E-Mail', exact: true }).waitFor();
  const measureLines = () =>
    page.evaluate<number[]>(`[...document.querySelectorAll('nav .tab a')].map((tab) => {
      const range = document.createRange();
      range.selectNodeContents(tab.lastChild);
      return range.getClientRects().length;
    })`);
  await expect.poll(measureLines).toEqual([1, 1, 1, 1]);
});

const ASSETS = '**/dashboard/assets/en/';

/** Fails requests for these files, like an overloaded server or proxy. */
function rejectRequests(page: Page, files: string): Promise<unknown> {
  return page.route(ASSETS + files, (route) => route.fulfill({ status: 503, body: 'busy' }));
}

it.each(['en', 'de'])(
  'screens and pages of the server load only the smaller font file: %s',
  async (locale) => {
    const account = await dashboard.server.createNamedAccount(`fonts-${locale}`);
    const visits = [
      await dashboard.visit('/dashboard/login', { locale }),
      // Its three example pages have fonts of their own.
      await dashboard.visit('/', { locale }),
      await dashboard.open(account, 'Settings', { locale: 'en' }),
    ];
    for (const [index, { page, requests }] of visits.entries()) {
      await page.evaluate('document.fonts.ready');
      const fonts = requests.filter((url) => url.endsWith('.woff2'));
      expect(fonts).toHaveLength(index === 1 ? 4 : 1);
      const response = await page.request.get(fonts[0]!);
      expect((await response.body()).length).toBeLessThan(24_000);
    }
    // A rare letter comes from the second file.
    const [{ page, requests }] = visits as [(typeof visits)[0]];
    await page.evaluate('document.querySelector("h1").textContent = "Þór"; document.fonts.ready');
    await expect.poll(() => requests.filter((url) => url.endsWith('.woff2')).length).toBe(2);
  },
);

describe('when the server is too busy to send', () => {
  it.each(['dashboard-*.js', '*.css', '*'])(
    'the page says that %s could not load, and works after a retry, including the login link',
    async (files) => {
      const account = await dashboard.server.createAccount();
      const { page } = await dashboard.visit('about:blank');
      await rejectRequests(page, files);
      await page.goto(await dashboard.createLoginLink(account));
      if (files !== '*.css') {
        const message = page.getByText('The dashboard is taking long to load:');
        await message.waitFor();
        await page.setViewportSize({ width: 320, height: 700 });
        await expect.poll(() => measureHorizontalOverflow(page)).toBe(0);
        await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
        await page.unroute(ASSETS + files);
        await page.getByRole('link', { name: 'Try again' }).click();
        await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
        await page.goto('about:blank');
        await page.goto(await dashboard.createLoginLink(account));
      }
      // Without a style sheet the screen is plain but works.
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
    },
  );

  it('a screen whose code could not load says so and works after a retry', async () => {
    const { page } = await dashboard.openNew();
    await rejectRequests(page, 'account-*.js');
    // Without a reload, the preloaded file would be used.
    await page.reload();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText('Could not load this screen.').waitFor();
    await page.unroute(`${ASSETS}account-*.js`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
  });
});
