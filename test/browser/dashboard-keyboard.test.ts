import { expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';
import { logIn } from '../support/session.ts';
import { enterName, HOME_HEADING, setUpDashboard } from './support/dashboard.ts';
import { waitForSaveState } from './support/editor.ts';
import { expectFocus, tabTo } from './support/keyboard.ts';
import { visitUrl } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

it('signing in, claiming a name and publishing work with the keyboard, with visible focus', async () => {
  const account = await dashboard.server.createAccount();
  const { page, messages } = await visitUrl(
    dashboard.browser,
    await dashboard.createLoginLink(account),
  );
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
  await page.getByRole('switch', { name: 'Page visible', checked: true }).waitFor();

  await page.reload();
  await page.getByRole('switch', { name: 'Page visible', checked: true }).waitFor();
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

it('events are loaded page by page with the keyboard', async () => {
  const account = await dashboard.server.createAccount();
  const rows = Array.from({ length: 120 }, (_, index) => ({
    account_id: account.id,
    type: 'display_name_updated' as const,
    outcome: 'succeeded' as const,
    detail: JSON.stringify({ to: `name-${index}` }),
    created_at: new Date(1_767_000_000_000 + index * 1_000),
  }));
  await dashboard.server.database.db.insertInto('events').values(rows).execute();
  const { page, messages } = await dashboard.open(account, 'Events');
  const { keyboard } = page;
  await page.getByText('changed to @name-119').waitFor();
  await tabTo(page, 'Refresh');
  await keyboard.press('Enter');
  // A refresh discards older events that are loaded at the same time.
  await page.locator('[aria-busy=false]', { hasText: 'Refresh' }).waitFor();
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
  const account = await dashboard.server.createAccount();
  await account.client.account.updateDisplayName({ display_name: 'jane-leaves' });
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
  await tabTo(page, 'Sessions');
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
