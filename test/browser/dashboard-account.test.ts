import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createInvitation } from '#server/features/invitations/invitation.ts';
import { call } from '../support/call.ts';
import { type FakeDiscord, startFakeDiscord } from '../support/fake-discord.ts';
import { makeOperator } from '../support/endpoints.ts';
import { startChatApp } from '../support/chat-app.ts';
import { jsonRpcRequest } from '../support/mcp.ts';
import { HOME_HEADING, signOut, setUpDashboard } from './support/dashboard.ts';
import { expectFocus } from './support/keyboard.ts';
import { expectNoProblems, FAILED_REQUEST, visitUrl } from './support/visit.ts';

let discord: FakeDiscord;
const dashboard = setUpDashboard(async () => {
  discord = await startFakeDiscord();
  return startChatApp(discord);
});
afterAll(() => discord.close());

async function requestStatus(key: string, method: 'GET' | 'POST'): Promise<number> {
  const path = method === 'GET' ? '/site/get-site-status' : '/site/toggle-site-visibility';
  return (await call(dashboard.server.app, { method, path, key })).status;
}

it('a key is created with a label and a scope, shown once, used, and revoked after a confirmation', async () => {
  const account = await dashboard.server.createAccount();
  const visit = await dashboard.open(account, 'Keys');
  const { page } = visit;
  await page.getByRole('cell', { name: 'Full access' }).waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  const createDialog = page.getByRole('dialog', { name: 'Create key' });
  await createDialog.getByLabel('Name').fill('status page');
  await createDialog.getByRole('radio', { name: 'Read only' }).check();
  await createDialog.getByRole('radio', { name: '30 days' }).check();
  await expectNoProblems(visit);
  await createDialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.locator('.secret').innerText();
  expect([await requestStatus(secret, 'GET'), await requestStatus(secret, 'POST')]).toEqual([
    200, 403,
  ]);
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'I saved it' }).click();
  await expect.poll(() => page.getByText(secret).count()).toBe(0);

  const revoke = page.getByRole('button', { name: 'Revoke status page' });
  await revoke.click();
  const dialog = page.getByRole('dialog', { name: 'Revoke status page?' });
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await requestStatus(secret, 'GET')).toBe(200);
  await revoke.click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await revoke.waitFor({ state: 'detached' });
  expect(await requestStatus(secret, 'GET')).toBe(401);
});

it('the card for AI clients shows a configuration that connects with the new key', async () => {
  const visit = await dashboard.open(await dashboard.server.createAccount(), 'Keys');
  const { page } = visit;
  const card = page.locator('.connect-ai');
  await card.getByLabel('Your client').selectOption('Cursor');
  await card.getByText('"Bearer YOUR_KEY"').waitFor();
  await card.getByRole('link', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  expect(await dialog.getByRole('radio', { name: 'Full access' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.locator('.secret').innerText();
  const { mcpServers } = JSON.parse(await card.locator('pre').innerText()) as {
    mcpServers: { nameplate: { url: string; headers: Record<string, string> } };
  };
  const { url, headers } = mcpServers.nameplate;
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(jsonRpcRequest('tools/list')),
  });
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringMatching(/"tools":/),
  ]);
  for (const client of await card.getByRole('option').allInnerTexts()) {
    await card.getByLabel('Your client').selectOption(client);
    await card.getByText(secret).waitFor();
    await expectNoProblems(visit);
  }
  await page.getByRole('button', { name: 'I saved it' }).click();
  await expect.poll(() => page.getByText(secret).count()).toBe(0);
});

it('without a mail provider the screen shows no address, and tells operators how to set mail up', async () => {
  const account = await dashboard.server.createAccount();
  const visit = await dashboard.open(account, 'Mail');
  const { page } = visit;
  await page.getByRole('heading', { name: 'This server has no mail yet.' }).waitFor();
  const name = `mail-${account.id.slice(0, 8)}`;
  await account.client.account.updateDisplayName({ display_name: name });
  await page.reload();
  await page.getByText('There is nothing you need to do.').waitFor();
  await page.getByRole('heading', { name: 'How it works' }).waitFor();
  await expect.poll(() => page.getByText(`${name}@`).count()).toBe(0);
  await expectNoProblems(visit);
  // Becoming an operator ends the sessions.
  await makeOperator(dashboard.server, account);
  const operatorVisit = await dashboard.open(account, 'Mail');
  await operatorVisit.page.getByRole('link', { name: 'Set up forwarding' }).click();
  await operatorVisit.page.getByText('docs/email-forwarding.md').waitFor();
  await expectNoProblems(operatorVisit);
});

it('a message is sent and edited, and its limits are counted', async () => {
  const account = await dashboard.server.createAccount();
  const webhook = discord.addWebhook();
  const visit = await dashboard.open(account, 'Chat');
  const { page } = visit;
  visit.ignoredMessages.push(FAILED_REQUEST);
  await page.getByLabel('Webhook URL').fill(webhook.url);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('The payload must have content or at least one embed.').waitFor();
  const preview = page.locator('.chat-preview');
  await preview.getByText('New order').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Hello 👋');
  await expect.poll(() => preview.innerText()).toMatch(/Hello 👋$/);
  await page.getByText('7 of 2000 characters').waitFor();
  await page.getByLabel('Card title').fill('Release');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Edit the message' }).waitFor();
  await expectFocus(page, 'Save changes');
  await page.getByRole('switch', { name: 'Write it as JSON' }).click();
  const json = page.getByLabel('Payload', { exact: true });
  await json.fill('{');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.locator('.error').getByText('The message must be JSON.').waitFor();
  await json.fill('{"content":"Hello again"}');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The message was edited.').waitFor();
  await expectNoProblems(visit);
  expect(webhook.requests.map(({ method, text }) => [method, JSON.parse(text)])).toEqual([
    ['POST', { content: 'Hello 👋', embeds: [{ title: 'Release' }] }],
    ['PATCH', { content: 'Hello again' }],
  ]);
  await page.getByRole('button', { name: 'Write another message' }).click();
  await expectFocus(page, 'Send a message');

  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByText('Chat message edited').waitFor();
  await expectNoProblems(visit);
});

it('events are grouped by day and filtered by the kind in the URL', async () => {
  const account = await dashboard.server.createAccount();
  await account.client.account.updateDisplayName({ display_name: `day-${account.id.slice(0, 8)}` });
  await sql`UPDATE events SET created_at = now() - interval '400 days'
    WHERE account_id = ${account.id}`.execute(dashboard.server.database.db);
  const visit = await dashboard.open(account, 'Events');
  const { page } = visit;
  const todaySection = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Today' }) });
  const [signInEntry, renameEntry] = [
    page.getByText('Signed in with a link'),
    page.getByText('Name changed'),
  ];
  await todaySection.last().getByText('Signed in with a link').waitFor();
  await renameEntry.waitFor();
  await expect.poll(() => todaySection.last().getByText('Name changed').count()).toBe(0);
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await signInEntry.waitFor({ state: 'detached' });
  await page.reload();
  await renameEntry.waitFor();
  await expect.poll(() => signInEntry.count()).toBe(0);
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await page.getByText('No events of this kind yet').waitFor();
  await expectNoProblems(visit);
});

it('a passkey is created, used to sign in, and removed', async () => {
  const account = await dashboard.server.createAccount();
  const link = await dashboard.createLoginLink(account);
  const visit = await visitUrl(dashboard.browser, link.replace('127.0.0.1', 'localhost'));
  const { page, context } = visit;
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  // The first passkey may be created long after the login that created the account.
  await sql`UPDATE sessions SET created_at = now() - interval '20 minutes'
    WHERE account_id = ${account.id}`.execute(dashboard.server.database.db);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const addDialog = page.getByRole('dialog', { name: 'Add passkey' });
  await expectNoProblems(visit);
  await addDialog.getByRole('button', { name: 'Continue' }).click();
  await page
    .getByRole('table', { name: 'Passkeys' })
    .getByRole('cell', { name: 'Chrome on Linux', exact: true })
    .waitFor();
  await expectNoProblems(visit);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await addDialog.getByRole('button', { name: 'Continue' }).click();
  await addDialog.getByText('No passkey was added.').waitFor();
  await addDialog.getByRole('button', { name: 'Cancel' }).click();
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('cell', { name: 'Passkey', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove Chrome on Linux' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  // Deleting the passkey ended the session that it started.
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
});

it('an export opens a sign-in dialog, then starts without leaving the screen', async () => {
  const account = await dashboard.server.createAccount();
  const visit = await dashboard.open(account, 'Settings');
  const { page } = visit;
  await page.getByRole('table', { name: 'Sessions' }).waitFor();
  await sql`UPDATE sessions SET created_at = now() - interval '61 minutes'
    WHERE account_id = ${account.id}`.execute(dashboard.server.database.db);
  await page.getByRole('button', { name: 'Export all my data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByText('Your last login was more than an hour ago.').waitFor();
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Export all my data' }).click();
  await dialog.getByLabel('API key').fill(account.key);
  // Returning to the window does not count as signing in.
  const sessionChecked = page.waitForResponse((response) =>
    response.url().endsWith('/get-session'),
  );
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await (await sessionChecked).finished();
  await expect.poll(() => dialog.getByLabel('API key').inputValue()).toBe(account.key);
  const download = page.waitForEvent('download');
  await dialog.getByLabel('API key').press('Enter');
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  await page.getByRole('table', { name: 'Sessions' }).waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in to Nameplate' }).waitFor();
});

it('an opened login link stays when its window regains focus, also for a signed-in user', async () => {
  const { page } = await dashboard.open(await dashboard.server.createAccount());
  const { invitation_link } = await createInvitation(dashboard.server.database.db, dashboard.base, {
    days: 1,
  });
  await page.route('**/look-up-invitation', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(invitation_link);
  await page.getByRole('heading', { name: 'The invitation could not be opened' }).waitFor();
  await page.unroute('**/look-up-invitation');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Name').fill('Typed');
  const sessionChecked = page.waitForResponse((response) =>
    response.url().endsWith('/get-session'),
  );
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await (await sessionChecked).finished();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Typed');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/invitation');
});
