import { beforeAll, expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { findAccessibilityViolations } from './support/visit.ts';

const dashboard = setUpDashboard(() => startTestApp());

const SINGERS = ['anna', 'karl', 'lena'];
beforeAll(async () => {
  for (const name of SINGERS) await dashboard.server.createNamedAccount(name);
});

it('an operator creates groups, ticks members into them, and filters by them', async () => {
  const { page, account } = await dashboard.openOperator('Members');
  await page.getByText('Groups', { exact: true }).click();
  await page.getByText('No groups yet').waitFor();
  const dialog = page.getByRole('dialog');
  for (const [name, color] of [
    ['Altos', 'Green'],
    ['Board', 'Purple'],
  ] as const) {
    await page.getByRole('button', { name: 'New group' }).click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel(color).check();
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('link', { name }).waitFor();
  }
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await page.getByText('Members', { exact: true }).last().click();
  await page.getByLabel('Select @lena').check();
  const selected = page.getByRole('region', { name: 'Selected people' });
  await selected.getByRole('button', { name: 'Clear selection' }).click();
  await selected.waitFor({ state: 'detached' });
  await page.getByLabel('Select @anna').check();
  await page.getByLabel('Select @karl').check();
  await selected.getByRole('button', { name: 'Groups' }).click();
  await dialog.getByLabel('Altos').check();
  await dialog.getByText('adds 2').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Altos 2' }).waitFor();

  await page.getByLabel('Select @karl').check();
  await page.getByLabel('Select @lena').check();
  await selected.getByRole('button', { name: 'Groups' }).click();
  await dialog.getByText('1 of 2').waitFor();
  await dialog.getByLabel('Board').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Board 2' }).click();
  const rows = page.getByRole('table', { name: 'Members' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(3);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  await dialog.getByText('2 people · Filter: Board').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'No group' }).click();
  await expect.poll(() => rows.count()).toBe(2);

  const { groups } = await account.owner.groups.listGroups();
  expect(groups.map(({ name, color, members }) => [name, color, members])).toEqual([
    ['Altos', 'green', 2],
    ['Board', 'purple', 2],
  ]);
});

it('a deleted group can be brought back, and the screen of a member changes groups', async () => {
  const { page } = await dashboard.openOperator('Members');
  await page.goto(`${dashboard.base}/dashboard/operator/members/groups`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'More for Altos' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('2 members are no longer in it. You can bring it back for 30').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Bring back Altos' }).click();
  await page.getByRole('button', { name: 'More for Altos' }).waitFor();

  await page.goto(`${dashboard.base}/dashboard/operator/members?search=lena`);
  await page.getByRole('link', { name: '@lena' }).click();
  await page.getByRole('button', { name: 'Change groups' }).click();
  await dialog.getByLabel('Board').uncheck();
  await dialog.getByText('removes 1').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('region', { name: 'Member', exact: true })
    .getByText('None')
    .last()
    .waitFor();
});

it('a link to a group that is gone says so, in the list and when writing', async () => {
  const { page } = await dashboard.openOperator('Members');
  for (const path of ['operator/members', 'operator/members/messages']) {
    await page.goto(`${dashboard.base}/dashboard/${path}?group=${crypto.randomUUID()}`);
    await page.getByText('This group does not exist any more.').waitFor();
  }
});

it('while another list loads, “Show more” goes on with the one that is shown', async () => {
  const { page } = await dashboard.openOperator('Members');
  const asked: string[] = [];
  await page.route('**/owner/members/list-members*', async (route) => {
    const { searchParams } = new URL(route.request().url());
    if (searchParams.has('after')) {
      asked.push(searchParams.get('state') ?? 'all');
      return route.fulfill({ json: { members: [], total: null, next: null } });
    }
    // Never answered.
    if (searchParams.get('state') === 'operators') return;
    const response = await route.fetch();
    const body = (await response.json()) as { members: { id: string }[] };
    await route.fulfill({ response, json: { ...body, next: body.members[0]!.id } });
  });
  await page.reload();
  const more = page.getByRole('button', { name: 'Show more' });
  await more.waitFor();
  await page.getByRole('button', { name: /^Operators/ }).click();
  await more.click();
  await more.waitFor({ state: 'detached' });
  expect(asked).toEqual(['all']);
});
