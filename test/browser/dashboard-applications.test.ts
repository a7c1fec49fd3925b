import { expect, it } from 'vitest';
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

it('operators read applications, and decide about one or several', async () => {
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
  await page.getByRole('link', { name: 'Applications' }).click();
  await page.getByText('I moved to Skerry in August.').waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await page.getByRole('heading', { name: 'Ada Nowak @ada-nowak' }).waitFor();
  await page.getByText('The same address: @spam-two').waitFor();
  await page.getByLabel('Select spam-one').check();
  await page.getByRole('button', { name: 'Approve @ada-nowak' }).click();
  await page.getByLabel('A sentence from you').fill('See you on Saturday.');
  await page.getByRole('button', { name: 'Approve and send mail' }).click();
  await page.getByText('1 approved.').waitFor();
  await page.getByLabel('Select spam-two').check();
  const selected = page.getByRole('region', { name: 'Selected applications' });
  await page.setViewportSize({ width: 1280, height: 420 });
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  expect((await selected.boundingBox())!.y).toBeGreaterThanOrEqual(0);
  await selected.getByRole('button', { name: /^More for/ }).click();
  await page.getByRole('button', { name: 'Decline without a mail' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByText('2 declined.').waitFor();
  const { members } = await visit.account.owner.members.listMembers({ search: 'ada-nowak' });
  expect(members).toMatchObject([{ email: 'ada-nowak@names.org', display_name: 'ada-nowak' }]);

  await page.setViewportSize(PHONE.viewport);
  expect(await measureHorizontalOverflow(page)).toBe(0);
  for (const name of ['bo-lund', 'cy-lund']) await page.getByLabel(`Select ${name}`).check();
  await selected.getByRole('button', { name: /^Approve/ }).click();
  await page.locator('[name=sentence]:focus').waitFor();
  await page.getByRole('button', { name: 'Approve and send mail' }).click();
  await page.getByText('2 approved.').waitFor();
  await page.getByText('Approved', { exact: true }).click();
  await page.getByRole('heading', { name: 'Ada Nowak @ada-nowak', exact: true }).waitFor();
  await page.getByText('Declined', { exact: true }).click();
  await page.getByText('spam@names.org').first().waitFor();
  await page.goto(`${base}/dashboard/operator/audit`);
  await page.getByText('@bo-lund, @cy-lund').or(page.getByText('@cy-lund, @bo-lund')).waitFor();
  const reported = await server.createNamedAccount('dee-lund');
  await server.sql`INSERT INTO reports (account_id, name, reason)
    VALUES (${reported.id}, 'dee-lund', 'other')`;
  await page.goto(`${base}/dashboard/operator`);
  await page.getByText('1 person asks to join').first().waitFor();
  await page.locator('.more .notice-badge').getByText('2', { exact: true }).waitFor();
  await expectNoProblems(visit);
});

it('people send an application with the mailed link, and withdraw it', async () => {
  const { server } = dashboard;
  const request = { email: 'mira@names.org', display_name: 'mira', application_text: 'Hello' };
  const token = await createSignUpToken(server.db, request);
  const { page } = await dashboard.visit(`/dashboard/application#${token}/mira`, PHONE);
  await page.getByRole('button', { name: 'Send application' }).click();
  await page.getByRole('heading', { name: 'Your application is on its way' }).waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await page.reload();
  await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  await page.getByText('the answer comes by mail').waitFor();

  const application = await addApplication(server, { name: 'goes-away' });
  const withdrawal = await dashboard.visit(`/dashboard/withdrawal#${application.token}/goes-away`);
  await withdrawal.page.getByRole('button', { name: 'Withdraw' }).click();
  await withdrawal.page.getByRole('heading', { name: 'Your application is withdrawn' }).waitFor();
  await withdrawal.page.reload();
  await withdrawal.page.getByRole('heading', { name: 'This application is closed' }).waitFor();
});

it('the form keeps what was written while the applicant is offline', async () => {
  const { page } = await dashboard.visit('/?name=offline-ada', PHONE);
  const values = { 'Full name': 'Ada Nowak', 'Email address': 'ada@names.org' };
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
  await page.getByLabel('Why would you like to join?').fill('I sail a Laser.');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('chrome-error://**').catch(() => {});
  await page.context().setOffline(false);
  await page.goBack();
  expect(await page.getByLabel('Why would you like to join?').inputValue()).toBe('I sail a Laser.');
  expect(await page.getByLabel('Full name').inputValue()).toBe('Ada Nowak');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Why would you like to join?').inputValue()).toBe('I sail a Laser.');
});
