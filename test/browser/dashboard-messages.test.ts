import { expect, it } from 'vitest';
import { setUpMailDashboard } from './support/mail-dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const { dashboard, mailServer } = setUpMailDashboard();

it('an operator writes to members, sees the mail before, and who got it', async () => {
  const { server } = dashboard;
  const { visit, page, account } = await dashboard.openOperator('Members');
  const { id } = await server.createNamedAccount('anna');
  await server.sql`UPDATE forwarding_settings SET login_email = 'anna@example.com'
    WHERE account_id IN (${id}, ${account.id})`;
  await page.getByRole('link', { name: 'Write to members' }).click();
  visit.ignoredMessages.push(/Autofocus processing was blocked/);
  await page.locator('form').getByRole('link', { name: 'Appearance' }).click();
  const contact = page.getByLabel('Contact');
  await expect.poll(() => contact.evaluate((field) => field.matches(':focus'))).toBe(true);
  await contact.fill('board@club.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. Everybody').waitFor();
  await page.goBack();
  await page.getByText('1 mailbox gets a mail. 1 person shares the mailbox').waitFor();
  await page.getByText('No messages').waitFor();
  visit.ignoredMessages.push(/status of 400/);
  await page.getByRole('button', { name: 'Send…' }).click();
  await page.getByText('Subject must be one line of 1 to 150 characters.').waitFor();
  await page.getByLabel('Subject').fill('Work party');
  await page.getByLabel('Text').fill('At ten.\nBring gloves.');
  const preview = page.frameLocator('iframe.shown');
  await preview.getByRole('heading', { name: 'Work party' }).waitFor();
  await preview.getByText('Bring gloves.').waitFor();
  await page.getByRole('button', { name: 'Send a test to me' }).click();
  await page.getByText('The test is on its way to you.').waitFor();
  await page.getByRole('button', { name: 'Send…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 mailbox gets a mail. It takes about 1 minute.').waitFor();
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Send 1 mail' }).click();
  await page.getByText('All members · just now').waitFor();
  await mailServer.waitForMails(2, 'anna@example.com');
  await expect.poll(() => page.getByText('1 sent').count()).toBe(2);
  await page.getByRole('button', { name: 'Show Work party' }).first().click();
  await dialog.getByText('Bring gloves.').waitFor();
  await expectNoProblems(visit);
});
