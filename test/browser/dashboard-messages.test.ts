import type { Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { eventually } from '#test/support/eventually.ts';
import { setUpMailDashboard } from './support/mail-dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const { dashboard, mailServer } = setUpMailDashboard();

it('an operator writes to members, sees the mail before, and who got it', async () => {
  const { server } = dashboard;
  const { visit, page, account } = await dashboard.openOperator('Members');
  const { id } = await server.createNamedAccount('anna');
  const setEmail = (accountId: string) =>
    server.sql`UPDATE forwarding_settings SET login_email = 'anna@example.com'
      WHERE account_id = ${accountId}`;
  await setEmail(id);
  await page.getByRole('link', { name: 'Write to members' }).click();
  await page.getByText('Replies go there.').waitFor();
  await page.getByLabel('Subject').fill('Work party');
  await page.getByRole('button', { name: 'Set a contact' }).click();
  const dialog = page.getByRole('dialog');
  const contact = dialog.getByLabel('Email address');
  await expect.poll(() => contact.evaluate((field) => field.matches(':focus'))).toBe(true);
  await contact.fill('board@club.example');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('You can send these people 2 more messages within 24 hours').waitFor();
  await page.getByText('You have no confirmed address for a test.').waitFor();
  await page.getByText('1 person has no confirmed address.').waitFor();
  await setEmail(account.id);
  await page.getByText('1 person shares the mailbox').waitFor();
  // A document may be older than the change by some seconds.
  await eventually(
    async () => {
      await page.reload();
      await page.getByText('You can send these people 2 more messages within 24 hours').waitFor();
      return page.getByText('Members reply to the contact').count();
    },
    (count) => count === 0,
  );
  await page.getByText('Will reach 1 mailbox. 1 person shares the mailbox').waitFor();
  await page.getByText('No messages').waitFor();
  visit.ignoredMessages.push(/status of 40[01]/);
  await page.getByText('Your draft stays on this device.').waitFor();
  await page.getByLabel('Subject').fill('');
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.getByText('Subject is missing.').waitFor();
  await page.getByLabel('Subject').fill('Work party');
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.getByText('Text is missing.').waitFor();
  await page.getByLabel('Text').fill('At ten.\nBring gloves.');
  const preview = page.frameLocator('iframe.shown');
  await preview.getByRole('heading', { name: 'Work party' }).waitFor();
  await preview.getByText('Bring gloves.').waitFor();
  await page.getByRole('button', { name: 'Send a test to me' }).click();
  await page.getByText('The test is on its way to you.').waitFor();
  await page.getByRole('button', { name: 'Review and send' }).click();
  await dialog.getByRole('heading', { name: 'Send “Work party”?' }).waitFor();
  await dialog.getByText('To: All members.').waitFor();
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Send 1 mail' }).click();
  await page.getByText('All members · just now').waitFor();
  await mailServer.waitForMails(2, 'anna@example.com');
  await expect.poll(() => page.getByText('1 sent').count()).toBe(2);
  await page.setViewportSize({ width: 390, height: 844 });
  const subject = await page.getByText('Work party', { exact: true }).first().boundingBox();
  const show = await page.getByRole('button', { name: 'Show Work party' }).first().boundingBox();
  expect(show!.y).toBeGreaterThanOrEqual(subject!.y + subject!.height);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Show Work party' }).first().click();
  await dialog.getByText('Bring gloves.').waitFor();
  await dialog.getByText('Sent to the mailbox that they share.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Subject').fill('Next year');
  const otherTab = await page.context().newPage();
  await otherTab.goto(page.url());
  await expect.poll(() => otherTab.getByLabel('Subject').inputValue()).toBe('Next year');
  await otherTab.getByRole('button', { name: /Account$/ }).click();
  await otherTab.getByRole('button', { name: 'Sign out', exact: true }).click();
  await otherTab.waitForURL(/login$/);
  expect(await otherTab.evaluate('JSON.stringify(localStorage)')).not.toContain('Next year');
  await expectNoProblems(visit);
});

it('the number of recipients is never that of another audience', async () => {
  const { page } = await dashboard.openOperator('Members');
  await page.getByRole('link', { name: 'Write to members' }).click();
  await page.getByText('has no confirmed address.').first().waitFor();
  await page.route('**/owner/messages/preview-message', () => {});
  await page.getByLabel('To', { exact: true }).selectOption({ index: 1 });
  await page.getByText('Counting…').waitFor();
  expect(await page.getByText('has no confirmed address.').count()).toBe(0);
});

it('an official notice says before that it goes to members who have unsubscribed, and when the next can', async () => {
  const { server } = dashboard;
  const gone = await server.createNamedAccount('gone-notice');
  await server.sql`UPDATE forwarding_settings SET login_email = 'gone@notice.org'
    WHERE account_id = ${gone.id}`;
  await gone.owner.account.updateMessages({ messages: false });
  await inTransaction(server.db, (trx) => saveInstance(trx, { contact: 'board@club.example' }));
  const { visit, page } = await dashboard.openOperator('Members');
  await page.getByRole('link', { name: 'Write to members' }).click();
  await page.getByText('1 person has unsubscribed.').waitFor();
  await page.getByText('Official notice', { exact: true }).click();
  await page.getByText('1 person has unsubscribed, but gets this notice.').waitFor();
  const preview = page.frameLocator('iframe.shown');
  await preview.getByText('It also goes to members who have unsubscribed').waitFor();
  await page.getByLabel('Subject').fill('General assembly');
  await page.getByLabel('Text').fill('On 12 January at seven.');
  await page.getByRole('button', { name: 'Review and send' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 person has unsubscribed, but gets this notice.').waitFor();
  await dialog
    .getByText('The next official notice to the same people can be sent in 14 days.')
    .waitFor();
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: /^Send \d+ mail/ }).click();
  await page.getByText('Official notice · All members · just now').waitFor();
  await mailServer.waitForMails(1, 'gone@notice.org');
  await page.getByText('The next official notice to these people can be sent on').waitFor();
  const official = page.getByRole('switch', { name: 'Official notice' });
  expect(await official.isChecked()).toBe(false);
  const again = page.getByRole('button', { name: 'Write again General assembly' });
  await again.click();
  await expect.poll(() => official.isChecked()).toBe(true);
  expect(await page.getByLabel('Subject').inputValue()).toBe('General assembly');
  expect(await page.getByLabel('Text').inputValue()).toBe('On 12 January at seven.');
  // It would replace the text that is being written.
  expect(await again.count()).toBe(0);
  await expect
    .poll(() => page.getByRole('button', { name: 'Review and send' }).isDisabled())
    .toBe(true);
  await expectNoProblems(visit);
});

it('a message starts with the group of the list, but never takes the place of a choice or a draft', async () => {
  const { account, visit, page } = await dashboard.openOperator('Members');
  const { group } = await account.owner.groups.createGroup({ name: 'Altos' });
  const waiting: Route[] = [];
  await page.route('**/owner/groups/list-groups*', (route) => void waiting.push(route), {
    times: 1,
  });
  await page.goto(`${dashboard.base}/dashboard/operator/members/messages?group=${group.id}`);
  const to = page.getByLabel('To', { exact: true });
  await to.selectOption('Members without a published page');
  await expect.poll(() => waiting.length).toBe(1);
  await waiting[0]!.continue();
  const instead = page.getByRole('button', { name: 'Write to Altos instead' });
  await instead.waitFor();
  expect(await to.inputValue()).toBe('no_page');
  await page.getByLabel('Subject').fill('Rehearsal');
  await page.reload();
  await instead.waitFor();
  expect(await to.inputValue()).toBe('no_page');
  await expectNoProblems(visit);
  await instead.click();
  await expect.poll(() => to.inputValue()).toBe('groups');
  expect(await page.getByLabel('Subject').inputValue()).toBe('Rehearsal');
  expect(await instead.count()).toBe(0);
  await to.selectOption('All members');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => to.inputValue()).toBe('groups');
  visit.ignoredMessages.push(/status of 500/);
  await page.route('**/owner/groups/list-groups*', (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
  await page.reload();
  await page.getByText('Something went wrong on the server (error 500)').waitFor();
  expect(await to.inputValue()).toBe('all');
});
