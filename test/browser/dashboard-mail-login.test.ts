import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import type { TestAccount } from '../support/test-app.ts';
import { expectFocus, tabTo } from './support/keyboard.ts';
import { setUpMailDashboard } from './support/mail-dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const { dashboard, mailServer, receiveLink } = setUpMailDashboard();

async function createAccountWithAddress(
  name: string,
  confirmed: true | null = true,
): Promise<TestAccount> {
  const account = await dashboard.server.createForwardedAccount(name, `${name}@example.com`);
  await dashboard.server.sql`UPDATE forwarding_settings SET forwarding_confirmed = ${confirmed}
    WHERE account_id = ${account.id}`;
  return account;
}

it('a login link is mailed on request; an unknown address gets the same response', async () => {
  await createAccountWithAddress('jane-mail');
  const { visit, page } = await dashboard.visit('/dashboard/mail');
  const field = page.getByLabel('Email address');
  const sendButton = page.getByRole('button', { name: 'Email me a link' });
  await field.fill('jane');
  await sendButton.click();
  await page
    .locator('.field')
    .getByText('Enter an email address, such as jane@example.com.')
    .waitFor();
  const responses = [];
  for (const email of ['nobody@example.com', 'jane-mail@example.com']) {
    await field.fill(email);
    await field.press('Enter');
    const message = page.getByText(
      `If ${email} belongs to an account, we sent a link to its inbox`,
    );
    responses.push((await message.innerText()).replace(email, 'address'));
  }
  expect(responses[0]).toBe(responses[1]);
  await expect.poll(() => page.locator('.field .error').count()).toBe(0);
  await expectNoProblems(visit);
  const link = await receiveLink(/\/dashboard\/login#[\w-]{43}\/jane-mail\b/);

  vi.spyOn(dashboard.server.outbox, 'isAvailable', 'get').mockReturnValue(false);
  onTestFinished(() => void vi.restoreAllMocks());
  await field.press('Enter');
  await page.locator('.field').getByText('This server sends no mail. Ask its operator').waitFor();
  await page.reload();
  await page.getByLabel('API key').waitFor();
  await expect.poll(() => sendButton.count()).toBe(0);

  const loginPage = await visit.context.newPage();
  await loginPage.goto(link);
  await loginPage.getByText('This link signs you in as @jane-mail once').waitFor();
  await loginPage.getByRole('button', { name: 'Sign in', exact: true }).click();
  await loginPage.getByRole('button', { name: '@jane-mail' }).waitFor();
  // Both tabs show the screen that was asked for.
  for (const tab of [loginPage, page])
    await tab.getByRole('heading', { name: 'Mail', level: 1 }).waitFor();
});

it('an operator sends the link to the new address of a member again, and cancels the change', async () => {
  const { server } = dashboard;
  const [member, operator] = [
    await createAccountWithAddress('mia'),
    await server.createNamedAccount('nora'),
  ];
  await makeOperator(server, operator);
  const email = 'mia.new@example.com';
  await member.client.emailForwarding.emailForwardingToggle({ enabled: true, email });
  const { visit, page } = await dashboard.open(operator, 'Members');
  await page.getByText('mia@example.com', { exact: true }).waitFor();
  await page.getByText(`${email} (not confirmed)`, { exact: true }).waitFor();
  await page.getByRole('link', { name: '@mia' }).click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText(`Sent another link to ${email}.`).waitFor();
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Cancel the change' }).click();
  await page.getByText(`${email} is not confirmed yet`).waitFor({ state: 'detached' });
  await page.getByText('Cancelled the change.').waitFor();
  const trail = await server.sql`SELECT detail FROM audit_log
    WHERE account_id = ${member.id} ORDER BY created_at`;
  expect(trail).toEqual([{ detail: { resent: true } }, { detail: { cancelled: true } }]);
});

it('without a forwarding provider, the address for signing in is shown and changed in Settings', async () => {
  const account = await dashboard.server.createNamedAccount('mia-mail');
  const { db } = dashboard.server;
  await sql`UPDATE forwarding_settings SET login_email = 'mia@example.com',
    forwarding_email = 'mia@example.com', forwarding_confirmed = true
    WHERE account_id = ${account.id}`.execute(db);
  const { page } = await dashboard.open(account, 'Home');
  await page.route('**/get-forwarding', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const row = page.locator('.list-row', { hasText: 'Email address for signing in' });
  await row.getByText('(error 500)').waitFor();
  await page.unroute('**/get-forwarding');
  await row.getByRole('button', { name: 'Try again' }).click();
  await row.getByText('mia@example.com', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Email address for signing in' }).waitFor();
  await row.click();
  await sql`UPDATE sessions SET created_at = now() - interval '2 hours'`.execute(db);
  const dialog = page.getByRole('dialog', { name: 'Email address for signing in' });
  await dialog.getByLabel('Email address').fill('mia@example.org');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const signIn = page.getByRole('dialog', { name: 'Sign in again' });
  await signIn.getByText('Other ways').click();
  await signIn.getByLabel('API key').fill(account.key);
  await signIn.getByLabel('API key').press('Enter');
  await row
    .getByText('mia@example.com, until you open the link in the mail to mia@example.org.')
    .waitFor();
  const mails = await eventually(
    () => mailServer.received,
    ({ length }) => length === 2,
  );
  const sources = mails.map(({ source }) => source).join('\n');
  expect(sources).toContain('Confirm your email address at names.example.org');
  expect(sources).toContain('A new email address for your account at names.example.org');
  const [path = ''] = /\/confirm\/[\w-]{43}\b/.exec(sources) ?? [];
  const confirmation = await page.context().newPage();
  await confirmation.goto(dashboard.base + path);
  await confirmation.getByText('Login links for the account mia-mail will go').waitFor();
  await confirmation.getByRole('button', { name: 'Confirm address' }).click();
  await confirmation.getByText('Login links for the account mia-mail now go').waitFor();
  await page.reload();
  await row.getByText('mia@example.org', { exact: true }).waitFor();
  expect((await dashboard.server.forwarding.list()).map(({ name }) => name)).not.toContain(
    'mia-mail',
  );
});

it('an address from before the server sent mail is shown as unconfirmed, with a button that sends a confirmation', async () => {
  const account = await createAccountWithAddress('jill-mail', null);
  // The mail from turning forwarding on. If it still waited, the next mail would replace it.
  await receiveLink(/\/confirm\/[\w-]{43}\b/);
  mailServer.received.length = 0;
  const { page } = await dashboard.open(account, 'Mail');
  await page.getByText('jill-mail@example.com is not confirmed yet').waitFor();
  await page.getByRole('button', { name: 'Send confirmation mail' }).click();
  await page.getByText('Open the link in the mail to jill-mail@example.com.').waitFor();
  await receiveLink(/\/confirm\/[\w-]{43}\b/);
  await dashboard.server.db
    .updateTable('forwarding_settings')
    .set({ forwarding_confirmed: true })
    .where('account_id', '=', account.id)
    .execute();
  await page.reload();
  await page.getByText('Your mail goes to jill-mail@example.com.').waitFor();
  await expect.poll(() => page.getByText('is not confirmed yet').count()).toBe(0);
});

it('forwarding is set up with the keyboard, and an error returns the focus to its field', async () => {
  const account = await dashboard.server.createNamedAccount('jane-mailkeys');
  const { page } = await dashboard.openFromHome(account, 'Mail');
  const { keyboard } = page;
  await page.getByRole('button', { name: 'Forward to…' }).waitFor();
  await expectFocus(page, 'Mail');
  await tabTo(page, 'Forward to…');
  await keyboard.press('Enter');
  await keyboard.type('nobody\n');
  await page.locator('.field').getByText('Enter an address such as jane@example.org.').waitFor();
  await expectFocus(page, 'Email address');
  await keyboard.press('Control+a');
  await keyboard.type('jane@example.com\n');
  await page
    .getByRole('heading', { name: 'Open the link in the mail to jane@example.com.' })
    .waitFor();
  await page.locator('.plate.off').waitFor();
  const path = (await receiveLink(/\/confirm\/[\w-]{43}\b/)).replace(dashboard.base, '');
  // Like a link that is opened on a phone. The screen notices by itself.
  await dashboard.server.app.inject({ method: 'POST', url: path });
  await page.getByRole('heading', { name: 'Your mail goes to jane@example.com.' }).waitFor();
  await page.locator('.plate:not(.off)').waitFor();
  await dashboard.server.enableForwarding(account, 'new@example.com');
  await page.reload();
  const notice = page.getByText('Open the link in the mail to new@example.com within 24 hours.');
  await notice.waitFor();
  await page.getByRole('heading', { name: 'Your mail goes to jane@example.com.' }).waitFor();
  await page.getByRole('button', { name: 'Cancel the change' }).click();
  await page.getByText('Cancelled the change.').waitFor();
  await notice.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Stop forwarding' }).press('Enter');
  await page.getByRole('heading', { name: 'goes nowhere' }).waitFor();
});
