import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { setUpMailDashboard } from './support/mail-dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const { dashboard, mailServer } = setUpMailDashboard();

const LIST = `Name;Mail;Stimme
Anna;anna@choir.example.com;Alto
Karl;karl@choir.example.com;Bass
Lena;lena@choir.example.com;Alto
`;

it('an operator imports a list with voices, writes to the altos, exports them, and takes the list back', async () => {
  const { server } = dashboard;
  for (const name of ['anna', 'karl']) {
    const { id } = await server.createNamedAccount(name);
    await server.sql`UPDATE forwarding_settings SET login_email = ${`${name}@choir.example.com`}
      WHERE account_id = ${id}`;
  }
  await inTransaction(server.db, (trx) =>
    saveInstance(trx, { name: 'Choir', contact: 'office@choir.example.com' }),
  );
  const { visit, page } = await dashboard.openOperator('Members');
  const dialog = page.getByRole('dialog');
  await page.getByRole('link', { name: 'Add members' }).click();
  await page.getByLabel('List of members').fill(LIST);
  await page.getByRole('button', { name: 'Check the list' }).click();
  await page.getByRole('heading', { name: 'Groups from “Stimme”' }).waitFor();
  const groups = page.getByRole('list', { name: 'Groups' }).getByRole('listitem');
  expect(await groups.allInnerTexts()).toEqual([
    expect.stringMatching(/^Alto\s+New\s+2 people · adds 1$/),
    expect.stringMatching(/^Bass\s+New\s+1 person · adds 1$/),
  ]);
  await page.getByText('1 person of the list has no account yet').waitFor();
  await page.getByText('Those with an account join the groups below, those').waitFor();
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Send 1 invitation' }).click();
  await page.getByText('Filled 2 groups.').waitFor();

  await page.goto(`${dashboard.base}/dashboard/operator/members`);
  await page.getByRole('button', { name: 'Alto 1' }).click();
  await page.getByRole('link', { name: 'Write to members' }).click();
  await page.getByText('Will reach 1 mailbox.').waitFor();
  await page.getByText('1 invited person has not joined yet').waitFor();
  await page.getByLabel('Subject').fill('Altos only');
  await page.getByLabel('Text').fill('At ten.');
  await page.getByRole('button', { name: 'Review and send' }).click();
  await dialog.getByRole('button', { name: 'Send 1 mail' }).click();
  await mailServer.waitForMails(1, 'anna@choir.example.com');
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('');
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('groups');

  await page.goto(`${dashboard.base}/dashboard/operator/members`);
  await page.getByRole('button', { name: 'Alto 1' }).click();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toContain('anna@choir.example.com');
  expect(file).not.toContain('karl@choir.example.com');

  await page.goto(`${dashboard.base}/dashboard/operator/members/groups`);
  await page.getByRole('link', { name: 'Alto' }).waitFor();
  await page.getByText('1 member · 1 invited').waitFor();
  const more = page.getByRole('button', { name: 'More for Alto' });
  await more.click();
  await page.getByRole('button', { name: 'Export' }).click();
  await dialog.getByText('1 person · Filter: Alto').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await more.click();
  await page.getByRole('button', { name: 'Write to its members' }).click();
  await page.getByText('Will reach 1 mailbox.').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Take back' }).click();
  await dialog.getByText('2 groups go into the bin for 30 days').waitFor();
  await dialog.getByText('2 members and 1 invited person').waitFor();
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await page.getByText('Took the list back. Groups in the bin: 2.').waitFor();
  await page.getByText('No groups yet').waitFor();
  await page.getByRole('button', { name: 'Bring back Alto' }).click();
  await page.getByRole('link', { name: 'Alto' }).waitFor();
  await page.getByText('1 member · 1 invited').waitFor();
  await expectNoProblems(visit);
});
