import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertAuditEntry } from '#db/queries/audit-log.ts';
import { addReport, makeOperator } from '../support/endpoints.ts';
import { addPicture } from '../support/pictures.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard, waitForDialogClosed } from './support/dashboard.ts';
import { expectNoProblems, FAILED_REQUEST } from './support/visit.ts';

const dashboard = setUpDashboard(() => startTestApp({ CUSTOM_DOMAIN_TARGET: undefined }));

async function createNamedAccount(name: string) {
  const account = await dashboard.server.createNamedAccount(name);
  await account.client.site.toggleSiteVisibility();
  return account;
}

it('an operator finds a reported page, and suspends and resumes its account', async () => {
  const [operator, phisher] = [
    await createNamedAccount('op-one'),
    await createNamedAccount('phisher'),
  ];
  await makeOperator(dashboard.server, operator);
  await addReport(dashboard.server, phisher, 'impersonation');
  const { visit, page } = await dashboard.open(operator, 'Members');
  await page.getByText('1 report', { exact: true }).waitFor();
  const menuLink = page.getByRole('link', { name: 'Reports', exact: true });
  await menuLink.getByText('1', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Operators/ }).waitFor();
  // A filter chosen while the search waits for the end of the typing stays.
  await page.evaluate(`(async () => {
    const input = document.querySelector('input[type=search]');
    input.value = 'phis';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
    [...document.querySelectorAll('.member-filters .chip')]
      .find(({ textContent }) => textContent.startsWith('Operators')).click();
  })()`);
  await page.waitForURL('**/operator/members?search=phis&state=operators');
  await page.getByText('No members found').waitFor();
  await page.getByRole('button', { name: /^All/ }).click();
  await expect.poll(() => page.getByRole('link', { name: '@op-one' }).count()).toBe(0);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { page: narrow } = await dashboard.open(operator, 'Members', phone);
  await narrow.getByRole('button', { name: 'More for @phisher' }).click();
  await narrow.locator('.menu-item').nth(3).waitFor();
  const rows: { y: number; height: number }[] = await narrow.evaluate(
    `[...document.querySelectorAll('.menu-item')].map((item) => item.getBoundingClientRect())
      .map(({ y, height }) => ({ y: Math.round(y), height: Math.round(height) }))`,
  );
  expect(rows.length).toBeGreaterThan(3);
  for (const [index, { y, height }] of rows.entries()) {
    expect(height).toBeGreaterThanOrEqual(44);
    expect(y).toBeGreaterThanOrEqual(index === 0 ? 0 : rows[index - 1]!.y + height);
  }
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByText('Impersonation').waitFor();
  await narrow.goto(page.url());
  const sender = await narrow.getByText('Anonymous').boundingBox();
  expect(sender!.height).toBeLessThan(30);
  await expectNoProblems(visit);
  await page.getByRole('link', { name: '@jane' }).click();
  await page.getByRole('heading', { name: '@phisher', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Suspend account' }).click();
  const dialog = page.getByRole('dialog');
  // The form loads after the dialog has opened.
  await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
  visit.ignoredMessages.push(FAILED_REQUEST);
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await dialog.getByText('Reason is missing.').waitFor();
  await dialog.getByLabel('Reason').fill('Phishing');
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await page.getByText('Suspended account').first().waitFor();
  await page.getByText('Phishing').first().waitFor();
  const readStatus = async () => (await fetch(`${dashboard.base}/@phisher`)).status;
  expect(await readStatus()).toBe(404);
  await page.getByText('No open reports').waitFor();
  await menuLink.getByText('1', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Resume account' }).click();
  await dialog.getByRole('button', { name: 'Resume account' }).click();
  await page.getByRole('button', { name: 'Suspend account' }).waitFor();
  expect(await readStatus()).toBe(200);

  await addReport(dashboard.server, phisher);
  await addReport(dashboard.server, phisher, 'scam');
  await menuLink.click();
  // One card for both reports.
  await page.getByText('Scam or phishing · Something else').waitFor();
  await page.getByRole('button', { name: 'Hide the page of jane' }).click();
  await dialog.getByText('this server has no contact').waitFor();
  await dialog.getByLabel('Reason').fill('Spam');
  await dialog.getByRole('button', { name: 'Hide page' }).click();
  await page.getByText('The page of @phisher is hidden.').waitFor();
  await page.getByText('No open reports').waitFor();
  expect(await readStatus()).toBe(404);
  await addReport(dashboard.server, phisher);
  await page.reload();
  // Operators can look at a page while it is hidden.
  const hiddenPage = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'View page of jane' }).first().click();
  await (await hiddenPage).getByRole('heading', { name: 'phisher', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Dismiss reports about jane' }).click();
  await page.getByText('Dismissed 1 report about jane.').waitFor();
  await menuLink.getByText('1', { exact: true }).waitFor({ state: 'detached' });

  await makeOperator(dashboard.server, phisher);
  await page.goto(`${dashboard.base}/dashboard/operator/members/${operator.id}`);
  await page.getByRole('button', { name: 'Step down' }).click();
  await dialog.getByRole('button', { name: 'Step down' }).click();
  await page.getByText('You are now a member.').waitFor();
  await page.getByText('Your page is live.').waitFor();
  await menuLink.waitFor({ state: 'detached' });
});

it('an operator invites a member, renames and deletes the account, and releases its name', async () => {
  const operator = await createNamedAccount('op-two');
  await createNamedAccount('tom');
  await makeOperator(dashboard.server, operator);
  await inTransaction(dashboard.server.db, (trx) =>
    insertAuditEntry(trx, {
      ...{ who: 'root@club', via: 'command', action: 'members.createMember' },
      ...{ account_id: null, name: null, project_id: null, key_id: null },
      detail: {
        ...{ days: 14, mail: true },
        accounts: Array.from({ length: 500 }, (_, index) => `name-${index}`),
      },
    }),
  );
  const { visit, page } = await dashboard.open(operator, 'Members');
  const dialog = page.getByRole('dialog');
  await page.getByRole('link', { name: '@tom' }).click();
  await page.getByRole('button', { name: 'Create login link' }).click();
  await dialog.getByRole('button', { name: 'Create login link' }).click();
  await dialog.getByText('/dashboard/login#').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await download).suggestedFilename()).toMatch(/^tom-.*\.zip$/);
  await page.getByRole('button', { name: 'Rename' }).click();
  await dialog.getByLabel('New name').fill('Tom Ashdown');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: '@tom-ashdown', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Release tom' }).click();
  await dialog.getByRole('button', { name: 'Release' }).click();
  await page.getByRole('heading', { name: 'Names held back' }).waitFor({ state: 'detached' });
  await page.getByText('Released name').waitFor();
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByLabel('Type tom-ashdown to confirm').fill('jane');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByText('This is not the name of the account.').waitFor();
  await dialog.getByLabel('Type tom-ashdown to confirm').fill('tom-ashdown');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  expect((await fetch(`${dashboard.base}/@tom-ashdown`)).status).toBe(404);
  await page.goto(`${dashboard.base}/dashboard/operator/audit`);
  await page.waitForURL('**/activity?kind=audit');
  await page.getByText('valid for 14 days · sent by mail').waitFor();
  await page.getByRole('heading', { name: 'Today', level: 2 }).waitFor();
  await page.locator('summary').click();
  await page.getByText('500 accounts').waitFor();
  await page.getByText('@name-9', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('@name-10', { exact: true }).count()).toBe(0);
  await page.getByText('490 more in the API.').waitFor();
  expect(await page.getByText('You · Operator').count()).toBeGreaterThan(2);
  await expectNoProblems(visit);
});

it('an operator exports the members that the search finds, as a table or as cards', async () => {
  const operator = await createNamedAccount('op-export');
  await makeOperator(dashboard.server, operator);
  await createNamedAccount('zoe-export');
  const { visit, page } = await dashboard.open(operator, 'Members');
  await page.getByLabel('Search members').fill('zoe-exp');
  await page.waitForURL('**/operator/members?search=zoe-exp');
  const dialog = page.getByRole('dialog', { name: 'Export members' });
  const download = async (format: string) => {
    await page.locator('#main').getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByText('1 person · Search: “zoe-exp”').waitFor();
    await dialog.getByRole('radio', { name: format }).check();
    await expectNoProblems(visit);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ]);
    await waitForDialogClosed(dialog);
    return readFile(await file.path(), 'utf8');
  };
  expect(await download('Table (CSV)')).toMatch(/^\uFEFFname,.*\r\n,,zoe-export,.*\r\n$/);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await download('Address book (vCard)')).toMatch(/^BEGIN:VCARD[^]*\nFN:zoe-export\r\n/);
});

it('the list of members shows faces and counts, and suspends an account in place', async () => {
  const [operator, ada] = [await createNamedAccount('op-list'), await createNamedAccount('ada')];
  await makeOperator(dashboard.server, operator);
  const { url } = await addPicture(dashboard.server, ada);
  await ada.client.site.updateSiteConfiguration({ display_name: 'Ada Byron', avatar_url: url });
  const { visit, page } = await dashboard.open(operator, 'Members');
  const row = page.getByRole('row').filter({ hasText: '@ada' });
  await row.getByRole('link', { name: 'Ada Byron' }).waitFor();
  const pictureWidth = () =>
    page.evaluate<number>('document.querySelector(".member-list img").naturalWidth');
  await expect.poll(pictureWidth).toBe(96);
  // On phones, screen readers still get every column with its title, and every value.
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.getByRole('columnheader').count()).toBe(5);
  expect(await row.getByRole('cell').count()).toBe(5);
  // Without a title, only the last use is below the name, at the same left edge.
  const untitled = page.getByRole('row').filter({ hasText: '@op-list' });
  const nameBox = await untitled.getByRole('link').boundingBox();
  const timeBox = await untitled.locator('time').first().boundingBox();
  expect(timeBox!.x).toBe(nameBox!.x);
  // A tap acts on its own row.
  const ownRow = page.getByRole('button', { name: 'More for @op-list' });
  await ownRow.click();
  await page.getByRole('button', { name: 'Create login link' }).waitFor();
  await page.keyboard.press('Escape');
  await row.getByRole('link', { name: 'Ada Byron' }).click();
  await page.getByRole('heading', { name: 'Ada Byron @ada', level: 1 }).waitFor();
  await page.getByRole('term').getByText('Pictures').waitFor();
  expect(await page.getByRole('term').getByText('Projects').count()).toBe(0);
  await page.goBack();
  await page.setViewportSize({ width: 1280, height: 800 });
  const accountRow = (await page.locator('.account-button').boundingBox())!;
  expect(accountRow.y + accountRow.height).toBeLessThanOrEqual(800);
  const readCounts = async () => {
    const chips = page.getByRole('group', { name: 'Which members' }).getByRole('button');
    const texts = await chips.allInnerTexts();
    // A filter that finds nobody is not shown.
    const suspended = texts.find((text) => text.startsWith('Suspended'));
    return [texts[0], suspended ?? '0'].map((text) => Number(/\d+/.exec(text ?? '')));
  };
  await expect.poll(async () => (await readCounts())[0]).toBeGreaterThan(1);
  const [, suspended = 0] = await readCounts();
  await row.getByRole('button', { name: 'More for @ada' }).click();
  await page.getByRole('button', { name: 'Suspend account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspend @ada?' });
  await dialog.getByLabel('Reason').fill('Spam');
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await row.getByText('Suspended', { exact: true }).waitFor();
  // The total can be a minute old.
  await expect.poll(async () => (await readCounts())[1]).toBe(suspended + 1);
  await expectNoProblems(visit);
});

it('the Domains screen tells operators how to turn on custom domains, and members that they are off', async () => {
  const { page } = await dashboard.openNew('Settings');
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await page.getByText('Once they are on').waitFor();
  const { page: operatorPage } = await dashboard.openOperator('Your server');
  await operatorPage.goto(`${dashboard.base}/dashboard/domains`);
  await operatorPage.getByRole('link', { name: 'Set up domains' }).click();
  await operatorPage.getByText('docs/custom-domains.md').waitFor();
});

it('an operator can retry if their rights could not be loaded, and others have no operator screen', async () => {
  const { page: memberPage } = await dashboard.openNew();
  await memberPage.goto(`${dashboard.base}/dashboard/operator`);
  await memberPage.getByRole('heading', { name: 'Only operators see this page.' }).waitFor();
  await expect.poll(() => memberPage.getByRole('link', { name: 'Members' }).count()).toBe(0);

  const { page } = await dashboard.openOperator('Your server');
  const sessionUrl = '**/owner/sessions/get-session';
  await page.route(sessionUrl, (route) => route.fulfill({ status: 500, json: { error: 'No.' } }));
  await page.goto(`${dashboard.base}/dashboard/operator/members`);
  const retryButton = page.getByRole('button', { name: 'Try again' });
  await retryButton.waitFor();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await page.unroute(sessionUrl);
  await retryButton.click();
  await page.getByRole('table', { name: 'Members' }).waitFor();
  await page.getByRole('link', { name: 'Members', exact: true }).waitFor();
});
