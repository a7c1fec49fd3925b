import { expect, it } from 'vitest';
import { HOME_HEADING, waitForDialogClosed } from './support/dashboard.ts';
import { setUpMailDashboard } from './support/mail-dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const PHONE = { viewport: { width: 390, height: 844 } };

const { dashboard, mailServer, receiveLink } = setUpMailDashboard();

const receiveInvitationLink = (email: string) =>
  receiveLink(/\/dashboard\/invitation#[\w-]{43}/, email);

const LIST = [
  'name;email;display_name',
  'Ann Lee;ann@example.com;',
  'José Müller;jose@example.com;José Müller',
  'Bob;bob@example;bob-one',
  'Ann Again;ann@example.com;',
  'Eve;;eve-one',
].join('\n');

it('an operator uploads a list, corrects it, and sees who was invited; a member joins with one click', async () => {
  const { visit, page } = await dashboard.openOperator('Members');
  await page.getByRole('link', { name: 'Add members' }).click();
  await page.getByRole('heading', { name: 'Add members', level: 1 }).waitFor();

  visit.ignoredMessages.push(/status of 4(00|09)/);
  const list = page.getByLabel('List of members');
  const check = page.getByRole('button', { name: 'Check the list' });
  await list.fill(
    'Members 2026;;\nWho;Last name;Contact\nAnn;Lee;call\nBen;Drake;b@example.com\n;;0171',
  );
  await check.click();
  await page.getByRole('heading', { name: 'Which column is which?' }).waitFor();
  expect(await page.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^Column\s+Line 3\s+Line 4\s+Line 5\s+Use as$/),
    expect.stringMatching(/^Who\s+Ann\s+Ben\s/),
    expect.stringMatching(/^Last name\s+Lee\s+Drake\s/),
    expect.stringMatching(/^Contact\s+call\s+b@example.com\s+0171\s/),
  ]);
  expect(await page.getByLabel('Use Last name as').inputValue()).toBe('last_name');
  await expectNoProblems(visit);
  expect(await check.isDisabled()).toBe(true);
  await page.getByLabel('Use Contact as').selectOption('Email address');
  await page.getByLabel('Use Who as').selectOption('First name');
  await check.click();
  await page.getByText('Ben Drake', { exact: true }).waitFor();
  await page.getByText('Columns used: Who, Last name, and Contact.').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  // Excel saves CSV files in Windows-1252.
  const file = { name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(LIST, 'latin1') };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect.poll(() => list.inputValue()).toBe(LIST);
  await check.click();

  const send = page.getByRole('button', { name: /^Send/ });
  await expect.poll(() => send.textContent()).toBe('Send 2 invitations');
  await page.getByText('Line 2 has the same address.').waitFor();
  await page.getByRole('button', { name: 'Use jose-mueller' }).click();
  await expect.poll(() => send.textContent()).toBe('Send 3 invitations');
  await page.getByRole('button', { name: 'Change line 4' }).click();
  const dialog = page.getByRole('dialog');
  const email = dialog.getByLabel('Email address');
  await expect.poll(() => email.evaluate((input) => input.matches(':focus'))).toBe(true);
  await email.fill('bob@example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForDialogClosed(dialog);
  await expect.poll(() => send.textContent()).toBe('Send 4 invitations');
  await page.getByText('The email address is missing.').waitFor();
  await expectNoProblems(visit);
  expect(mailServer.received).toEqual([]);

  await send.click();
  await page.getByRole('heading', { name: 'Invitations', level: 1 }).waitFor();
  await page.getByText('All were sent within the last hour.').waitFor();
  expect(await page.getByRole('button', { name: /^Send all/ }).count()).toBe(0);
  await expect.poll(() => page.getByText('Sent', { exact: true }).count()).toBeGreaterThan(2);
  await expectNoProblems(visit);

  await page.getByText('Lines that were not sent: 1.').waitFor();
  await page.getByRole('link', { name: 'Show the list' }).click();
  await page.getByText('The email address is missing.').waitFor();
  await page.getByRole('button', { name: 'Leave out line 6' }).click();
  await page.getByLabel('List of members').waitFor();

  const memberVisit = await dashboard.visit(await receiveInvitationLink('jose@example.com'), PHONE);
  await memberVisit.page.getByText('Hello José Müller!').waitFor();
  await memberVisit.page.getByText('jose-mueller is available').waitFor();
  await expectNoProblems(memberVisit);
  await memberVisit.page.getByRole('button', { name: 'Claim @jose-mueller' }).click();
  await memberVisit.page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
  await memberVisit.page.goto(await receiveInvitationLink('ann@example.com'));
  await memberVisit.page.getByText('You are signed in as @jose-mueller.').waitFor();

  await page.goBack();
  await page.getByRole('button', { name: /^Joined/ }).click();
  await page.getByRole('link', { name: 'José Müller' }).waitFor();
  await page.getByRole('button', { name: 'This list' }).click();
  await page.getByText('1 of 4 has joined.').waitFor();
  await page.getByRole('searchbox').fill('bob@');
  await expect.poll(() => page.getByText('ann@example.com').count()).toBe(0);
  await page.getByRole('button', { name: 'More for Bob' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('Revoked the invitation.').waitFor();
  await page.getByText('No invitation for “bob@”').waitFor();
  await page.getByRole('searchbox').fill('');
  await expect.poll(() => page.getByText('bob@example.com').count()).toBe(0);
  const mailCount = mailServer.received.length;
  await page.getByRole('button', { name: 'Send again to Ann Lee' }).click();
  await expect.poll(() => mailServer.received.length).toBe(mailCount + 1);

  await page.getByRole('button', { name: 'More for Ann Again' }).click();
  await page.getByRole('button', { name: 'Correct address' }).click();
  const address = page.getByLabel('Email address');
  await address.fill('ann.new@gmial.com');
  await address.blur();
  await page.getByRole('button', { name: 'Did you mean ann.new@gmail.com?' }).waitFor();
  await address.fill('ann.new@example.com');
  await page.getByRole('button', { name: 'Save and send' }).click();
  await receiveInvitationLink('ann.new@example.com');
  await page.getByText('All were sent within the last hour.').waitFor();
  await dashboard.server.sql`UPDATE invitations SET sent_at = now() - interval '2 hours'
    WHERE email = 'ann.new@example.com'`;
  await page.reload();
  await page.getByRole('button', { name: 'Send it again' }).click();
  await dialog.getByText('within the last hour are left out').waitFor();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Sending 1 invitation again.').waitFor();
});

it('invitations are sent again to those whom the list shows', async () => {
  const { account, page } = await dashboard.openOperator('Members');
  const { group } = await account.owner.groups.createGroup({ name: 'Altos' });
  const emails = ['alto@again.example.com', 'bass@again.example.com'];
  const [alto] = await dashboard.server.sql<{ id: string }>`
    INSERT INTO invitations (email, expires_at, batch_id, mail_state, sent_at)
    SELECT unnest(${emails}::text[]), now() + interval '9 days', gen_random_uuid(), 'sent',
      now() - interval '2 hours' RETURNING id`;
  await dashboard.server.sql`INSERT INTO invitation_groups (group_id, invitation_id, import_ids)
    VALUES (${group.id}, ${alto!.id}, '{}')`;
  const open = async (query: string) => {
    await page.goto(`${dashboard.base}/dashboard/operator/members/invitations?${query}`);
    await page.getByRole('table', { name: 'Invitations' }).waitFor();
  };
  await open('search=again');
  expect(await page.getByRole('button', { name: /^Send (it|all)/ }).count()).toBe(0);
  await open(`group=${group.id}`);
  // Until the next list is loaded, the list shows the altos.
  await page.route('**/owner/invitations/list-invitations*', () => {});
  const all = page.getByRole('button', { name: 'All', exact: true });
  await all.click();
  await expect.poll(() => all.getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: 'Send it again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Sending 1 invitation again.').waitFor();
  await mailServer.waitForMails(1, emails[0]!);
  expect(mailServer.received.flatMap(({ to }) => to)).not.toContain(emails[1]);
});

it('a link for a group has a QR code and four cards to print', async () => {
  const { visit, page } = await dashboard.openOperator('Members');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Invitations', exact: true }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('How many people').fill('30');
  await dialog.getByLabel('For').fill('Regatta');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('heading', { name: 'The link is ready' }).waitFor();
  await page.getByText('0 of 30 joined').waitFor();
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  await expectNoProblems(visit);
  await page.emulateMedia({ media: 'print' });
  const cards = page.getByText('Your name is waiting');
  await expect.poll(() => cards.count()).toBe(4);
  for (const card of await cards.all()) expect(await card.isVisible()).toBe(true);
  await expect.poll(() => page.getByText('The link is ready').isVisible()).toBe(false);
});
