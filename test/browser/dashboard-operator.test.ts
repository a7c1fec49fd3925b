import { expect, it } from 'vitest';
import { addReport, makeOperator } from '../support/endpoints.ts';
import { startTestApp } from '../support/test-app.ts';
import { tryDashboard } from './support/dashboard.ts';
import { expectSound } from './support/visit.ts';

const tried = tryDashboard(startTestApp);

async function named(name: string) {
  const account = await tried.server.createAccount();
  await account.client.account.updateDisplayName({ display_name: name });
  await account.client.site.toggleSiteVisibility();
  return account;
}

it('an operator finds a reported page, suspends and resumes its account, and invites somebody', async () => {
  const [operator, phisher] = [await named('op-one'), await named('phisher')];
  await makeOperator(tried.server, operator);
  await addReport(tried.server, phisher);
  const opened = await tried.open(operator, 'Operator');
  const { page } = opened;
  await page.getByRole('cell', { name: '1 open' }).waitFor();
  await expectSound(opened);
  await page.getByLabel('Search accounts').fill('phis');
  await expect.poll(() => page.getByRole('link', { name: '@op-one' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByText('Something else').waitFor();
  await expectSound(opened);
  await page.getByRole('link', { name: '@jane' }).click();
  await page.getByRole('heading', { name: '@phisher', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Suspend account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await dialog.getByText('Reason must be one line of 1 to 500 characters.').waitFor();
  // The browser tells of the refusal, too.
  opened.said.length = 0;
  await dialog.getByLabel('Reason').fill('Phishing');
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await page.getByText('Suspended account').first().waitFor();
  await page.getByText('Phishing').first().waitFor();
  await expectSound(opened);
  const status = async () => (await fetch(`${tried.base}/@phisher`)).status;
  expect(await status()).toBe(404);
  await page.getByRole('button', { name: 'Resume account' }).click();
  await dialog.getByRole('button', { name: 'Resume account' }).click();
  await page.getByRole('button', { name: 'Suspend account' }).waitFor();
  expect(await status()).toBe(200);
  await page.getByRole('button', { name: 'Close the report of jane' }).click();
  await page.getByText('No open reports').waitFor();
  await page.getByRole('link', { name: 'All accounts' }).click();
  await page.getByRole('link', { name: 'Invitations', exact: true }).click();
  await page.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByRole('textbox', { name: 'For' }).fill('Jane Doe');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await page.getByText('/dashboard/invitation#').waitFor();
  await page.getByRole('cell', { name: 'Jane Doe', exact: true }).waitFor();
  await expectSound(opened);
  await page.getByRole('link', { name: 'Audit trail', exact: true }).click();
  await page.getByRole('cell', { name: '@op-one' }).first().waitFor();
  await expectSound(opened);
});

it('there is no such screen for anybody else', async () => {
  const account = await tried.server.createAccount();
  const { page } = await tried.open(account);
  await page.getByRole('link', { name: 'Security' }).waitFor();
  await page.goto(`${tried.base}/dashboard/operator`);
  await page.getByRole('heading', { name: 'No page here' }).waitFor();
  expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
});

it('an operator whose rights could not be read tries again', async () => {
  const operator = await tried.server.createAccount();
  await makeOperator(tried.server, operator);
  const { page } = await tried.open(operator);
  const rights = '**/owner/session/get-session';
  await page.route(rights, (route) => route.fulfill({ status: 500, json: { error: 'No.' } }));
  await page.goto(`${tried.base}/dashboard/operator`);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.getByRole('heading', { name: 'Operator', level: 1 }).waitFor();
  await page.unroute(rights);
  await again.click();
  await page.getByRole('table', { name: 'Accounts' }).waitFor();
  await page.getByRole('link', { name: /^Operator/ }).waitFor();
});
