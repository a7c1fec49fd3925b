import { expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { makeOperator } from '../support/endpoints.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems, visitUrl } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

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

it('the language is changed in Settings and stays if the change fails', async () => {
  const visit = await dashboard.open(await dashboard.server.createAccount(), 'Settings');
  const { page } = visit;
  const choice = page.getByRole('combobox', { name: 'Language' });
  await expect
    .poll(() => choice.getByRole('option').allInnerTexts())
    .toEqual(['English', 'Deutsch']);
  visit.ignoredMessages.push(/ERR_FAILED/);
  await page.route('**/update-language', (route) => route.abort());
  await choice.selectOption('Deutsch');
  await page.getByText('Check your connection and try again.').waitFor();
  expect(await choice.inputValue()).toBe('en');
  await page.unroute('**/update-language');

  await choice.selectOption('Deutsch');
  await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
  await expectNoProblems(visit);
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});

it('signing in loads the document once more if the account has another language', async () => {
  const account = await createGermanAccount();
  const url = `${dashboard.base}/dashboard/settings`;
  const visit = await visitUrl(dashboard.browser, url);
  await visit.page.getByLabel('API key').fill(account.key);
  await visit.page.getByRole('button', { name: 'Sign in with this key' }).click();
  await visit.page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
  await expectNoProblems(visit);
  expect(visit.requests.filter((request) => request === url)).toHaveLength(2);
});

it('signing in with a link opens Home in the language of the account', async () => {
  const link = await dashboard.createLoginLink(await createGermanAccount());
  const { page, requests } = await visitUrl(dashboard.browser, link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Willkommen bei Nameplate', level: 1 }).waitFor();
  const documents = requests.filter((request) => /\/dashboard\/(?:login)?$/.test(request));
  expect(documents.map((request) => new URL(request).pathname)).toEqual([
    '/dashboard/login',
    '/dashboard/',
  ]);
});

it('a list of new members is explained with the column titles of its example', async () => {
  const operator = await createGermanAccount();
  await makeOperator(dashboard.server, operator);
  const { page } = await visitUrl(dashboard.browser, await dashboard.createLoginLink(operator));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Mitglieder', exact: true }).click();
  await page.getByRole('link', { name: 'Mitglieder hinzufügen' }).click();
  await expect
    .poll(() => page.locator('main code').allInnerTexts())
    .toEqual(['E-Mail', 'Name', 'Vorname', 'Nachname', 'Adressname']);
});

it.each([320, 390])('on a phone, %d px wide, every tab is one line of text', async (width) => {
  // The first account is an operator's, and operators have other tabs.
  const { db } = dashboard.server.database;
  const account = await createGermanAccount();
  await db.deleteFrom('operators').where('account_id', '=', account.id).execute();
  await db
    .updateTable('accounts')
    .set({ developer_tools: false })
    .where('id', '=', account.id)
    .execute();
  const viewport = { width, height: 800 };
  const link = await dashboard.createLoginLink(account);
  const { page } = await visitUrl(dashboard.browser, link, { viewport });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Einstellungen', exact: true }).waitFor();
  const measureLines = () =>
    page.evaluate<number[]>(`[...document.querySelectorAll('nav a')].map((tab) => {
      const range = document.createRange();
      range.selectNodeContents(tab.lastChild);
      return range.getClientRects().length;
    })`);
  await expect.poll(measureLines).toEqual([1, 1, 1, 1, 1]);
  await page.evaluate(
    "document.querySelector('nav ul > :last-child a').lastChild.textContent = 'Configuración general'",
  );
  await expect.poll(measureLines).toEqual([1, 1, 1, 1, 1]);
});
