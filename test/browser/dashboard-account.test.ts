import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { startChatApp } from '../support/chat-app.ts';
import { makeOperator } from '../support/endpoints.ts';
import { type FakeDiscord, startFakeDiscord } from '../support/fake-discord.ts';
import { jsonRpcRequest } from '../support/mcp.ts';
import type { TestAccount } from '../support/test-app.ts';
import { HOME_HEADING, setUpDashboard, signOut } from './support/dashboard.ts';
import { openProfile } from './support/editor.ts';
import { expectNoProblems } from './support/visit.ts';

let discord: FakeDiscord;
const dashboard = setUpDashboard(async () => {
  discord = await startFakeDiscord();
  return startChatApp(discord);
});
afterAll(() => discord.close());

async function requestStatus(key: string, method: 'GET' | 'POST'): Promise<number> {
  const path = method === 'GET' ? '/site/get-site-status' : '/site/toggle-site-visibility';
  return (await call(dashboard.server.app, { method, path, key })).status;
}

it('a key is created with a label and a scope, shown once, used, and revoked after a confirmation', async () => {
  const { visit, page } = await dashboard.openNew('Keys');
  await page.getByRole('cell', { name: 'Full access' }).waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  const createDialog = page.getByRole('dialog', { name: 'Create key' });
  await createDialog.getByLabel('Name').fill('status page');
  await createDialog.getByRole('radio', { name: 'Read only' }).check();
  await createDialog.getByRole('radio', { name: '30 days' }).check();
  await createDialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.locator('.secret').innerText();
  expect([await requestStatus(secret, 'GET'), await requestStatus(secret, 'POST')]).toEqual([
    200, 403,
  ]);
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'I saved it' }).click();
  await expect.poll(() => page.getByText(secret).count()).toBe(0);

  const revoke = page.getByRole('button', { name: 'Revoke status page' });
  await revoke.click();
  const dialog = page.getByRole('dialog', { name: 'Revoke status page?' });
  expect(await requestStatus(secret, 'GET')).toBe(200);
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await revoke.waitFor({ state: 'detached' });
  expect(await requestStatus(secret, 'GET')).toBe(401);
});

it('a key is created for one project, and says so', async () => {
  const account = await dashboard.server.createAccount();
  await dashboard.server.createProject(account, 'Shop');
  const { page } = await dashboard.open(account, 'Keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Project').selectOption('Shop');
  await dialog.getByText('The key is deleted with the project.').waitFor();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('cell', { name: 'only to Shop' }).waitFor();
});

it('requests with keys are listed, filtered by outcome and key, and explained', async () => {
  const { visit, page, account } = await dashboard.openNew('Keys');
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.getByText('No requests yet').waitFor();
  const { key, api_key } = await account.owner.keys.createKey({ label: 'shop', scope: 'read' });
  await requestStatus(api_key!, 'GET');
  await requestStatus(api_key!, 'POST');
  const refused = page.getByText('site.toggleSiteVisibility', { exact: true });
  await refused.click();
  await page.getByText('its scope is read, not all.').waitFor();
  await page.getByText('The scope of the key does not include this endpoint.').waitFor();
  await page.getByText('POST /site/toggle-site-visibility').waitFor();
  for (const [name, path] of [
    ['insufficientScope in the docs', '/docs/errors#insufficientScope'],
    ['site.toggleSiteVisibility in the reference', '/docs/#toggleSiteVisibility'],
  ] as const)
    expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(path);
  await page.getByRole('button', { name: 'Problems' }).click();
  const rows = page.locator('.activity-days li');
  await expect.poll(() => rows.count()).toBe(1);
  await page.goto(`${dashboard.base}/dashboard/keys/requests`);
  await page.waitForURL('**/activity?kind=requests');
  await page.getByLabel('Key', { exact: true }).selectOption(key.id);
  await expect.poll(() => rows.count()).toBe(2);
  const others = page.getByText(/other requests? at about this time (is|are) not listed/);
  // A slow machine may spread them over more seconds than are counted together.
  const flood = async () => {
    await Promise.all(Array.from({ length: 60 }, () => requestStatus(api_key!, 'GET')));
    return others.count();
  };
  await expect.poll(flood, { interval: 3_000 }).toBeGreaterThan(0);
  await expectNoProblems(visit);
});

it('the card for AI clients shows a configuration that connects with the new key', async () => {
  const { visit, page } = await dashboard.openNew('Keys');
  const card = page.locator('.connect-ai');
  await card.getByLabel('Your client').selectOption('Cursor');
  await card.getByText('"Bearer YOUR_KEY"').waitFor();
  await card.getByRole('link', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  expect(await dialog.getByRole('radio', { name: 'Full access' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.locator('.secret').innerText();
  const { mcpServers } = JSON.parse(await card.locator('pre').innerText()) as {
    mcpServers: { nameplate: { url: string; headers: Record<string, string> } };
  };
  const { url, headers } = mcpServers.nameplate;
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(jsonRpcRequest('tools/list')),
  });
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringMatching(/"tools":/),
  ]);
  for (const client of await card.getByRole('option').allInnerTexts()) {
    await card.getByLabel('Your client').selectOption(client);
    await card.getByText(secret).waitFor();
  }
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'I saved it' }).click();
  await expect.poll(() => page.getByText(secret).count()).toBe(0);
});

it('without a mail provider the screen shows no address, and tells operators how to set mail up', async () => {
  const { account, page } = await dashboard.openNew('Mail');
  await page.getByText('You have no address here yet').waitFor();
  const name = `mail-${account.id.slice(0, 8)}`;
  await account.client.account.updateDisplayName({ display_name: name });
  await page.reload();
  await page.getByText('There is nothing you need to do.').waitFor();
  await expect.poll(() => page.getByText(`${name}@`).count()).toBe(0);
  // Becoming an operator ends the sessions.
  await makeOperator(dashboard.server, account);
  const { page: operatorPage } = await dashboard.open(account, 'Mail');
  await operatorPage.getByRole('link', { name: 'Set up forwarding' }).click();
  await operatorPage.getByText('docs/email-forwarding.md').waitFor();
});

it('a passkey is created, used to sign in, and removed', async () => {
  const account = await dashboard.server.createAccount();
  const link = await dashboard.createLoginLink(account);
  const { visit, page, context } = await dashboard.visit(link.replace('127.0.0.1', 'localhost'));
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  // The first passkey may be created long after the login that created the account.
  await dashboard.server.sql`UPDATE sessions SET created_at = now() - interval '20 minutes'
    WHERE account_id = ${account.id}`;
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const addDialog = page.getByRole('dialog', { name: 'Add passkey' });
  await expectNoProblems(visit);
  await addDialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Remove Chrome on Linux' }).waitFor();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await addDialog.getByRole('button', { name: 'Continue' }).click();
  await addDialog.getByText('No passkey was added.').waitFor();
  await addDialog.getByRole('button', { name: 'Cancel' }).click();
  await signOut(page);
  const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
  const hint = await page.getByText('With your fingerprint, face or phone.').boundingBox();
  expect(hint!.y).toBeGreaterThan((await signIn.boundingBox())!.y);
  await signIn.click();
  await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText(/^Passkey, /).waitFor();
  await page.getByRole('button', { name: 'Remove Chrome on Linux' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  // Deleting the passkey ended the session that it started.
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
});

it('an export opens a sign-in dialog, then starts without leaving the screen', async () => {
  const { account, page } = await dashboard.openNew('Settings');
  await page.getByText('This device').waitFor();
  const described = await page
    .getByRole('link', { name: 'Domains', exact: true })
    .getAttribute('aria-describedby');
  expect(await page.locator(`[id="${described}"]`).innerText()).toMatch(/^Use your own domain/);
  await ageSessions(account.id);
  await page.getByRole('button', { name: 'Export all my data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByText('This needs a login within the last hour.').waitFor();
  await dialog.getByLabel('API key').fill(account.key);
  // Returning to the window does not count as signing in.
  const sessionChecked = page.waitForResponse((response) =>
    response.url().endsWith('/get-session'),
  );
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await (await sessionChecked).finished();
  await expect.poll(() => dialog.getByLabel('API key').inputValue()).toBe(account.key);
  const download = page.waitForEvent('download');
  await dialog.getByLabel('API key').press('Enter');
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  await page.getByText('This device').waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
});

/** Browser message for a 401 response. */
const UNAUTHORIZED = /status of 401 \(Unauthorized\)/;

describe('signing in', () => {
  it('with a link takes one click on its button, works once, and removes the link from the address bar', async () => {
    const account = await dashboard.server.createAccount();
    const url = await dashboard.createLoginLink(account);
    const { visit, page } = await dashboard.visit(url);
    await page.reload({ waitUntil: 'networkidle' });
    await expectNoProblems(visit);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
    await expect.poll(() => page.url()).toBe(`${dashboard.base}/dashboard/`);

    const secondVisit = await dashboard.visit(url);
    secondVisit.ignoredMessages.push(UNAUTHORIZED);
    await secondVisit.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await secondVisit.page.getByText('This link no longer works.').waitFor();
    await secondVisit.page.getByLabel('API key').fill(account.key);
    await secondVisit.page.getByRole('button', { name: 'Sign in with this key' }).click();
    await secondVisit.page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
  });

  it('with a key opens the requested screen; an invalid key shows an error beside the field', async () => {
    const account = await dashboard.server.createAccount();
    const { visit, page, messages } = await dashboard.visit('/dashboard/keys?x=1');
    const field = page.getByLabel('API key');
    visit.ignoredMessages.push(UNAUTHORIZED);
    await field.fill('np_wrong.key');
    await field.press('Enter');
    await page.locator('.field').getByText('This key is wrong, expired or revoked.').waitFor();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await field.fill(` ${account.key}\n`);
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await expect.poll(() => page.url()).toBe(`${dashboard.base}/dashboard/keys?x=1`);

    await page.reload();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
    await page.goto(`${dashboard.base}/dashboard/keys`);
    await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
    await expect
      .poll(() => messages)
      .toEqual([expect.stringMatching(/^Clear-Site-Data header on .* Cleared data types/)]);
  });

  it('again after the session ended repeats the failed request', async () => {
    const account = await dashboard.server.createNamedAccount('jane-again');
    await publishAndHide(account);
    const { visit, page } = await dashboard.open(account);
    visit.ignoredMessages.push(UNAUTHORIZED);
    const visibility = page.getByText('Public', { exact: true });
    // Ended before the click, another request of the screen could ask for the login first.
    await page.route(
      '**/owner/page/update-page-visibility',
      async (route) => {
        await endSessions(account.id);
        await route.continue();
      },
      { times: 1 },
    );
    await visibility.click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await dialog.getByLabel('API key').fill(account.key);
    await dialog.getByRole('button', { name: 'Sign in with this key' }).click();
    await page.getByRole('radio', { name: 'Public', checked: true }).waitFor();
    expect(await account.client.site.getSiteStatus()).toEqual({ enabled: true });
  });

  it('again in another window closes the dialog in this one, which stays in the background', async () => {
    const { account, page, context } = await dashboard.openNew();
    await endSessions(account.id);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    const otherPage = await context.newPage();
    await otherPage.goto(`${dashboard.base}/dashboard/login`);
    await otherPage.getByLabel('API key').fill(account.key);
    await otherPage.getByRole('button', { name: 'Sign in with this key' }).click();
    await otherPage.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
    // Chromium draws no frames in the background, so only scripts see the change there.
    await expect
      .poll(() => page.evaluate('document.querySelectorAll("dialog[open]").length'))
      .toBe(0);
    await page.bringToFront();
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
  });

  it('again for an action that needs a recent login continues it, or sends nothing if canceled', async () => {
    const { account, page, messages } = await dashboard.openNew('Keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const createDialog = page.getByRole('dialog', { name: 'Create key' });
    await createDialog.getByLabel('Name').fill('status page');
    await createDialog.getByRole('radio', { name: 'Read only' }).check();
    await ageSessions(account.id);
    const createButton = createDialog.getByRole('button', { name: 'Create key' });
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    const cancelMessage = page.getByText('Nothing was changed because you did not sign in.');
    await createButton.click();
    await dialog.getByText('This needs a login within the last hour.').waitFor();
    await page.keyboard.press('Escape');
    await cancelMessage.waitFor();
    expect(await createDialog.getByLabel('Name').inputValue()).toBe('status page');
    await createButton.click();
    await dialog.getByText('Use a login link').click();
    await dialog.getByText(`npx nameplate login --account ${account.id}`).waitFor();
    await dialog.getByLabel('API key').fill(account.key);
    await dialog.getByRole('button', { name: 'Sign in with this key' }).click();
    await page.getByRole('heading', { name: 'status page is ready' }).waitFor();
    await page.getByRole('button', { name: 'I saved it' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Revoke/ }).count()).toBe(2);
    expect(messages.filter((text) => !text.includes('403'))).toEqual([]);
  });

  it('with an incomplete link says so, and tells members whom to ask and the operator of the server a command', async () => {
    const { page } = await dashboard.visit('/dashboard/registration#abc');
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    await page.goto(`${dashboard.base}/dashboard/login#abc`);
    await page.getByText('This link no longer works.').waitFor();
    await page.getByText('Ask the operators for a login link.').waitFor();
    const command = page.getByText('npx nameplate login', { exact: true });
    await expect.poll(() => command.isVisible()).toBe(false);
    await page.getByText('Other ways').click();
    await expect.poll(() => command.isVisible()).toBe(true);
  });
});

/** Makes the logins of an account too old to count as recent. */
async function ageSessions(accountId: string): Promise<void> {
  await dashboard.server.sql`UPDATE sessions SET created_at = now() - interval '61 minutes'
    WHERE account_id = ${accountId}`;
}

async function endSessions(accountId: string): Promise<void> {
  await dashboard.server.db.deleteFrom('sessions').where('account_id', '=', accountId).execute();
}

/** Makes Home show the switch instead of the first steps. */
async function publishAndHide({ client }: TestAccount): Promise<void> {
  await client.site.toggleSiteVisibility();
  await client.site.toggleSiteVisibility();
}

it('while offline the dashboard says so and loses nothing', async () => {
  const account = await dashboard.server.createNamedAccount('jane-offline');
  await publishAndHide(account);
  const { page, context } = await dashboard.open(account);
  await page.getByRole('radio', { name: 'Hidden', checked: true }).waitFor();
  await context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await page.getByText('Public', { exact: true }).click();
  await page.locator('.message').getByText('The server cannot be reached.').waitFor();
  await page.getByRole('link', { name: 'Visitors', exact: true }).click();
  await page.getByText('You are offline. This loads when you are back.').waitFor();
  await page.goBack();
  // A request that never ends, instead of one that fails.
  await page.route('**/owner/visitors/**', () => undefined);
  await page.getByRole('link', { name: 'Visitors', exact: true }).click();
  await page.getByText('You are offline. This loads when you are back.').waitFor();
  await page.unroute('**/owner/visitors/**');
  await page.goBack();
  await context.setOffline(false);
  const message = page.locator('.message').getByText('The server cannot be reached.');
  await message.waitFor({ state: 'detached' });
  await page.getByText('Public', { exact: true }).click();
  await page.getByRole('radio', { name: 'Public', checked: true }).waitFor();
});

/** Opens a screen, and returns a function that lets the answer to one of its requests arrive. */
async function openWithLateAnswer(
  page: Page,
  screen: string,
  url: string,
): Promise<() => Promise<void>> {
  const { promise: isWanted, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    const response = await route.fetch();
    await isWanted;
    await route.fulfill({ response });
  });
  const waiting = page.waitForRequest(url);
  await page.getByRole('link', { name: screen, exact: true }).click();
  const request = await waiting;
  return async () => {
    resolve();
    await (await request.response())!.finished();
    await page.evaluate('new Promise(requestAnimationFrame)');
  };
}

it('an answer to a request from before it was offline does not count', async () => {
  const account = await dashboard.server.createNamedAccount('jane-late');
  const { page, context } = await dashboard.open(account);
  const answer = await openWithLateAnswer(page, 'Visitors', '**/owner/visitors/query-visitors*');
  await context.setOffline(true);
  const banner = page.getByText('You are offline.');
  await banner.waitFor();
  await answer();
  expect(await banner.isVisible()).toBe(true);
});

it('an answer to a request from before a failure does not hide its message', async () => {
  const account = await dashboard.server.createNamedAccount('jane-failure');
  const { page } = await dashboard.open(account);
  await page.route('**/healthz', (route) => route.abort());
  await page.route('**/update-language', (route) => route.abort());
  const answer = await openWithLateAnswer(page, 'Settings', '**/owner/page/get-front-page');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
  const message = page.locator('.message').getByText('The server cannot be reached.');
  await message.waitFor();
  await answer();
  expect(await message.isVisible()).toBe(true);
});

it('a network without a route to the internet does not count as offline', async () => {
  const account = await dashboard.server.createNamedAccount('jane-intranet');
  const { page } = await dashboard.open(account);
  // The notice is shown in the next frame, until a request succeeds.
  await page.evaluate(`(async () => {
    Object.defineProperty(navigator, 'onLine', { value: false });
    dispatchEvent(new Event('offline'));
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  })()`);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
});

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

it.each([
  { viewport: { width: 1280, height: 700 }, colorScheme: 'dark' },
  { viewport: { width: 320, height: 700 }, colorScheme: 'light' },
] as const)(
  'a bar at the top of the window distinguishes the dashboard from pages: the dashboard and its sign-in screens have it, a page that imitates them has not ($viewport.width, $colorScheme)',
  async (options) => {
    const account = await dashboard.server.createAccount();
    const { page } = await dashboard.visit(await dashboard.createLoginLink(account), options);
    expect(await hasBar(page)).toBe(true);
    await page.locator('.plate', { hasText: new URL(dashboard.base).host }).waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
    // The bar stays in place on scroll.
    await page.evaluate('scrollTo(0, 1e6)');
    expect(await hasBar(page)).toBe(true);

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
    const { page: imitation } = await dashboard.visit(`/@${name}`, options);
    await imitation.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
    expect(await hasBar(imitation)).toBe(false);
    await imitation.getByRole('main').getByText(`@${name}`, { exact: true }).waitFor();
  },
);

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
  const { page, context } = await dashboard.visit('/dashboard/keys');
  await page.getByLabel('API key').fill(account.key);
  await page.getByLabel('API key').press('Enter');
  const secret = await createKey(page, 'status page');
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page.getByRole('link', { name: /^Discord/ }).click();
  await page.getByLabel('Webhook URL').fill(webhook.url);
  await page.getByRole('button', { name: 'Add and send a test' }).click();
  await page.locator('.delivery').waitFor();
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
  expect(JSON.parse(contextStorage)).toEqual([]);
});

it('after signing out, Back shows no account data, and never shows a key again', async () => {
  const account = await dashboard.server.createNamedAccount('jane-goes-back');
  const { page } = await dashboard.openFromHome(account, 'Keys');
  await page.getByText('@jane-goes-back').first().waitFor();
  const secret = await createKey(page, 'a label of a key');
  await page.getByRole('cell', { name: 'a label of a key' }).first().waitFor();
  await page.getByRole('link', { name: 'Activity', exact: true }).first().click();
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
