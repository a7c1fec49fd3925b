import { afterAll, expect, it } from 'vitest';
import { startFakeImprovmx } from '../forwarding/fake-improvmx.ts';
import { startForwardingApp } from '../forwarding/forwarding-app.ts';
import { startMailServer } from '../forwarding/mail-server.ts';
import { send } from '../support/call.ts';
import { makeOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const [fake, mailServer] = [await startFakeImprovmx(), await startMailServer()];
const dashboard = setUpDashboard(() => {
  const settings = { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://names.example.org' };
  return startForwardingApp({ fake, settings });
});

afterAll(() => Promise.all([fake.close(), mailServer.close()]));

it('an operator creates an address for a member and somebody elsewhere, and the member sees it', async () => {
  const { server } = dashboard;
  const [operator, anna] = [
    await server.createNamedAccount('nora'),
    await server.createNamedAccount('anna'),
  ];
  await makeOperator(server, operator);
  await server.sql`UPDATE forwarding_settings SET login_email = 'anna@example.com'
    WHERE account_id = ${anna.id}`;
  const { visit, page } = await dashboard.open(operator, 'Group addresses');
  await page.getByText('No addresses yet').waitFor();
  await page.getByRole('button', { name: 'New address' }).click();
  const address = page.getByRole('textbox', { name: 'Address' });
  await address.fill('Board & Till ');
  await page.getByText('board-till@nameplate.example').waitFor();
  await address.fill('Board@nameplate.example');
  const readers = page.getByRole('textbox', { name: 'Who reads it' });
  await page.getByRole('button', { name: 'Create address' }).click();
  await page.getByText('Choose at least one reader.').waitFor();
  await readers.fill('ann');
  await page.getByRole('button', { name: '@anna' }).waitFor();
  await readers.press('Enter');
  await page.getByRole('button', { name: 'Remove @anna' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('recipients');
  // What was typed counts, too, if it names one member or is an address.
  await readers.fill('nobody');
  await page.getByRole('button', { name: 'Create address' }).click();
  await page.getByText('No member is called “nobody”.').waitFor();
  expect(await readers.getAttribute('aria-invalid')).toBe('true');
  await readers.fill('harbor@gmial.com');
  await page.getByRole('button', { name: 'Create address' }).click();
  await page.getByRole('button', { name: 'Did you mean harbor@gmail.com?' }).click();
  await page.getByRole('button', { name: 'Remove harbor@gmail.com' }).click();
  await readers.fill('trainer@club');
  await readers.press('Enter');
  await page.getByText('Enter an address such as jane@example.org.').waitFor();
  expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  // A member's own address names the member, who need not confirm it.
  await readers.fill('Anna@example.com');
  await readers.press('Enter');
  await page.getByRole('button', { name: 'Remove @anna' }).waitFor();
  await readers.fill('anna');
  await readers.press('Enter');
  await page.getByText('@anna is already one of them.').waitFor();
  await page.getByRole('button', { name: 'Remove @anna' }).click();
  await readers.fill('anna@example.com');
  await page.getByRole('button', { name: 'Create address' }).click();
  await page.getByText('Works', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'More for board@nameplate.example' }).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  mailServer.refusal = { code: 550, text: 'no such user' };
  await readers.fill('habor@town.example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('habor@town.example.org: The mail server refused the mail.').waitFor();
  mailServer.refusal = undefined;
  await page.getByRole('button', { name: 'Correct' }).click();
  expect(await readers.inputValue()).toBe('habor@town.example.org');
  await readers.fill('harbor@town.example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Reaches 1 of 2').waitFor();
  await page.getByText('Asked harbor@town.example.org').waitFor();
  expect(fake.aliases.get('board')).toBe('anna@example.com');
  await page.getByRole('button', { name: 'More for board@nameplate.example' }).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('listitem').getByText('waits', { exact: true }).waitFor();
  await address.fill('chair@');
  await page.getByText('chair@nameplate.example').waitFor();
  await page.getByText('Mail to board@nameplate.example is refused afterwards.').waitFor();
  await page.getByRole('button', { name: 'Remove harbor@town.example.org' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Works', { exact: true }).waitFor();
  await expectNoProblems(visit);

  const otto = await server.createNamedAccount('otto');
  await page.getByRole('button', { name: 'More for chair@nameplate.example' }).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await readers.fill('otto');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('@otto · no confirmed address').waitFor();
  const { page: settings } = await dashboard.open(otto, 'Settings');
  await settings.getByRole('button', { name: 'Delete my account' }).click();
  await settings
    .getByText('Mail to chair@nameplate.example no longer reaches this account.')
    .waitFor();
  const { page: members } = await dashboard.open(operator, 'Members');
  for (const action of ['Suspend account', 'Delete account']) {
    await members.getByRole('button', { name: 'More for @otto' }).click();
    await members.getByRole('button', { name: action }).click();
    await members
      .getByText('Mail to chair@nameplate.example no longer reaches this account.')
      .waitFor();
    await members.getByRole('button', { name: 'Cancel' }).click();
  }
  const suspension = { account_id: otto.id, reason: 'x' };
  await send(server, operator, 'POST /owner/members/suspend-member', suspension);
  await members.reload();
  await members.getByRole('button', { name: 'More for @otto' }).click();
  await members.getByRole('button', { name: 'Resume account' }).click();
  await members.getByText('Mail to chair@nameplate.example reaches it again.').waitFor();
  await members.getByRole('button', { name: 'Resume account' }).click();
  await members.getByText('Resumed @otto.').waitFor();
  await send(server, otto, 'POST /owner/account/delete-account', { confirm: 'otto' });
  await page.getByText('The account of a reader was deleted.').waitFor();
  await page.getByText('A mail to all operators says who it was.').waitFor();
  await page.getByRole('button', { name: 'OK' }).click();
  await page.getByText('The account of a reader was deleted.').waitFor({ state: 'detached' });

  const mail = await dashboard.open(anna, 'Mail');
  await mail.page.getByText('chair@nameplate.example').waitFor();
  // On a phone, the address breaks before its host and after its dots.
  expect(await mail.page.locator('.strong > wbr').count()).toBe(2);
  await mail.page.getByRole('button', { name: 'Leave' }).click();
  await mail.page.getByText('You do not get its mail.').waitFor();
  expect(
    await eventually(
      () => fake.aliases.has('chair'),
      (has) => !has,
    ),
  ).toBe(false);
  await expectNoProblems(mail);
  // The list of the operator, which is still open
  await page.getByText('@anna left, and can come back under Mail.').waitFor();
  await page.getByRole('button', { name: 'Choose readers' }).waitFor();
  expect(await page.getByRole('button', { name: 'Remove @anna' }).count()).toBe(0);
  const menuEntry = page.getByRole('link', { name: 'Group addresses' });
  await expect.poll(() => menuEntry.getAttribute('aria-description')).toBe('Needs you');
  const { page: own } = await dashboard.open(operator, 'Your server');
  await own.getByText('Nobody gets the mail to chair@nameplate.example.').waitFor();
  await own.getByRole('link', { name: 'Choose readers' }).click();
  await own.getByRole('heading', { name: 'Group addresses', level: 1 }).waitFor();
});
