import { it } from 'vitest';
import { addReport, makeOperator } from '../support/endpoints.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

it('an operator sees what is missing on the server, and tests its mail', async () => {
  const [operator, member] = [
    await dashboard.server.createAccount(),
    await dashboard.server.createAccount(),
  ];
  await makeOperator(dashboard.server, operator);
  await addReport(dashboard.server, member);
  const opened = await dashboard.open(operator, 'Your server');
  const { page } = opened;
  const needs = page.getByRole('region', { name: 'Needs you' });
  await needs.getByText('There is no backup yet.').waitFor();
  await needs.getByText('1 open report').waitFor();
  await page.getByRole('button', { name: 'How to fix it (Backup)' }).click();
  await page.getByText('docs/backup.md').waitFor();
  await expectNoProblems(opened);
  await page.getByRole('button', { name: 'Send test mail' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Send to').fill('op-four@example.com');
  await dialog.getByRole('button', { name: 'Send test mail' }).click();
  await dialog.getByText('The mail server did not accept the mail (E').waitFor();
  await expectNoProblems(opened);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Sent test mail').waitFor();
  await page.getByRole('link', { name: 'Look at it' }).click();
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  await page.route('**/owner/operator/get-server', async (route) => {
    const server = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...server, open_reports: 0, setup: [] } });
  });
  await page.goBack();
  await page.getByRole('heading', { name: 'Nothing needs you right now.' }).waitFor();
});
