import { afterAll, expect, it } from 'vitest';
import { type MailServer, SMTP_PASSWORD, startMailServer } from '../forwarding/mail-server.ts';
import { storeMailServer } from '../support/endpoints.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

let mailServer: MailServer;
const dashboard = setUpDashboard(async () => {
  mailServer = await startMailServer(undefined, { secure: true, name: 'mail.example.org' });
  const { ca = '', url } = mailServer;
  return startTestApp({
    ...{ SMTP_URL: undefined, MAIL_FROM: undefined, PUBLIC_URL: 'http://localhost' },
    resolveMailServer: async () => ({ host: '127.0.0.1', port: Number(new URL(url).port), ca }),
  });
});
afterAll(() => mailServer.close());

it('an operator tests a mail server that was connected in the dashboard, and sees its lines for the environment', async () => {
  const { visit, page } = await dashboard.openOperator('Your server');
  await page.getByRole('button', { name: 'How to fix it (Sending mail)' }).click();
  await page.getByText(/\.env .+SMTP_URL=.+MAIL_FROM=/s).waitFor();
  await storeMailServer(dashboard.server, { user: 'nameplate', password: SMTP_PASSWORD });
  await page.reload();
  await page.getByRole('button', { name: 'Send test mail (Sending mail)' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Send to').fill('nora@example.net');
  await dialog.getByRole('button', { name: 'Send test mail' }).click();
  await page.getByText('The mail server accepted the last test mail.').waitFor();
  expect(mailServer.received).toMatchObject([{ to: ['nora@example.net'] }]);
  await expectNoProblems(visit);
  const row = page.getByRole('button', { name: 'How to fix it (Mail server)' });
  await row.click();
  const secret = page.getByText(encodeURIComponent(SMTP_PASSWORD));
  expect(await secret.count()).toBe(0);
  await page.getByRole('button', { name: 'Show the lines' }).click();
  await secret.waitFor();
  await expectNoProblems(visit);
  await row.click();
  await secret.waitFor({ state: 'detached' });
});
