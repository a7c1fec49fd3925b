import { expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';
import { tryDashboard } from './support/dashboard.ts';
import { expectSound } from './support/visit.ts';

const tried = tryDashboard(startTestApp);

it('a project is made, its first metric is told how to send, seen in a plot, a sentence and a table, and put on the page', async () => {
  const account = await tried.server.createAccount();
  const opened = await tried.open(account, 'Metrics');
  const { page } = opened;
  await page.getByText('There is no project yet.').waitFor();
  await expectSound(opened);
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByRole('button', { name: 'Make project' }).click();
  await page.getByRole('link', { name: 'Shop' }).click();
  await page.getByText('Nothing was sent yet.').waitFor();
  await expectSound(opened);

  const { projects } = await account.client.stats.getProjects();
  const projectId = projects[0]!.id;
  for (const [visitors, country] of [
    [40, 'pt'],
    [2, 'es'],
    [8, 'pt'],
  ] as const)
    await account.client.stats.ingestMetrics({ projectId, payload: { visitors, country } });
  await page.getByRole('button', { name: 'I have sent one' }).click();
  await page.getByText('Number of metrics in the last 30 days: 3.').waitFor();
  await page.getByLabel('Field').selectOption('visitors');
  await page.getByText('Sum of visitors in the last 30 days: 50.').waitFor();
  await page.getByLabel('Group by').selectOption('country');
  await page.getByText('Sum of visitors in the last 30 days: pt 48, es 2.').waitFor();
  await page.getByText('The numbers as a table').click();
  await page.getByRole('columnheader', { name: 'es' }).waitFor();
  await page.locator('.chart canvas').waitFor();
  await page.locator('.chart').focus();
  await page.keyboard.press('End');
  await page.getByText(/: pt 48, es 2$/).waitFor();
  await expectSound(opened);

  await page.reload();
  await page.getByText('Sum of visitors in the last 30 days: pt 48, es 2.').waitFor();
  await page.getByLabel('Only where').selectOption('country');
  await page.getByLabel('Value').fill('es');
  await page.getByLabel('Group by').selectOption('');
  await page.getByText('Sum of visitors in the last 30 days: 2.').waitFor();
  await page.getByRole('cell', { name: '{"visitors":40,"country":"pt"}' }).waitFor();

  await page.getByRole('button', { name: 'Put on my page' }).click();
  await page.getByText('It is on your page').waitFor();
  const { blocks } = await account.client.site.getSiteConfiguration();
  expect(blocks).toMatchObject([
    { type: 'metric', project: projectId, field: 'visitors', aggregate: 'sum', days: 30 },
  ]);
  expect(opened.said).toEqual([]);
});

it('a project is renamed, and deleted after a question', async () => {
  const account = await tried.server.createAccount();
  await tried.server.createProject(account, 'Old name');
  const { page } = await tried.open(account, 'Metrics');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('New name').fill('New name');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('link', { name: 'New name' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There is no project yet.').waitFor();
  expect(await account.client.stats.getProjects()).toEqual({ projects: [] });
});
