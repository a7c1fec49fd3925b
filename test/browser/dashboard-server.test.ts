import { expect, it } from 'vitest';
import { backupJob } from '#server/features/backups/backup-job.ts';
import { registerJobs } from '#server/process/jobs.ts';
import { addReport, makeOperator, storeMailServer } from '../support/endpoints.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const dashboard = setUpDashboard(startTestApp);

it('a server without mail says so before an operator fills in a group address', async () => {
  const { page } = await dashboard.openOperator('Group addresses');
  await page.getByRole('heading', { name: 'This server sends no mail yet' }).waitFor();
  expect(await page.getByRole('button', { name: 'New address' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Set up' }).click();
  await page.getByRole('heading', { name: 'Your server', level: 1 }).waitFor();
});

it('an operator sees what is missing on the server, and tests its mail', async () => {
  const [operator, member] = [
    await dashboard.server.createAccount(),
    await dashboard.server.createAccount(),
  ];
  await makeOperator(dashboard.server, operator);
  await addReport(dashboard.server, member);
  const { visit: opened, page } = await dashboard.open(operator, 'Your server');
  const needs = page.getByRole('region', { name: 'To do' });
  await needs.getByText('Mails, invitations and passkeys need the address').waitFor();
  await needs.getByRole('heading', { name: '1 open report' }).waitFor();
  await page.getByRole('button', { name: 'How to fix it (Address)' }).click();
  await page.getByText(/\.env .+PUBLIC_URL=.+docker compose up .+public-instance\.md/s).waitFor();
  await expectNoProblems(opened);
  await page.getByRole('button', { name: 'How to fix it (Sending mail)' }).click();
  await page.getByText(/\.env .+SMTP_URL=.+MAIL_FROM=.+public-instance\.md/s).waitFor();
  await page.getByRole('button', { name: 'Send test mail' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Send to').fill('op-four@example.com');
  await dialog.getByRole('button', { name: 'Send test mail' }).click();
  await dialog.getByText('The mail server does not answer.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'View reports (1 open report)' }).click();
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  let setup: object[] = [{ code: 'addressSet', level: 'ok', title: 'Address', text: '' }];
  await page.route('**/owner/server/get-server', async (route) => {
    const server = (await (await route.fetch()).json()) as object;
    await route.fulfill({
      json: { ...server, open_reports: 0, login_email: 'op@example.com', setup },
    });
  });
  await page.goBack();
  await page.getByRole('heading', { name: 'Nothing to do' }).waitFor();

  const text = 'A file is in the way: /srv/backups must be a folder.';
  const failure = { code: 'backupFailed', level: 'warning', title: 'Backup', value: null, text };
  setup = [
    ...setup,
    { ...failure, fix: '# as root\nmkdir -p /srv/backups', document: 'docs/backup.md' },
  ];
  await page.reload();
  await page.getByRole('button', { name: 'How to fix it (Backup)' }).click();
  await page.getByText('mkdir -p /srv/backups').waitFor();
  expect(await page.getByText(text).count()).toBe(1);
  expect(await page.getByText('systemctl').count()).toBe(0);
});

it('an operator deletes a stored mail server that SMTP_URL replaces', async () => {
  await storeMailServer(dashboard.server);
  const { page } = await dashboard.openOperator('Your server');
  const row = page.getByRole('button', { name: 'Delete (Mail server)' });
  await row.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await dashboard.server.sql`SELECT encrypted_mail_server FROM instance`).toEqual([
    { encrypted_mail_server: null },
  ]);
});

it('an operator makes a member an operator, backs up and downloads the backup', async () => {
  const { server } = dashboard;
  registerJobs(server.nameplate, [backupJob]);
  const [operator, member] = [await server.createAccount(), await server.createAccount()];
  await makeOperator(server, operator);
  await member.client.account.updateDisplayName({ display_name: 'second-one' });
  await server.jobs.open();
  const { visit, page } = await dashboard.open(operator, 'Your server');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Back up and download' }).click();
  expect((await download).suggestedFilename()).toMatch(/^nameplate-[\d-]+\.zip$/);
  await expectNoProblems(visit);
  await page.getByRole('link', { name: '@second-one' }).click();
  await page.getByRole('button', { name: 'Make an operator' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make an operator' }).click();
  await page.getByRole('button', { name: 'Make a member' }).waitFor();
});
