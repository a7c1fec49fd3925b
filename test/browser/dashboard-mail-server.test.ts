import { afterAll, expect, it } from 'vitest';
import { type MailServer, SMTP_PASSWORD, startMailServer } from '../forwarding/mail-server.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems, FAILED_REQUEST } from './support/visit.ts';

const PUBLIC_URL = `http://localhost:${await findFreePort()}`;
let mailServer: MailServer;
const dashboard = setUpDashboard(async () => {
  mailServer = await startMailServer(undefined, { secure: true, name: 'smtp.gmail.com' });
  const { ca = '', url } = mailServer;
  return startTestApp({
    ...{ SMTP_URL: undefined, MAIL_FROM: undefined, PUBLIC_URL },
    resolveMailServer: async () => ({ host: '127.0.0.1', port: Number(new URL(url).port), ca }),
  });
}, PUBLIC_URL);
afterAll(() => mailServer.close());

it('an operator connects mail with an address and a password, and disconnects it', async () => {
  const { page, visit } = await dashboard.openOperator('Your server');
  visit.ignoredMessages.push(FAILED_REQUEST);
  await page.getByRole('link', { name: 'Connect mail' }).first().click();
  await page.getByLabel('Sender').fill('club@gmail.com');
  expect(await page.getByLabel('User').inputValue()).toBe('club@gmail.com');
  await page.getByLabel('Password (required)').fill('wrong');
  await page.getByText('Gmail needs a password for apps').waitFor();
  expect(await page.getByLabel('Mail server').inputValue()).toBe('smtp.gmail.com');
  await page.getByLabel('User').fill('nameplate');
  await page.getByLabel('Send the code to').fill('nora@example.net');
  await page.getByRole('button', { name: 'Send test mail' }).click();
  await page.getByText('The mail server refuses the login. Check').waitFor();
  await expectNoProblems(visit);
  await page.getByLabel('Password (required)').fill(SMTP_PASSWORD);
  await page.getByRole('button', { name: 'Send test mail' }).click();
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
  await expect.poll(() => page.locator('[name=code]:focus').count()).toBe(1);
  await page.reload();
  const [code = ''] = /\d{6}/.exec(/: (\d{6})/.exec(mailServer.received[0]!.source)![0])!;
  await page.getByLabel('Code').fill(` ${code} `);
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Connect mail' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.getByText('smtp.gmail.com:465').waitFor();
  await page.getByRole('link', { name: 'Invite members' }).waitFor();
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Change' }).click();
  // The password is stored for this port only.
  await page.getByLabel('Port').selectOption('587');
  await page.getByLabel('Password (required)').waitFor();
  await page.getByLabel('Port').selectOption('465');
  await page.getByLabel('Send the code to').fill('nroa@example.net');
  await page.getByRole('button', { name: 'Send test mail' }).click();
  await page.getByText('Until then, mail still goes through the old settings.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Change the settings' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('heading', { name: 'Connect a mailbox' }).waitFor();
});
