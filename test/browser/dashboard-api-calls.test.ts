import { expect, it } from 'vitest';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard, waitForDialogClosed } from './support/dashboard.ts';

const dashboard = setUpDashboard(startTestApp);

it('the calls of the dashboard are shown as curl commands and SDK calls, without secrets', async () => {
  const account = await dashboard.server.createAccount();
  const { page, messages } = await dashboard.openFromHome(account, 'Chat');
  await page.route('**/hooks/send-chat-webhook', (route) =>
    route.fulfill({ json: { messageId: '1' } }),
  );
  await page.getByLabel('Webhook URL').fill('https://chat.example/SECRET');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Edit the message' }).waitFor();
  const openButton = page.getByRole('button', { name: /Account$/ });
  await openButton.click();
  await page.getByRole('button', { name: 'Recent API calls' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recent API calls' });
  await expect
    .poll(() => dialog.getByLabel('curl: Send chat webhook').textContent())
    .toContain('"webhookUrl": "…"');
  expect(await dialog.innerText()).not.toContain('SECRET');
  expect(await dialog.getByLabel('curl: List events').last().textContent()).toBe(
    `curl -H "X-API-KEY: $NAMEPLATE_API_KEY" '${dashboard.base}/owner/events/list-events?limit=3'`,
  );
  expect(await dialog.getByLabel('curl: List webhooks').textContent()).toBe(
    `curl -H "X-API-KEY: $NAMEPLATE_API_KEY" ${dashboard.base}/owner/webhooks/list-webhooks`,
  );
  await dialog.getByRole('radio', { name: 'SDK' }).check();
  await expect
    .poll(() => dialog.getByLabel('SDK: List events').last().textContent())
    .toBe('await owner.events.listEvents({ limit: 3 });');
  expect(await dialog.getByLabel('SDK: Send chat webhook').textContent()).toMatch(
    /^await client\.hooks\.sendChatWebhook\(\{\n? *webhookUrl: "…"/,
  );
  await page.keyboard.press('Escape');
  await waitForDialogClosed(dialog);
  await expect.poll(() => openButton.evaluate((button) => button.matches(':focus'))).toBe(true);

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search screens' }).fill('api calls');
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name: 'Create one' }).click();
  await page.getByRole('dialog', { name: 'Create key' }).waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
  expect(messages).toEqual([]);
});
