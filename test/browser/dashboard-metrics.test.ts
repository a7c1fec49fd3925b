import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { DAY_MS } from '#contract/shared/durations.ts';
import { createMonthPartitions, insertMetrics } from '../owner/support/metrics.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { addBlock, saveDraft } from './support/editor.ts';
import { expectNoProblems } from './support/visit.ts';

const sentMessages: string[] = [];
const dashboard = setUpDashboard(() =>
  startTestApp({
    chat: {
      deliver: async (_context, { message }, record) =>
        record(async () => {
          sentMessages.push(String(message.content));
          return '1';
        }),
    },
  }),
);

it('an alert is created, shows its value, is tested, fires, is changed and deleted', async () => {
  const account = await dashboard.server.createAccount();
  const projectId = await dashboard.server.createProject(account);
  await account.client.stats.ingestMetrics({ projectId, payload: { errors: 12 } });
  await account.owner.connections.createConnection({
    ...{ kind: 'discord', name: '#shop', event_types: [] },
    url: 'https://discord.com/api/webhooks/1/token',
  });
  const { visit, page } = await dashboard.open(account);
  const chart = { range: '1h', field: '["errors"]', where: '["errors"]', is: 'gt', value: '1' };
  const params = new URLSearchParams(chart).toString();
  await page.goto(`${dashboard.base}/dashboard/metrics/${projectId}?${params}`);
  await page.getByText('No alerts yet').waitFor();
  await page.getByRole('button', { name: 'Add alert' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add alert' });
  await dialog.getByText('The filters of the chart do not apply to alerts.').waitFor();
  await expect.poll(() => dialog.getByLabel('When the').inputValue()).toBe('sum');
  expect(await dialog.getByLabel('of', { exact: true }).inputValue()).toBe('["errors"]');
  await dialog.getByLabel('When the').selectOption('count');
  await dialog.getByLabel('of', { exact: true }).selectOption('[]');
  // Metrics have no sum: the first number is chosen.
  await dialog.getByLabel('When the').selectOption('sum');
  await expect.poll(() => dialog.getByLabel('of', { exact: true }).inputValue()).toBe('["errors"]');
  await dialog.getByLabel('threshold').fill('11');
  await dialog.getByLabel('in', { exact: true }).selectOption('the last hour');
  await dialog.getByText('Now: 12', { exact: true }).waitFor();
  await dialog.getByText('Fires now').waitFor();
  // The buttons stay visible below the long form.
  await page.setViewportSize({ width: 1280, height: 600 });
  const { y, height } = (await dialog.getByRole('button', { name: 'Add alert' }).boundingBox())!;
  expect(y + height).toBeLessThan(600);
  await dialog.getByText('No connection gets alerts').waitFor();
  // In another tab, so that the form stays.
  expect(await dialog.getByRole('link', { name: 'Add one' }).getAttribute('target')).toBe('_blank');
  await dialog.getByLabel('Send a message to').selectOption('Only #shop');
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await dialog.waitFor({ state: 'detached' });
  const condition = 'Sum of errors in the last hour is above 11';
  await page.getByText(condition).waitFor();
  await page.getByText('Checked once a minute', { exact: true }).waitFor();
  await dashboard.server.sql`UPDATE alerts SET state = 'fine'`;
  // The screen reloads when the window becomes visible again.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByText('OK', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/^Delivered: answer OK after/).waitFor();
  expect(sentMessages[0]).toMatch(/Test/);

  await dashboard.server.sql`UPDATE alerts SET state = 'firing', value = 12, changed_at = now(),
    last_error = '{"code": "notEvaluated"}'`;
  await page.reload();
  await page.getByText('Firing', { exact: true }).waitFor();
  await page.getByText('The latest check failed.').waitFor();
  await expectNoProblems(visit);

  await page.getByRole('button', { name: `Edit: ${condition}` }).click();
  const edit = page.getByRole('dialog', { name: 'Edit alert' });
  await edit.getByLabel('value').selectOption('has not arrived');
  await edit.getByText('1 arrived in the last hour.').waitFor();
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('No errors in the last hour').waitFor();
  await page.getByRole('button', { name: 'Delete: No errors in the last hour' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No alerts yet').waitFor();
});

async function openProject(
  payloads: Record<string, string | number>[],
  params: Record<string, string> = {},
) {
  const account = await dashboard.server.createAccount();
  const projectId = await dashboard.server.createProject(account);
  for (const payload of payloads) await account.client.stats.ingestMetrics({ projectId, payload });
  const visit = await dashboard.open(account);
  const search = new URLSearchParams(params).toString();
  await visit.page.goto(`${dashboard.base}/dashboard/metrics/${projectId}?${search}`);
  return { account, projectId, visit, page: visit.page };
}

it('a project is created, explains how to send its first metric, shows it as a chart, a summary and a table, puts it on the page, is renamed and deleted', async () => {
  const { account, visit, page } = await dashboard.openNew('Metrics');
  await page.getByText('No projects yet').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('link', { name: 'Shop' }).click();
  await page.getByText('Waiting for the first number').waitFor();
  const { projects } = await account.client.stats.getProjects();
  const projectId = projects[0]!.id;
  await page.getByRole('button', { name: 'Create key' }).click();
  await page
    .getByLabel('command', { exact: true })
    .getByText(/X-API-KEY: np_\w+\.\w+"/)
    .waitFor();
  await expectNoProblems(visit);
  // A test metric needs neither a key nor a recent login.
  await dashboard.server.sql`UPDATE sessions SET created_at = now() - interval '1 day'
    WHERE account_id = ${account.id}`;
  await page.getByRole('button', { name: 'Send a test metric' }).click();
  await page.getByText('Sum of visitors in the last hour: 42.').waitFor();

  await dashboard.server.sql`UPDATE sessions SET created_at = now()`;
  await dashboard.server.sql`DELETE FROM metrics`;
  for (const [visitors, country] of [
    [40, 'pt'],
    [2, 'es'],
    [8, 'pt'],
  ] as const)
    await account.client.stats.ingestMetrics({ projectId, payload: { visitors, country } });
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByText('Sum of visitors in the last hour: 50.').waitFor();
  await page.getByLabel('Range').selectOption('Last 30 days');
  await page.getByLabel('Group by').selectOption('country');
  await page.getByText('Sum of visitors in the last 30 days: pt 48, es 2.').waitFor();
  await page.getByText('Show values as a table').click();
  await page.getByRole('columnheader', { name: 'es', exact: true }).waitFor();
  await page.getByRole('group', { name: /^Chart/ }).focus();
  await page.keyboard.press('End');
  await page.getByText(/: pt 48, es 2$/).waitFor();

  await page.reload();
  await page.getByText('Sum of visitors in the last 30 days: pt 48, es 2.').waitFor();
  await page.getByLabel('Filter', { exact: true }).selectOption('country');
  await page.getByLabel('Value').fill('es');
  await page.getByLabel('Group by').selectOption('');
  await page.getByText('Sum of visitors in the last 30 days: 2.').waitFor();
  const latest = page.getByRole('table', { name: 'Latest metrics' });
  await latest.getByRole('cell', { name: '40', exact: true }).waitFor();
  await latest.getByRole('button', { name: 'JSON' }).first().click();
  const json = page.getByRole('dialog', { name: 'Metric' });
  expect(JSON.parse(await json.getByLabel('JSON', { exact: true }).innerText())).toEqual({
    visitors: 8,
    country: 'pt',
  });
  await expectNoProblems(visit);
  await json.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Page', exact: true }).click();
  await addBlock(page, 'Metric');
  await page.getByLabel('Project').selectOption('Shop');
  const fieldOptions = page.getByLabel('Field').getByRole('option');
  await expect
    .poll(async () => (await fieldOptions.allInnerTexts()).toSorted())
    .toEqual(['Number of metrics', 'visitors']);
  await page.getByLabel('Field').selectOption('visitors');
  await saveDraft(page);
  const { blocks } = await account.client.site.getSiteConfiguration();
  expect(blocks).toMatchObject([{ type: 'metric', project: projectId, field: 'visitors' }]);
  // The block does not expose the project's name.
  expect(JSON.stringify(blocks)).not.toContain('Shop');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.locator('.project').getByText('Sum of visitors').waitFor();
  await page.getByRole('link', { name: 'Metrics', exact: true }).click();
  // Until its minute is over, the first number has no chart; today is not part of the days.
  const card = page.locator('.project-card');
  await card.getByText(/^Sum of visitors · (?:so far|last hour)$/).waitFor();
  const { db } = dashboard.server;
  const firstDay = new Date(Date.now() - 14 * DAY_MS);
  await createMonthPartitions(db, firstDay.toISOString().slice(0, 7));
  await db
    .insertInto('metrics')
    .values(
      Array.from({ length: 15 }, (_, day) => ({
        project_id: projectId,
        payload: JSON.stringify({ visitors: day < 8 ? 2 : 1 }),
        received_at: new Date(Date.now() - day * DAY_MS),
      })),
    )
    .execute();
  await page.reload();
  await card.getByText('7 days up to yesterday').waitFor();
  await card.getByText('100% more than before').waitFor();
  await card.getByText('52 so far').waitFor();
  await expect.poll(() => card.innerText()).toMatch(/^Shop\s+More for Shop\s+14\s/);
  await expectNoProblems(visit);
  const choose = async (name: string, command: string) => {
    await page.getByRole('button', { name: `More for ${name}` }).click();
    await page.getByRole('button', { name: command, exact: true }).click();
  };
  await choose('Shop', 'Rename');
  await page.getByLabel('New name').fill('Kiln');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('link', { name: 'Kiln', exact: true }).click();
  await page.getByText('Sum of visitors in the last 30 days: 73.').waitFor();
  await page.goBack();
  await choose('Kiln', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No projects yet').waitFor();
  expect(await account.client.stats.getProjects()).toEqual({ projects: [] });
  expect(visit.messages).toEqual([]);
});

it('a field is plotted with several filters; older metrics and a range can be downloaded', async () => {
  const { visit, page } = await openProject([
    { visitors: 40, country: '351', eur: 5 },
    { visitors: 2, country: 'es', eur: 1 },
    { visitors: 8, country: '351', eur: 2 },
    ...Array.from({ length: 22 }, () => ({ visitors: 1, country: 'fr', eur: 0 })),
  ]);
  await page.getByLabel('Field', { exact: true }).selectOption('eur');
  const waitForText = (text: string) => page.getByText(text, { exact: true }).waitFor();
  await page.getByLabel('Measure', { exact: true }).selectOption('max');
  await page.getByLabel('Filter', { exact: true }).selectOption('country');
  await page.getByLabel('Value').fill('351');
  await page.getByLabel('Filter 2').selectOption('visitors');
  await page.getByLabel('Condition 2').selectOption('is less than');
  await page.getByLabel('Value 2').fill('10');
  const filteredSummary = 'Maximum of eur in the last hour: 2.';
  await waitForText(filteredSummary);
  await page.reload();
  await waitForText(filteredSummary);
  await page.getByLabel('Group by').selectOption('country');
  await page.getByText('Show values as a table').click();
  await page.getByLabel('Filter 2').selectOption('');
  await page.getByLabel('Filter', { exact: true }).selectOption('');
  await page.getByRole('columnheader', { name: '"351"' }).waitFor();
  await expect.poll(() => page.locator('.legend li').count()).toBe(3);
  await page.setViewportSize({ width: 320, height: 900 });
  const dataTable = page.getByRole('region', { name: 'Chart data' });
  const heading = dataTable.getByRole('columnheader', { name: 'From' });
  const positionBefore = await heading.boundingBox();
  await page.evaluate(`document.querySelector('.fixed-table').parentElement.scrollLeft = 400`);
  await expect.poll(() => heading.boundingBox()).toEqual(positionBefore);
  await expectNoProblems(visit);

  const rows = page.getByRole('table', { name: 'Latest metrics' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(8);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(25);
  await page.getByRole('button', { name: 'Download' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'This range as CSV' }).click(),
  ]);
  expect(new URL(download.url()).searchParams.get('since')).not.toBeNull();
  expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toHaveLength(26);
});

it('groups are listed by value with equal decimals; a field that is not a JSON array counts metrics', async () => {
  const { page, projectId } = await openProject(
    [
      { city: 'Porto', eur: 7 },
      { city: 'Lisbon', eur: 2.5 },
      { city: 'Faro', eur: 10.25 },
    ],
    { range: '30d', field: '["eur"]', aggregate: 'avg', group: '["city"]' },
  );
  const table = page.getByRole('table', { name: 'Lines of the chart' });
  await table.getByRole('columnheader', { name: 'city' }).waitFor();
  const rows = await table.locator('tbody tr').all();
  const cells = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
  const expected = { Faro: '10.25', Porto: '7.00', Lisbon: '2.50' };
  expect(cells.map(([city, , value]) => [city, value])).toEqual(Object.entries(expected));
  // An average is missing, not 0, where there are no metrics.
  for (const trend of await table.locator('.sparkline').all())
    expect(await trend.innerHTML()).toMatch(
      /class="area" d="".*<path d="".*<path class="today" d="M240 \S+h0"/,
    );

  // On a phone, these controls would push the chart off the screen.
  await page.setViewportSize({ width: 390, height: 844 });
  const groupBy = page.getByLabel('Group by');
  await groupBy.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Measure, groups and filters' }).click();
  await groupBy.waitFor();
  for (const field of ['eur', '5']) {
    await page.goto(`${dashboard.base}/dashboard/metrics/${projectId}?range=1h&field=${field}`);
    await page.getByText('Metrics in the last hour: 3.').waitFor();
  }
  // A name that every object has is no range.
  await page.goto(`${dashboard.base}/dashboard/metrics/${projectId}?range=constructor&field=eur`);
  await page.getByText('Metrics in the last 30 days: 3.').waitFor();
});

it('a range changes the chart, Back returns to the one before; the chart follows the color scheme', async () => {
  const { page, projectId, visit } = await openProject([]);
  const { db } = dashboard.server;
  const timeDaysAgo = (daysAgo: number) => Date.now() - daysAgo * 86_400_000 - 60_000;
  await createMonthPartitions(db, new Date(timeDaysAgo(31)).toISOString().slice(0, 7));
  const rows = Array.from({ length: 28 }, (_, daysAgo) => ({
    at: timeDaysAgo(daysAgo),
    payload: { visitors: 10 + daysAgo },
  }));
  await insertMetrics(db, projectId, rows);
  await page.reload();
  await page.getByText('Sum of visitors in the last 30 days: 658.').waitFor();
  await page.getByLabel('Field', { exact: true }).selectOption('Metrics (count)');
  const fullRangeSummary = page.getByText('Number of metrics in the last 30 days: 28.');
  await fullRangeSummary.waitFor();
  await page.getByLabel('Range').selectOption('Last 7 days');
  await page.getByText('Number of metrics in the last 7 days: 7.').waitFor();

  const readColor = () =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('.canvas g path')).fill`);
  const light = await readColor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => readColor()).not.toBe(light);

  await page.goBack();
  await fullRangeSummary.waitFor();
  expect(visit.messages).toEqual([]);
});

it('an open chart is updated while the window is online, and says when it is not', async () => {
  const account = await dashboard.server.createAccount();
  const projectId = await dashboard.server.createProject(account);
  const send = () => account.client.stats.ingestMetrics({ projectId, payload: { visitors: 1 } });
  await send();
  const { page, context } = await dashboard.open(account, 'Metrics');
  await page.clock.install();
  await page.getByRole('link', { name: 'Shop' }).click();
  await page.getByText('Sum of visitors in the last hour: 1.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await send();
  await page.clock.runFor(31_000);
  await page.getByText('Sum of visitors in the last hour: 2.').waitFor();
  await context.setOffline(true);
  await page.getByText('Paused', { exact: true }).waitFor();
  await send();
  await context.setOffline(false);
  await page.getByText('Sum of visitors in the last hour: 3.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
});

it('the legend hides a series, and highlights one on hover; arrow keys move between points', async () => {
  const { page } = await openProject(['pt', 'es'].map((country) => ({ visitors: 3, country })));
  await page.getByLabel('Group by').selectOption('country');
  const legendButton = page.locator('.legend').getByRole('button', { name: 'es' });
  await legendButton.hover();
  await expect.poll(() => page.locator('.canvas .faint').count()).toBe(1);
  await legendButton.click();
  await page.mouse.move(0, 0);
  await expect.poll(() => page.locator('.canvas g').count()).toBe(1);
  await expect.poll(() => legendButton.getAttribute('aria-pressed')).toBe('false');
  const plot = page.getByRole('group', { name: /^Chart/ });
  await plot.focus();
  await page.keyboard.press('End');
  const tip = page.locator('.tip');
  // A new interval may have begun since the metric arrived.
  await expect
    .poll(async () => {
      const values = await tip.locator('strong').allInnerTexts();
      if (values.join() === '0') await page.keyboard.press('ArrowLeft');
      return values.join();
    })
    .toBe('3');
  await expect.poll(() => tip.innerText()).not.toContain('es');
  await page.keyboard.press('ArrowLeft');
  await tip.locator('strong').getByText('0').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => tip.count()).toBe(0);
  // Hiding the last series shows all.
  await page.locator('.legend').getByRole('button', { name: 'pt' }).click();
  await expect.poll(() => page.locator('.canvas g').count()).toBe(2);
});

it('metrics are kept forever or for days, never by an empty field; fewer days ask before they delete', async () => {
  const { projectId, page } = await openProject([{ visitors: 1 }]);
  const { db } = dashboard.server;
  const at = Date.now() - 40 * 86_400_000;
  await createMonthPartitions(db, new Date(at).toISOString().slice(0, 7));
  await insertMetrics(db, projectId, [{ at, payload: { visitors: 2 } }]);
  const [card, dialog] = [
    page.locator('form', { hasText: 'Keep metrics' }),
    page.getByRole('dialog'),
  ];
  const save = card.getByRole('button', { name: 'Save' });
  const duration = card.getByLabel('Keep metrics', { exact: true });
  await duration.selectOption('For a number of days');
  for (const days of ['', '1.5']) {
    await card.getByLabel('Days to keep metrics').fill(days);
    await card.getByText('Enter a whole number from 1 to 3,660.').waitFor();
    expect(await save.isDisabled()).toBe(true);
  }
  await card.getByLabel('Days to keep metrics').fill('30');
  await save.click();
  await dialog.getByText('1 metric from before').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Metrics are kept for 30 days.').waitFor();
  await page.reload();
  await expect.poll(() => card.getByLabel('Days to keep metrics').inputValue()).toBe('30');
  await duration.selectOption('Forever');
  await save.click();
  await page.getByText('Metrics are kept forever.').waitFor();
});
