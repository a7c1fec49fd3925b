import { expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { setDeclined } from '#db/queries/applications.ts';
import { addApplication, createSignUpToken } from '../support/endpoints.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import {
  expectNoProblems,
  findAccessibilityViolations,
  measureHorizontalOverflow,
} from './support/visit.ts';

const dashboard = setUpDashboard(() =>
  startTestApp({ REGISTRATION: 'approval', mailEnabled: true }),
);

const PHONE = { viewport: { width: 390, height: 844 } };

it('operators let people in who wait, or decline, one or several', async () => {
  const { server, base } = dashboard;
  const ada = { name: 'ada-nowak', person: 'Ada Nowak', text: 'I moved to Skerry in August.' };
  await addApplication(server, ada);
  await addApplication(server, { name: 'x'.repeat(63), text: 'w'.repeat(500) });
  for (const name of ['spam-one', 'spam-two'])
    await addApplication(server, { name, email: 'spam@names.org' });
  for (const name of ['bo-lund', 'cy-lund']) await addApplication(server, { name });
  const visit = await dashboard.openOperator('Members');
  const { page } = visit;
  await page.getByRole('link', { name: 'Members' }).filter({ hasText: '6' }).waitFor();
  expect(await page.getByText('ada-nowak').count()).toBe(0);
  await page.getByText('Waiting 6').click();
  await page.getByText('I moved to Skerry in August.').waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await page.getByRole('heading', { name: 'Ada Nowak @ada-nowak' }).waitFor();
  await page.getByText('The same address: @spam-two').waitFor();
  await page.getByLabel('Select @spam-one').check();
  await page.getByRole('button', { name: 'Let in Ada Nowak' }).click();
  await page.locator('[name=sentence]:focus').waitFor();
  await page.getByLabel('A sentence from you').fill('See you on Saturday.');
  await page.locator('.panel').getByRole('button', { name: 'Let Ada Nowak in' }).click();
  await page.getByText('In: Ada Nowak.').waitFor();
  await page.getByLabel('Select @spam-two').check();
  const selected = page.getByRole('region', { name: 'Selected people' });
  await page.setViewportSize({ width: 1280, height: 420 });
  await page.evaluate('scrollTo(0, 0)');
  const box = (await selected.boundingBox())!;
  expect(box.y + box.height).toBeLessThanOrEqual(420);
  await selected.getByRole('button', { name: /^Decline/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Send a mail').click();
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByText(/^Declined: @spam-/).waitFor();
  const { members } = await visit.account.owner.members.listMembers({ search: 'ada-nowak' });
  expect(members).toMatchObject([{ email: 'ada-nowak@names.org', display_name: 'ada-nowak' }]);

  await page.setViewportSize(PHONE.viewport);
  expect(await measureHorizontalOverflow(page)).toBe(0);
  for (const name of ['bo-lund', 'cy-lund']) await page.getByLabel(`Select @${name}`).check();
  await selected.getByRole('button', { name: /^Let/ }).click();
  await dialog.getByRole('button', { name: /^Let/ }).click();
  await page.getByText(/^In: @..-lund and @..-lund/).waitFor();
  await page.goto(`${base}/dashboard/activity?kind=audit`);
  await page.getByText(/@bo-lund · @cy-lund|@cy-lund · @bo-lund/).waitFor();
  const reported = await server.createNamedAccount('dee-lund');
  await server.sql`INSERT INTO reports (account_id, name, reason)
    VALUES (${reported.id}, 'dee-lund', 'other')`;
  await page.goto(`${base}/dashboard/operator`);
  await page.getByText('1 person wants to join').first().waitFor();
  await page.locator('.more .notice-badge').getByText('2', { exact: true }).waitFor();
  // Mails of 0.3.1 have this link.
  await page.goto(`${base}/dashboard/operator/members/applications`);
  await page.getByRole('heading', { name: /^@x{63}/ }).waitFor();
  await expectNoProblems(visit);
});

it('people send an application with the mailed link, and withdraw it', async () => {
  const { server } = dashboard;
  const request = { email: 'mira@names.org', display_name: 'mira', application_text: 'Hello' };
  const token = await createSignUpToken(server.db, request);
  const { page } = await dashboard.visit(`/dashboard/application#${token}/mira`, PHONE);
  await page.getByRole('button', { name: 'Send application' }).click();
  await page.getByRole('heading', { name: 'Thanks. We’re reading it' }).waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await page.reload();
  await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  await page.getByText('the answer comes by mail').waitFor();

  const application = await addApplication(server, { name: 'goes-away', text: 'I row.' });
  const link = `/dashboard/withdrawal#${application.token}/goes-away`;
  const withdrawal = await dashboard.visit(link, PHONE);
  await withdrawal.page.getByText('I row.').waitFor();
  expect(await findAccessibilityViolations(withdrawal.page)).toEqual([]);
  await withdrawal.page.getByRole('button', { name: 'Take it back' }).click();
  await withdrawal.page.getByRole('heading', { name: 'Everything is deleted' }).waitFor();
  await withdrawal.page.reload();
  await withdrawal.page.getByRole('heading', { name: 'This application is closed' }).waitFor();
});

it('people who were declined read why, and delete the answer', async () => {
  const { server } = dashboard;
  const { id, token } = await addApplication(server, { name: 'not-now' });
  const decision = { by: 'kim', sentence: 'All berths are taken.' };
  await inTransaction(server.db, (trx) => setDeclined(trx, id, decision));
  const { page } = await dashboard.visit(`/dashboard/withdrawal#${token}/not-now`, PHONE);
  await page.getByText('All berths are taken.').waitFor();
  await page.getByText('@kim').waitFor();
  await page.getByRole('button', { name: 'Delete them now' }).click();
  await page.getByRole('heading', { name: 'Everything is deleted' }).waitFor();
  expect(await server.sql`SELECT FROM applications WHERE id = ${id}`).toEqual([]);
});

it('the form keeps what was written while the applicant is offline', async () => {
  const { page } = await dashboard.visit('/?name=offline-ada', PHONE);
  const values = { 'Full name': 'Ada Nowak', 'Email address': 'ada@names.org' };
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
  await page.getByLabel('Why would you like to join?').fill('I sail a Laser.');
  // Chromium stores what was written with a change of the history, otherwise a second later: a
  // user is never faster, but this test is.
  await page.evaluate('history.replaceState(null, "")');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
  await page.context().setOffline(false);
  await page.goBack();
  expect(await page.getByLabel('Why would you like to join?').inputValue()).toBe('I sail a Laser.');
  expect(await page.getByLabel('Full name').inputValue()).toBe('Ada Nowak');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Why would you like to join?').inputValue()).toBe('I sail a Laser.');
});
