import { expect, it } from 'vitest';
import { sql } from 'kysely';
import { createMonthPartitions, insertMetrics } from '../owner/support/metrics.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const sentMessages: string[] = [];
const dashboardWithoutKey = setUpDashboard(() => startTestApp({ ENCRYPTION_KEY: undefined }));
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
  const visit = await dashboard.open(account);
  const { page } = visit;
  await page.goto(`${dashboard.base}/dashboard/metrics/${projectId}`);
  await page.getByText('No alerts yet').waitFor();
  await page.getByRole('button', { name: 'Add alert' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add alert' });
  // The chart shows the sum of errors in the last hour.
  await expect.poll(() => dialog.getByLabel('When the').inputValue()).toBe('sum');
  expect(await dialog.getByLabel('of', { exact: true }).inputValue()).toBe('["errors"]');
  await dialog.getByLabel('threshold').fill('10');
  await dialog.getByText('Now: 12', { exact: true }).waitFor();
  await dialog.getByText('Fires now').waitFor();
  // The buttons stay visible below the long form.
  await page.setViewportSize({ width: 1280, height: 600 });
  const { y, height } = (await dialog.getByRole('button', { name: 'Add alert' }).boundingBox())!;
  expect(y + height).toBeLessThan(600);
  await dialog.getByLabel('Webhook name').fill('#shop');
  await dialog.getByLabel('Webhook URL').fill('https://discord.com/api/webhooks/1/token');
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await dialog.waitFor({ state: 'detached' });
  const condition = 'Sum of errors in the last 15 minutes is above 10';
  await page.getByText(condition).waitFor();
  await page.getByText('Not checked yet').waitFor();
  await sql`UPDATE alerts SET state = 'fine'`.execute(dashboard.server.database.db);
  // The screen reloads when the window becomes visible again.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByText('OK', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Sent a test message.').waitFor();
  expect(sentMessages[0]).toContain(condition);

  await sql`UPDATE alerts SET state = 'firing', value = 12, changed_at = now(),
    last_error = '{"code": "chatPlatformRefused", "values": {"answer": "Unknown Webhook"}}'`.execute(
    dashboard.server.database.db,
  );
  await page.reload();
  await page.getByText('Firing', { exact: true }).waitFor();
  await page.getByText('Discord answered: Unknown Webhook').waitFor();
  await expectNoProblems(visit);

  await page.getByRole('button', { name: `Edit: ${condition}` }).click();
  const edit = page.getByRole('dialog', { name: 'Edit alert' });
  await edit.getByLabel('value').selectOption('has not arrived');
  await edit.getByText('1 arrived in the last 15 minutes.').waitFor();
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('No errors in the last 15 minutes').waitFor();
  await page.getByRole('button', { name: 'Delete: No errors in the last 15 minutes' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No alerts yet').waitFor();
});

it('a new alert uses the measure of the chart, and suggests a threshold that was rarely reached', async () => {
  const account = await dashboard.server.createAccount();
  const projectId = await dashboard.server.createProject(account);
  const hour = 3_600_000;
  const { db } = dashboard.server.database;
  const firstMonth = new Date(Date.now() - 200 * hour).toISOString().slice(0, 7);
  await createMonthPartitions(db, firstMonth);
  await insertMetrics(
    db,
    projectId,
    Array.from({ length: 200 }, (_, n) => ({
      at: Date.now() - (200 - n) * hour,
      payload: { load: { cpu: n === 50 || n === 150 ? 97.3 : 40 + (n % 20) } },
    })),
  );
  const visit = await dashboard.open(account);
  const { page } = visit;
  const params = {
    range: '24h',
    field: '["load","cpu"]',
    aggregate: 'p95',
    where: '["load","cpu"]',
    is: 'gt',
    value: '1',
  };
  await page.goto(
    `${dashboard.base}/dashboard/metrics/${projectId}?${new URLSearchParams(params).toString()}`,
  );
  await page.getByRole('button', { name: 'Add alert' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add alert' });
  const threshold = dialog.getByLabel('threshold');
  await expect.poll(() => threshold.inputValue()).toBe('59');
  await dialog.getByText('Average of load.cpu in the last hour is above 59').waitFor();
  await dialog.getByText('Would have fired 2 times in the last 30 days').waitFor();
  await dialog.getByText('The filters of the chart do not apply to alerts.').waitFor();
  await expectNoProblems(visit);
  await threshold.fill('98');
  await dialog.getByText('Would not have fired in the last 30 days').waitFor();
  // A typed threshold stays.
  await dialog.getByLabel('in', { exact: true }).selectOption('the last 15 minutes');
  await dialog.getByText(/in the last 16 hours$/).waitFor();
  expect(await threshold.inputValue()).toBe('98');
});

it('an alert without a destination shows an error', async () => {
  const account = await dashboardWithoutKey.server.createAccount();
  const projectId = await dashboardWithoutKey.server.createProject(account);
  await account.client.stats.ingestMetrics({ projectId, payload: { errors: 12 } });
  const { page } = await dashboardWithoutKey.open(account);
  await page.goto(`${dashboardWithoutKey.base}/dashboard/metrics/${projectId}`);
  await page.getByRole('button', { name: 'Add alert' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add alert' });
  await dialog.getByText('Confirm a forwarding address first').waitFor();
  await expect.poll(() => dialog.getByLabel('Send a message to').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await dialog.getByText(/^Alerts cannot be mailed: .* confirm a forwarding address/).waitFor();
});

it('a message is sent with a stored webhook and listed', async () => {
  const account = await dashboard.server.createAccount();
  const visit = await dashboard.open(account, 'Chat');
  const { page } = visit;
  await page.getByText('Nothing sent yet').waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByLabel('Webhook name').fill('#news');
  await dialog.getByLabel('Webhook URL').fill('https://discord.com/api/webhooks/2/token');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByLabel('Channel').selectOption('#news');
  await page.getByLabel('Message', { exact: true }).fill('Hello!');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Sent to #news.').waitFor();
  await page.getByText('Hello!', { exact: true }).waitFor();
  await page.locator('.event').getByText('Sent', { exact: true }).waitFor();
  await page.locator('.event').getByText('#news', { exact: true }).waitFor();
  expect(sentMessages.at(-1)).toBe('Hello!');
  await expectNoProblems(visit);
  await page.getByRole('switch', { name: 'Write it as JSON' }).click();
  const json = page.getByLabel('Payload', { exact: true });
  await json.fill('{"content":"As JSON"}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('As JSON', { exact: true }).waitFor();
  // The field is reset for the next message.
  await expect.poll(() => json.inputValue()).toBe('{}');

  // A message that was sent to an entered URL is edited at that URL, not at a stored webhook.
  await page.getByLabel('Channel').selectOption('Other Discord webhook…');
  await page.getByLabel('Webhook URL').fill('https://discord.com/api/webhooks/3/token');
  await json.fill('{"content":"Typed"}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const editHeading = page.getByRole('heading', { name: 'Edit the message' });
  await editHeading.waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.getByLabel('Webhook name').fill('#more');
  await dialog.getByLabel('Webhook URL').fill('https://discord.com/api/webhooks/4/token');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByLabel('Webhook URL').waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The message was edited.').waitFor();
  for (const name of ['#news', '#more']) {
    const remove = page.getByRole('button', { name: `Delete ${name}` });
    await remove.click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await remove.waitFor({ state: 'detached' });
  }
  await page.getByText('No webhooks stored').waitFor();
});
