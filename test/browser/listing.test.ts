import { expect, it } from 'vitest';
import { createOperator } from '../support/endpoints.ts';
import { setUpMailDashboard } from './support/mail-dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const { dashboard } = setUpMailDashboard({ registration: 'invite' });

it('listing those who do not object asks first, with the number of mails; Settings know who objected', async () => {
  const { server } = dashboard;
  const anna = await server.createNamedAccount('anna');
  await anna.owner.page.updatePageVisibility({ visible: true });
  await server.sql`UPDATE forwarding_settings SET login_email = 'anna@example.com'
    WHERE account_id = ${anna.id}`;
  const { visit, page } = await dashboard.open(await createOperator(server, 'nora'), 'Appearance');
  await page.getByLabel('List of members').selectOption('members');
  await page.getByLabel('Who is in it').selectOption('unless_objected');
  const save = page.getByRole('button', { name: 'Save changes' });
  await save.click();
  const dialog = page.getByRole('dialog', { name: 'Send mails about the list?' });
  await dialog
    .getByText(/^1 member gets a mail within an hour, and is listed from .* on/)
    .waitFor();
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const read = () => server.sql`SELECT listing FROM instance`;
  expect(await read()).toEqual([]);
  await save.click();
  await dialog.getByRole('button', { name: 'Save and send' }).click();
  await page.getByText(/^Saved\. .* 1 member gets a mail within an hour/).waitFor();
  expect(await read()).toEqual([{ listing: 'unless_objected' }]);

  const settings = await dashboard.open(anna, 'Settings');
  await settings.page.getByText(/^You get a mail .* within an hour\. 14 days later/).waitFor();
  await anna.owner.page.updatePageVisibility({ visible: false });
  await settings.page.reload();
  await settings.page.getByText(/^Once your page is published/).waitFor();
  await settings.page.getByRole('button', { name: 'Object' }).click();
  await settings.page.getByText('You have objected').waitFor();
  await settings.page.getByRole('switch', { name: 'Show my page on the front page' }).click();
  await settings.page.getByText('You have objected').waitFor({ state: 'detached' });
  await expectNoProblems(settings.visit);
});
