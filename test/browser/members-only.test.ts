import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../support/listen.ts';
import { publishPage } from '../support/publish-page.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';

const dashboard = setUpDashboard(startTestApp);

it('an owner shows the page to members, who can open it from a link on another site', async () => {
  const account = await dashboard.server.createAccount();
  await publishPage(account, 'jane-crew', { bio: 'For the crew' });
  const { page } = await dashboard.open(account);
  await page.getByText('Members', { exact: true }).click();
  await page.getByText('Members see your page now.').waitFor();
  await page.getByRole('radio', { name: 'Members', checked: true }).waitFor();
  await page.getByRole('heading', { name: 'Members see your page. Nobody else' }).waitFor();

  await page.getByRole('link', { name: 'Page', exact: true }).click();
  await page.getByRole('button', { name: 'Page options' }).click();
  await page.getByText('Who can see it').click();
  await page.getByRole('radio', { name: 'Members', checked: true }).waitFor();
  await page.getByRole('radio', { name: 'Hidden' }).click();
  await page.getByText('Your page is hidden.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('radio', { name: 'Members', checked: true }).waitFor();

  const otherSite = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<a href="${dashboard.base}/@jane-crew">Jane</a>`);
  });
  const { port, close } = await listen(otherSite);
  onTestFinished(close);
  const { page: memberPage } = await dashboard.openNew();
  await memberPage.goto(`http://localhost:${port}`);
  await memberPage.getByRole('link', { name: 'Jane' }).click();
  await memberPage.getByText('For the crew').waitFor();
  await memberPage.goBack();
  expect(memberPage.url()).toContain('localhost');
});

it('who signs in at the 404 of a page for members is led back to it', async () => {
  const account = await dashboard.server.createAccount();
  await publishPage(account, 'jane-table', { bio: 'For the table' });
  await account.owner.page.updatePageVisibility({ visible: false, members: true });
  // The links of 404 pages lead to the host of the server's own address.
  const base = dashboard.base.replace('127.0.0.1', 'localhost');
  const { page, context } = await dashboard.visit(`${base}/@jane-table`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByText('Other ways').click();
  await page.getByLabel('API key').fill(account.key);
  await page.getByLabel('API key').press('Enter');
  await page.getByText('For the table').waitFor();
  expect(new URL(page.url()).pathname).toBe('/@jane-table');

  // Somebody who is signed in by now comes back, too.
  const other = await context.newPage();
  await other.goto(`${base}/@nobody-here`);
  await other.getByRole('link', { name: 'Sign in' }).click();
  await other.waitForURL('**/@nobody-here');
});
