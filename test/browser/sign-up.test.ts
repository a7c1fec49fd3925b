import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { EMPTY_INSTANCE } from '#db/queries/instance.ts';
import { outsideReaderMail } from '#server/features/addresses/group-mails.ts';
import { createInvitationLink } from '#server/features/invitations/invitation.ts';
import { applicationMail, approvalMail } from '#server/features/sign-up/application-mails.ts';
import { signUpMail } from '#server/features/sign-up/sign-up-mail.ts';
import { composeMail } from '#server/platform/mail/compose-mail.ts';
import { writeMail } from '#server/platform/mail/write-mail.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { send } from '../support/call.ts';
import { createPage } from '../support/publish-page.ts';
import { setUpMailDashboard } from './support/mail-dashboard.ts';
import { expectNoProblems, FAILED_REQUEST } from './support/visit.ts';

const PHONE = { viewport: { width: 390, height: 844 } };

const { dashboard, mailServer, receiveLink } = setUpMailDashboard();

const receiveSignUpLink = (email: string) =>
  receiveLink(/\/dashboard\/registration#[\w-]{43}\/[a-z0-9-]+/, email);

/** Chromium reports a field that it can no longer focus by itself. */
async function fillEmail(page: Page, address: string): Promise<void> {
  const field = page.getByLabel('Email address');
  await field.and(page.locator(':focus')).waitFor();
  await field.fill(address);
}

it('on a phone a visitor finds a free name while typing, and signs up with a mailed link', async () => {
  await dashboard.server.createNamedAccount('taken-name');
  const bio = 'Coxswain of the eight, and baker on weekdays. '.repeat(3);
  for (const name of ['ada', 'a-very-long-name-of-a-member-that-needs-two-lines']) {
    const { account } = await createPage(dashboard.server, { bio }, name);
    await send(dashboard.server, account, 'POST /owner/page/update-front-page', { visible: true });
  }
  const { visit, page } = await dashboard.visit('/', PHONE);
  const name = page.getByLabel('Your name');
  const status = page.getByRole('status');
  for (const [input, message] of [
    ['taken-name', 'taken-name is not available'],
    ['x', 'A name has 3 to 63 letters'],
  ] as const) {
    await name.fill('');
    await name.pressSequentially(input);
    await status.getByText(message).waitFor();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
  }
  await expectNoProblems(visit);
  await page.setViewportSize(PHONE.viewport);
  // Two lines of the bio, also below a name of two lines.
  const bioHeights = `Array.from(document.querySelectorAll('.mini small'),
    (bio) => bio.clientHeight >= 2 * parseFloat(getComputedStyle(bio).lineHeight) - 1)`;
  expect(await page.evaluate(bioHeights)).toEqual([true, true]);
  await name.fill('');
  await name.pressSequentially('Jane Phone');
  await status.getByText('jane-phone is available').waitFor();
  await expect.poll(() => name.getAttribute('aria-invalid')).toBeNull();
  await expect.poll(() => page.url()).toBe(`${dashboard.base}/`);

  expect(await page.locator('.phone .title').allTextContents()).toEqual(
    Array(3).fill('Jane Phone'),
  );
  // The plate covers no link before the third one.
  const gap = `document.querySelector('.stage .plate').getBoundingClientRect().top -
    document.querySelectorAll('.phone.jonas .row')[1].getBoundingClientRect().bottom`;
  await page.waitForFunction(`document.querySelector('.plate').getAnimations().length === 0`);
  expect(await page.evaluate(gap)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Claim this name' }).click();
  await fillEmail(page, 'jane@host.internal');
  visit.ignoredMessages.push(FAILED_REQUEST);
  await page.getByRole('button', { name: 'Send me the link' }).click();
  await page.getByText('Addresses that end in .internal do not exist on the internet.').waitFor();
  await fillEmail(page, 'jane@example.com');
  await page.getByRole('button', { name: 'Send me the link' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  await expectNoProblems(visit);
  const first = await receiveSignUpLink('jane@example.com');
  mailServer.received.length = 0;
  await page.getByRole('button', { name: 'Send it again' }).click();
  expect(await receiveSignUpLink('jane@example.com')).not.toBe(first);
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();

  const link = await receiveSignUpLink('jane@example.com');
  const signUpVisit = await dashboard.visit(link, PHONE);
  await signUpVisit.page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await expect.poll(() => signUpVisit.page.getByLabel('Name').inputValue()).toBe('jane-phone');
  await expectNoProblems(signUpVisit);
  await signUpVisit.page.getByRole('button', { name: 'Claim @jane-phone' }).click();
  await signUpVisit.page.getByText('@jane-phone', { exact: true }).first().waitFor();
  expect(signUpVisit.messages).toEqual([]);

  const secondVisit = await dashboard.visit(link, PHONE);
  secondVisit.ignoredMessages.push(FAILED_REQUEST);
  await secondVisit.page.getByRole('button', { name: 'Create account' }).click();
  await secondVisit.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  await secondVisit.page.getByRole('link', { name: 'Claim a name' }).click();
  await secondVisit.page.getByRole('heading', { name: 'Your name. Your page.' }).waitFor();
});

it('an invited member finds a free name while typing, and signs in with a mailed link', async () => {
  await dashboard.server.createNamedAccount('priya');
  const { db } = dashboard.server;
  const { invitation_url } = await createInvitationLink(db, dashboard.base, { days: 1 });
  const { visit, page } = await dashboard.visit(invitation_url, PHONE);
  const name = page.getByLabel('Name');
  // A check of the first letters is refused.
  visit.ignoredMessages.push(FAILED_REQUEST);
  await name.pressSequentially('Priya');
  await page.getByText('priya is not available').waitFor();
  await page.locator('.plate.taken').waitFor();
  await name.fill('José');
  await page.getByText('A name has 3 to 63 letters a to z, digits and hyphens.').waitFor();
  await page.getByRole('button', { name: 'jose', exact: true }).click();
  await page.getByText('jose is available').waitFor();
  await page.getByLabel('Email address').fill('jose@example.com');
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Send me the link' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  const nameCheck = page.waitForRequest('**/owner/account/check-registration');
  await page.goto(await receiveSignUpLink('jose@example.com'));
  await page.reload();
  // Without the token of the link, a server with sign-up by invitation refuses the check.
  expect((await nameCheck).postDataJSON()).toMatchObject({
    display_name: 'jose',
    registration_url: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
  await page.getByRole('button', { name: 'Claim @jose' }).click();
  await page.locator('.plate').getByText('@jose').waitFor();
  // There is no hint to add a passkey, because the account has an email address.
  await expect.poll(() => page.getByText('to sign in again').count()).toBe(0);
  expect(visit.messages).toEqual([]);
});

const LONG_ADDRESS = 'summer-party@members.rowing-club-of-the-lake.example.org';

it.each([
  {
    mail: applicationMail,
    about: { state: 'waiting', name: 'jane-reads', sentence: null, expiresAt: new Date() },
  },
  {
    mail: approvalMail,
    about: {
      name: 'jane-reads',
      by: 'nora',
      sentence: 'See you on Saturday.',
      address: 'jane@example.com',
    },
  },
  { mail: signUpMail, about: { name: 'jane-reads', sharedWith: [] } },
  {
    mail: outsideReaderMail,
    about: { group: LONG_ADDRESS, by: null, from: `old-${LONG_ADDRESS}` },
  },
  {
    mail: outsideReaderMail,
    about: { group: 'board-4@nameplate.example', by: null, from: null },
  },
])('the mail of $mail.kind is readable in light and dark', async ({ mail: kind, about }) => {
  const publicUrl = 'https://names.example.org';
  const link = `${publicUrl}/dashboard/registration#${'a'.repeat(43)}/jane-reads`;
  const visit = await dashboard.visit('about:blank', PHONE);
  const t = translatorFor('en');
  const mail = composeMail(
    writeMail<any>(
      kind,
      { ...about, address: 'jane@example.com', link },
      { publicUrl, instance: EMPTY_INSTANCE, t },
    ),
    EMPTY_INSTANCE,
    t,
    publicUrl,
  );
  await visit.page.setContent(mail.html!);
  await visit.page.locator(`a[href="${link}"]`).last().waitFor();
  await expectNoProblems(visit);
});
