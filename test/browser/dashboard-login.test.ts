import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';
import { HOME, signOut, tryDashboard } from './support/dashboard.ts';
import { expectSound, visit } from './support/visit.ts';

/** Message that a browser logs for every 401 answer. */
const UNAUTHORIZED =
  'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

const tried = tryDashboard(startTestApp);

describe('signing in', () => {
  it('by a link is done by its button alone, once, and the link is gone from the address', async () => {
    const account = await tried.server.createAccount();
    const url = await tried.linkFor(account);
    await (await visit(tried.browser, url)).page.reload();
    const opened = await visit(tried.browser, url);
    const { page } = opened;
    await expectSound(opened);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: HOME, level: 1 }).waitFor();
    expect(page.url()).toBe(`${tried.base}/dashboard/`);
    await expectSound(opened);

    const again = await visit(tried.browser, url);
    await again.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.page.getByText('This link no longer works.').waitFor();
    expect(again.said.splice(0)).toEqual([UNAUTHORIZED]);
    await expectSound(again);
    await again.page.getByLabel('API key').fill(account.key);
    await again.page.getByRole('button', { name: 'Sign in with this key' }).click();
    await again.page.getByRole('heading', { name: HOME, level: 1 }).waitFor();
  });

  it('by a key leads to the page that was asked for; a key that is not valid is refused beside the field', async () => {
    const account = await tried.server.createAccount();
    const opened = await visit(tried.browser, `${tried.base}/dashboard/keys?x=1`);
    const { page, said } = opened;
    await expectSound(opened);
    const field = page.getByLabel('API key');
    await field.fill('np_wrong.key');
    await field.press('Enter');
    await page.locator('.field').getByText('This key is wrong, expired or revoked.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(said.splice(0)).toEqual([UNAUTHORIZED]);
    await field.fill(` ${account.key}\n`);
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    expect(page.url()).toBe(`${tried.base}/dashboard/keys?x=1`);
    const kept = await page.evaluate(
      '[localStorage.length, sessionStorage.length, document.cookie]',
    );
    expect(kept).toEqual([0, 0, '']);
    await expectSound(opened);

    await page.reload();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
    await page.goto(`${tried.base}/dashboard/keys`);
    await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
    expect(said).toEqual([
      expect.stringMatching(/^Clear-Site-Data header on .* Cleared data types/),
    ]);
  });

  it('again, when the session ended meanwhile, goes on with what was refused', async () => {
    const account = await tried.server.createAccount();
    await account.client.account.updateDisplayName({ display_name: 'jane-again' });
    const opened = await tried.open(account);
    const { page, said } = opened;
    const visibility = page.getByRole('switch', { name: 'Page visible', checked: false });
    await visibility.waitFor();
    await endSessions(account.id);
    await visibility.click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect([...new Set(said.splice(0))]).toEqual([UNAUTHORIZED]);
    await expectSound(opened);
    await dialog.getByLabel('API key').fill(account.key);
    await dialog.getByRole('button', { name: 'Sign in with this key' }).click();
    await page.getByRole('switch', { name: 'Page visible', checked: true }).waitFor();
    expect(await account.client.site.getSiteStatus()).toEqual({ enabled: true });
  });

  it('again, where a key takes a newer login, goes on to make it', async () => {
    const account = await tried.server.createAccount();
    const opened = await tried.open(account, 'Keys');
    const { page, said } = opened;
    await page.getByRole('button', { name: 'Create key' }).click();
    const making = page.getByRole('dialog', { name: 'Create key' });
    await making.getByRole('radio', { name: 'Read only' }).check();
    await ageSessions(account.id);
    await making.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText('No key or passkey?').click();
    await dialog.getByText(`npx nameplate login --account ${account.id}`).waitFor();
    await dialog.getByLabel('API key').fill(account.key);
    await dialog.getByRole('button', { name: 'Sign in with this key' }).click();
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor();
    expect(said).toEqual([UNAUTHORIZED.replace('401 (Unauthorized)', '403 (Forbidden)')]);
  });

  it('again is left by Cancel and by Escape: then nothing is done, and what was typed stays', async () => {
    const account = await tried.server.createAccount();
    const { page, said } = await tried.open(account, 'Keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const making = page.getByRole('dialog', { name: 'Create key' });
    await making.getByLabel('Name').fill('status page');
    await making.getByRole('radio', { name: 'Read only' }).check();
    await ageSessions(account.id);
    const make = making.getByRole('button', { name: 'Create key' });
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    const undone = page.getByText('Nothing was changed because you did not sign in.');
    for (const leave of [
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await make.click();
      await dialog.getByText('Your last login was more than an hour ago.').waitFor();
      await leave();
      await dialog.waitFor({ state: 'hidden' });
      await undone.waitFor();
      expect(await making.getByLabel('Name').inputValue()).toBe('status page');
      expect(await make.evaluate((button) => button.matches(':focus'))).toBe(true);
    }
    await page.keyboard.press('Escape');
    await making.waitFor({ state: 'hidden' });
    await endSessions(account.id);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await dialog.getByText('Your session has ended.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(await undone.innerText()).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByLabel('API key').fill(account.key);
    await dialog.getByLabel('API key').press('Enter');
    await page
      .getByText(/^Signed in with the key/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('cell', { name: 'Full access' }).waitFor();
    expect(await page.getByRole('button', { name: /^Revoke/ }).count()).toBe(1);
    expect(said.filter((text) => !/40[13]/.test(text))).toEqual([]);
  });

  it('that is no longer fresh is renewed before a passkey, a project or a confirmed address goes', async () => {
    const account = await tried.server.createAccount();
    const { db } = tried.server.database;
    await tried.server.createProject(account);
    await account.client.account.updateDisplayName({ display_name: 'jane-fresh' });
    await sql`INSERT INTO passkeys (id, account_id, public_key, counter, transports, label)
      VALUES ('fresh', ${account.id}, 'key', 0, '[]', 'Phone')`.execute(db);
    await sql`UPDATE forwarding_settings SET forwarding_email = 'jane@example.com', forwarding_confirmed = true
      WHERE account_id = ${account.id}`.execute(db);
    const { page } = await tried.open(account, 'Security');
    const signInAgain = async () => {
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.getByLabel('API key').fill(account.key);
      await dialog.getByLabel('API key').press('Enter');
      await dialog.waitFor({ state: 'detached' });
    };
    await ageSessions(account.id);
    await page.getByRole('button', { name: 'Remove Phone' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await signInAgain();
    await page.getByText('Removed Phone.').waitFor();

    await page.getByRole('link', { name: 'Metrics', exact: true }).click();
    await ageSessions(account.id);
    await page.getByRole('button', { name: 'More for Shop' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await signInAgain();
    await page.getByText('Deleted Shop.').waitFor();

    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByText('Change name').first().click();
    await ageSessions(account.id);
    const renaming = page.getByRole('dialog', { name: 'Change your name' });
    await renaming.getByLabel('New name').fill('jane-renewed');
    await renaming.getByText('jane-renewed is available').waitFor();
    await renaming.getByRole('button', { name: 'Change name' }).click();
    await signInAgain();
    await page.getByText('@jane-renewed').first().waitFor();
  });

  it('without JavaScript is refused in a sentence that can be read', async () => {
    const { page, said } = await visit(tried.browser, `${tried.base}/dashboard/`, {
      javaScriptEnabled: false,
    });
    const sentence = page.locator('noscript p');
    expect(await sentence.isVisible()).toBe(true);
    expect(await sentence.innerText()).toMatch(/^The dashboard needs JavaScript\./);
    expect(said).toEqual([]);
  });
});

/** Makes the sessions of an account too old for what needs a recent login. */
async function ageSessions(accountId: string): Promise<void> {
  await sql`UPDATE sessions SET created_at = now() - interval '61 minutes'
    WHERE account_id = ${accountId}`.execute(tried.server.database.db);
}

/** Ends what an account began, as on another server. */
async function endSessions(accountId: string): Promise<void> {
  await tried.server.database.db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .execute();
}

describe('without a connection', () => {
  it('one is told so, and nothing is lost', async () => {
    const account = await tried.server.createAccount();
    await account.client.account.updateDisplayName({ display_name: 'jane-offline' });
    const { page, context } = await tried.open(account);
    await page.getByRole('switch', { name: 'Page visible', checked: false }).waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('switch', { name: 'Page visible', checked: false }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    await context.setOffline(false);
    await page.getByRole('switch', { name: 'Page visible', checked: false }).click();
    await page.getByRole('switch', { name: 'Page visible', checked: true }).waitFor();
  });
});
