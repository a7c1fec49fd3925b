import { createServer } from 'node:http';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { verifyWebhook } from '#client/webhooks.ts';
import { createChatService } from '#server/features/chat/chat-service.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { type FakeDiscord, startFakeDiscord } from '../support/fake-discord.ts';
import { listen } from '../support/listen.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';
import { expectFocus, tabTo } from './support/keyboard.ts';
import { expectNoProblems, FAILED_REQUEST } from './support/visit.ts';

const received: { body: string; headers: Record<string, string> }[] = [];
let answer = 204;
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    received.push({ body, headers: request.headers as Record<string, string> });
    response.writeHead(answer).end(answer === 204 ? undefined : 'Wrong signature');
  });
});

let discord: FakeDiscord;
let receiverUrl: string;
const dashboard = setUpDashboard(async () => {
  discord = await startFakeDiscord();
  ({ url: receiverUrl } = await listen(receiver));
  const settings = { CHAT_WEBHOOK_HOSTS: [discord.host], CHAT_MESSAGES_PER_MINUTE: 0 };
  const chat = createChatService(
    { config: { ...loadConfig({}), ...settings }, log: pino({ level: 'silent' }) },
    { ca: discord.ca, timeoutMs: 120_000 },
  );
  return startTestApp({
    ...settings,
    chat,
    mailEnabled: true,
    CONNECTION_PRIVATE_ORIGINS: [receiverUrl],
  });
});
afterAll(async () => {
  receiver.close();
  await discord.close();
});

it('a webhook is added by keyboard, shows its key once and what fails, is sent again and gets a new key', async () => {
  const { page, visit } = await dashboard.openNew('Connections');
  visit.ignoredMessages.push(FAILED_REQUEST);
  await expectNoProblems(visit);
  await page.getByRole('link', { name: /^Webhook/ }).focus();
  await page.keyboard.press('Enter');
  await expectFocus(page, 'Add connection');
  const url = page.getByLabel('URL of your program');
  await url.fill('http://10.0.0.1/hook');
  await url.press('Enter');
  await page
    .getByText(/^URL of your program leads to a private network.* Ask an operator to add/)
    .waitFor();
  const setting = page.getByLabel('setting', { exact: true });
  expect(await setting.innerText()).toBe('CONNECTION_PRIVATE_ORIGINS=http://10.0.0.1');
  await expectFocus(page, 'URL of your program');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(`${receiverUrl}/hook`);
  await tabTo(page, 'Domain works');
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: 'Domain works', checked: false }).waitFor();
  await page.getByText(/^Visitors see your contact form only after you confirm/).waitFor();
  // The draft survives a visit of another screen.
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await page
    .getByRole('link', { name: /^Connections/ })
    .first()
    .click();
  await page.getByRole('link', { name: /^Webhook/ }).click();
  expect(await url.inputValue()).toBe(`${receiverUrl}/hook`);
  await page.getByRole('checkbox', { name: 'Domain works', checked: false }).waitFor();
  await expectNoProblems(visit);
  await tabTo(page, 'Add and send a test');
  await page.keyboard.press('Enter');
  await page.getByText(/^Delivered: answer 204 after/).waitFor();
  await expectFocus(page, 'Signing key for your program');
  expect(await page.evaluate('scrollY')).toBe(0);
  const secret = await page.locator('.secret').innerText();
  await page.getByRole('link', { name: 'verifyWebhook of the SDK' }).waitFor();
  const { body, headers } = received.at(-1)!;
  expect(await verifyWebhook(body, headers, secret)).toMatchObject({ type: 'test' });
  await page.getByRole('button', { name: 'I saved it' }).click();
  await expect.poll(() => page.getByText(secret).count()).toBe(0);

  answer = 401;
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page
    .getByText(/status 401\. If your program checks the signature, give it the key/)
    .waitFor();
  await page.getByText('401 ·').click();
  await page.getByText('Wrong signature').waitFor();
  const sent = received.at(-1)!;
  const shown = await page.getByLabel('request', { exact: true }).first().innerText();
  const [head, body401 = ''] = shown.split('\n\n');
  expect(head).toBe(`webhook-id: ${sent.headers['webhook-id']}`);
  expect(JSON.stringify(JSON.parse(body401))).toBe(sent.body);
  await page
    .getByText(/^1 try, the last one at/)
    .first()
    .waitFor();
  await page.getByText('Tests are not repeated. Fix the cause').waitFor();
  await expectNoProblems(visit);
  answer = 204;
  await page.getByRole('button', { name: 'Send again: Test' }).first().click();
  await page.getByText(/^Delivered: answer 204 after/).waitFor();
  await page.getByText('401 ·').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /^More for/ }).click();
  await page.getByRole('button', { name: 'New signing key' }).click();
  await page.getByRole('dialog').getByText('The key in use stays valid for 24 hours').waitFor();
  await page.getByRole('button', { name: 'Create signing key' }).click();
  await expect.poll(() => page.locator('.secret').innerText()).not.toBe(secret);
  await page.getByText(/^The former signing key is valid until/).waitFor();
  await page.getByRole('button', { name: /^More for/ }).click();
  await page.getByRole('button', { name: 'New signing key' }).click();
  await page.getByText(/The key before that one, .* ends at once\./).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop server');
  await page.getByRole('switch', { name: 'My account' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Shop server', level: 1 }).waitFor();
  await page.getByText(/Published or hidden, .*Domain lost, My account/).waitFor();
});

it('the list begins with what fails, and a connection is switched off and on and deleted', async () => {
  const { account, page, visit } = await dashboard.openNew('Connections');
  const { db } = dashboard.server;
  await sql`INSERT INTO connections (account_id, kind, name, event_types, failing_since)
    VALUES (${account.id}, 'email', 'Inbox', '{key_created}', NULL),
      (${account.id}, 'webhook', 'Shop', '{}', now())`.execute(db);
  await page.reload();
  const rows = page.locator('.connection-rows > li');
  await expect.poll(() => rows.allInnerTexts()).toHaveLength(2);
  expect((await rows.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'Shop',
    'Inbox',
  ]);
  await expectNoProblems(visit);
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByText('Events are mailed to the inbox that you confirm in Settings.').waitFor();
  await sql`INSERT INTO deliveries (connection_id, type, data, status)
    SELECT id, unnest('{test,key_created,key_created}'::text[]), '{"key_id": "np_1"}', 'failed'
    FROM connections WHERE name = 'Inbox'`.execute(db);
  // As if the owner came back to the window, which does not wait for the next refresh.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  const sendAll = page.getByRole('button', { name: 'Send all failed again' });
  await sendAll.waitFor();
  await expectNoProblems(visit);
  await sendAll.click();
  await page.getByText('2 deliveries are sent again.').waitFor();
  await sendAll.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More for Inbox' }).click();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page
    .getByText('Switched off. What happens in the meantime is not sent later.', { exact: true })
    .last()
    .waitFor();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('Switched on. Events are sent from now on.').waitFor();
  await page.getByRole('button', { name: 'Switch on' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More for Inbox' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
  await expect.poll(() => rows.count()).toBe(1);
});

it('deliveries to Discord are listed, and one that failed is sent again; a weekly summary is chosen', async () => {
  const account = await dashboard.server.createAccount();
  const { page, visit } = await dashboard.open(account, 'Connections', {
    timezoneId: 'Asia/Tokyo',
  });
  // Before there is a connection.
  await expect
    .poll(async () => (await account.owner.sessions.getSession()).time_zone)
    .toBe('Asia/Tokyo');
  let isDown = false;
  const webhook = discord.addWebhook((response, { url }) => {
    if (isDown) response.writeHead(501).end();
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: '1', url }));
  });
  await page.getByRole('link', { name: /^Discord/ }).click();
  await page.getByLabel('Webhook URL').fill(webhook.url);
  // Members have no summary of the server.
  await page.getByRole('checkbox', { name: /^Weekly summary/, checked: false }).click();
  await page.getByRole('button', { name: 'Add and send a test' }).click();
  await page.getByText('My page, My metrics, Weekly summary').waitFor();
  const rows = page.locator('.delivery');
  await rows.getByText('delivered ·').or(rows.getByText('200 ·')).waitFor();
  isDown = true;
  await page.getByRole('button', { name: 'Send a test' }).click();
  const sendAgain = page.getByRole('button', { name: 'Send again: Test' });
  await sendAgain.waitFor();
  isDown = false;
  await sendAgain.click();
  await sendAgain.waitFor({ state: 'detached' });
  await expectNoProblems(visit);
});

it('the events that are ticked stay when another kind is chosen', async () => {
  const account = await dashboard.server.createAccount();
  await sql`UPDATE forwarding_settings SET login_email = 'jane@names.org'
    WHERE account_id = ${account.id}`.execute(dashboard.server.db);
  const { page, visit } = await dashboard.open(account, 'Connections');
  await page.getByRole('link', { name: /^Discord/ }).click();
  await page.getByRole('checkbox', { name: 'Domain works' }).uncheck();
  await page.getByRole('checkbox', { name: 'Weekly summary' }).check();
  const message = page.getByRole('checkbox', { name: 'Message from the contact form' });
  await message.and(page.locator(':checked')).waitFor();
  const choose = (kind: RegExp) => page.getByRole('radio', { name: kind }).check({ force: true });
  await choose(/^ntfy/);
  await expect.poll(() => page.getByLabel('Topic URL').inputValue()).not.toBe('');
  await choose(/^Email/);
  await page.getByText('Messages from the contact form are mailed to you anyway.').waitFor();
  expect(await message.count()).toBe(0);
  await choose(/^Webhook/);
  await message.and(page.locator(':checked')).waitFor();
  await choose(/^Email/);
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Add and send a test' }).click();
  await page.getByRole('heading', { name: 'Email', level: 1 }).waitFor();
  const { connections } = await account.owner.connections.listConnections();
  expect(connections[0]!.event_types).toEqual([
    'page_visibility_changed',
    'display_name_updated',
    'domain_lost',
    'alert_firing',
    'alert_recovered',
    'week_summary',
  ]);
  expect(await page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('connections');
});

it('Visitors leads to a connection that carries only the weekly summary', async () => {
  const account = await dashboard.server.createAccount();
  await sql`UPDATE forwarding_settings SET login_email = 'jane@names.org'
    WHERE account_id = ${account.id}`.execute(dashboard.server.db);
  const { page, visit } = await dashboard.open(account, 'Visitors');
  await page.getByRole('link', { name: 'Get a weekly summary' }).click();
  const choose = (kind: RegExp) => page.getByRole('radio', { name: kind }).check({ force: true });
  await choose(/^ntfy/);
  await page.getByLabel('Topic URL').waitFor();
  await choose(/^Email/);
  await page.getByRole('button', { name: 'Add and send a test' }).click();
  await page.getByText('jane@names.org\u00a0· Weekly summary').waitFor();
  const { connections } = await account.owner.connections.listConnections();
  expect(connections[0]!.event_types).toEqual(['week_summary']);
  await expectNoProblems(visit);
});

it('the weekly summary stays chosen if there is no address for mails', async () => {
  const account = await dashboard.server.createAccount();
  const { page } = await dashboard.open(account, 'Visitors');
  await page.getByRole('link', { name: 'Get a weekly summary' }).click();
  await page.getByText('Confirm an email address in Settings first.').waitFor();
  await page.getByRole('radio', { name: /^Slack/ }).check({ force: true });
  await page.getByLabel('Webhook URL').waitFor();
  const ticked = page.getByRole('checkbox', { checked: true });
  expect(await ticked.count()).toBe(1);
  await ticked.and(page.getByLabel('Weekly summary')).waitFor();
});

it('Home and the menu name a connection that fails, and lead to it', async () => {
  const { account, page, visit } = await dashboard.openNew('Connections');
  const { db } = dashboard.server;
  await sql`INSERT INTO connections (account_id, kind, name, failing_since)
    VALUES (${account.id}, 'webhook', 'Shop', now())`.execute(db);
  await page.getByRole('link', { name: 'Home' }).click();
  const strip = page.getByRole('region', { name: 'To do' });
  await strip.getByText('Messages are queued until it responds again.').waitFor();
  const badge = page.getByRole('link', { name: /^Connections/ }).locator('.notice-badge');
  expect(await badge.innerText()).toBe('1');
  await expectNoProblems(visit);
  await strip.getByRole('link', { name: /Shop/ }).click();
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
});
