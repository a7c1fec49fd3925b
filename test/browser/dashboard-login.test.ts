import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type TestAccount, startTestApp } from '../support/test-app.ts';
import { HOME_HEADING, signOut, setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems, visitUrl } from './support/visit.ts';

/** Browser message for a 401 response. */
const UNAUTHORIZED = /status of 401 \(Unauthorized\)/;

const dashboard = setUpDashboard(startTestApp);

describe('signing in', () => {
  it('with a link takes one click on its button, works once, and removes the link from the address bar', async () => {
    const account = await dashboard.server.createAccount();
    const url = await dashboard.createLoginLink(account);
    await (await visitUrl(dashboard.browser, url)).page.reload();
    const visit = await visitUrl(dashboard.browser, url);
    const { page } = visit;
    await expectNoProblems(visit);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
    await expect.poll(() => page.url()).toBe(`${dashboard.base}/dashboard/`);
    await expectNoProblems(visit);

    const secondVisit = await visitUrl(dashboard.browser, url);
    secondVisit.ignoredMessages.push(UNAUTHORIZED);
    await secondVisit.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await secondVisit.page.getByText('This link no longer works.').waitFor();
    await expectNoProblems(secondVisit);
    await secondVisit.page.getByLabel('API key').fill(account.key);
    await secondVisit.page.getByRole('button', { name: 'Sign in with this key' }).click();
    await secondVisit.page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
  });

  it('with an incomplete link says so', async () => {
    const { page } = await visitUrl(dashboard.browser, `${dashboard.base}/dashboard/login#abc`);
    await page.getByText('This link no longer works.').waitFor();
    await page.goto(`${dashboard.base}/dashboard/registration#abc`);
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  });

  it('with a key opens the requested screen; an invalid key shows an error beside the field', async () => {
    const account = await dashboard.server.createAccount();
    const visit = await visitUrl(dashboard.browser, `${dashboard.base}/dashboard/keys?x=1`);
    const { page, messages } = visit;
    await expectNoProblems(visit);
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
    await expectNoProblems(visit);

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
    const account = await dashboard.server.createAccount();
    await account.client.account.updateDisplayName({ display_name: 'jane-again' });
    await publishAndHide(account);
    const visit = await dashboard.open(account);
    const { page } = visit;
    visit.ignoredMessages.push(UNAUTHORIZED);
    const visibility = page.getByRole('switch', { name: 'Page visible', checked: false });
    // Ended before the click, another request of the screen could ask for the login first.
    await page.route(
      '**/owner/page/set-visibility',
      async (route) => {
        await endSessions(account.id);
        await route.continue();
      },
      { times: 1 },
    );
    await visibility.click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await expectNoProblems(visit);
    await dialog.getByLabel('API key').fill(account.key);
    await dialog.getByRole('button', { name: 'Sign in with this key' }).click();
    await page.getByRole('switch', { name: 'Page visible', checked: true }).waitFor();
    expect(await account.client.site.getSiteStatus()).toEqual({ enabled: true });
  });

  it('again in another window closes the dialog in this one, which stays in the background', async () => {
    const account = await dashboard.server.createAccount();
    const { page, context } = await dashboard.open(account);
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
    await page.getByRole('heading', { name: 'Your data', exact: true }).first().waitFor();
  });

  it('again for an action that needs a recent login continues it, or sends nothing if canceled', async () => {
    const account = await dashboard.server.createAccount();
    const { page, messages } = await dashboard.open(account, 'Keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const createDialog = page.getByRole('dialog', { name: 'Create key' });
    await createDialog.getByLabel('Name').fill('status page');
    await createDialog.getByRole('radio', { name: 'Read only' }).check();
    await ageSessions(account.id);
    const createButton = createDialog.getByRole('button', { name: 'Create key' });
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    const cancelMessage = page.getByText('Nothing was changed because you did not sign in.');
    await createButton.click();
    await dialog.getByText('Your last login was more than an hour ago.').waitFor();
    await page.keyboard.press('Escape');
    await cancelMessage.waitFor();
    expect(await createDialog.getByLabel('Name').inputValue()).toBe('status page');
    await createButton.click();
    await dialog.getByText('No passkey?').click();
    await dialog.getByText(`npx nameplate login --account ${account.id}`).waitFor();
    await dialog.getByLabel('API key').fill(account.key);
    await dialog.getByRole('button', { name: 'Sign in with this key' }).click();
    await page.getByRole('heading', { name: 'status page is ready' }).waitFor();
    await page.getByRole('button', { name: 'I saved it' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Revoke/ }).count()).toBe(2);
    await endSessions(account.id);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await dialog.getByText('Your session has ended.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await cancelMessage.waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByLabel('API key').fill(account.key);
    await dialog.getByLabel('API key').press('Enter');
    await page
      .getByText(/^Signed in with the key/)
      .first()
      .waitFor();
    expect(messages.filter((text) => !/40[13]/.test(text))).toEqual([]);
  });

  it('tells members whom to ask, and folds the command for the operator of the server', async () => {
    const { page } = await visitUrl(dashboard.browser, `${dashboard.base}/dashboard/login`);
    await page.getByText('Ask your administrator for a login link.').waitFor();
    const command = page.getByText('npx nameplate login', { exact: true });
    await expect.poll(() => command.isVisible()).toBe(false);
    await page.getByText('I run this server').click();
    await expect.poll(() => command.isVisible()).toBe(true);
  });

  it('without JavaScript shows a message', async () => {
    const { page, messages } = await visitUrl(dashboard.browser, `${dashboard.base}/dashboard/`, {
      javaScriptEnabled: false,
    });
    const message = page.locator('noscript p');
    await expect.poll(() => message.isVisible()).toBe(true);
    await expect.poll(() => message.innerText()).toMatch(/^The dashboard needs JavaScript\./);
    expect(messages).toEqual([]);
  });
});

/** Makes the logins of an account too old to count as recent. */
async function ageSessions(accountId: string): Promise<void> {
  await sql`UPDATE sessions SET created_at = now() - interval '61 minutes'
    WHERE account_id = ${accountId}`.execute(dashboard.server.database.db);
}

async function endSessions(accountId: string): Promise<void> {
  await dashboard.server.database.db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .execute();
}

/** Makes Home show the switch instead of the first steps. */
async function publishAndHide({ client }: TestAccount): Promise<void> {
  await client.site.toggleSiteVisibility();
  await client.site.toggleSiteVisibility();
}

describe('while offline', () => {
  it('the dashboard says so and loses nothing', async () => {
    const account = await dashboard.server.createAccount();
    await account.client.account.updateDisplayName({ display_name: 'jane-offline' });
    await publishAndHide(account);
    const { page, context } = await dashboard.open(account);
    await page.getByRole('switch', { name: 'Page visible', checked: false }).waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('switch', { name: 'Page visible', checked: false }).click();
    await page.locator('.message').getByText('The server cannot be reached.').waitFor();
    await context.setOffline(false);
    const message = page.locator('.message').getByText('The server cannot be reached.');
    await message.waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Page visible', checked: false }).click();
    await page.getByRole('switch', { name: 'Page visible', checked: true }).waitFor();
  });
});
