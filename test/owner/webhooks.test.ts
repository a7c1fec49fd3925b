import { expect, it } from 'vitest';
import { listEvents } from '#db/queries/events.ts';
import { createSecretBox } from '#server/platform/secrets/secret-box.ts';
import { call, type TestResponse, send } from '../support/call.ts';
import { errorText } from '../support/expected-responses.ts';
import { useChatApp } from '../support/chat-app.ts';
import { type TestAccount, type TestApp, openTestApp } from '../support/test-app.ts';
import { ownerOf } from '../../client/src/owner.ts';

const { discord, server } = await useChatApp();
const account = await server.createAccount();

const PAYLOAD = { content: 'hi' };

function callWebhooks(
  owner: TestAccount,
  action: string,
  json: object,
  app: TestApp = server,
): Promise<TestResponse> {
  return send(app, owner, `POST /owner/webhooks/${action}`, json);
}

async function createWebhook(owner: TestAccount, webhook_url: string): Promise<string> {
  const { webhooks } = ownerOf(owner.client);
  return (await webhooks.createWebhook({ name: '#shop', webhook_url })).webhook.id;
}

async function listWebhooks(owner: TestAccount, app: TestApp = server) {
  const response = await call(app.app, { path: '/owner/webhooks/list-webhooks', key: owner.key });
  return response.body as { webhooks: { id: string; name: string }[]; available: boolean };
}

it('a stored webhook is listed by name and sends messages; its token is in no response, log or table', async () => {
  const webhook = discord.addWebhook();
  const id = await createWebhook(account, `${webhook.url}?with_components=false&thread_id=77`);
  const { webhooks, available } = await listWebhooks(account);
  expect(available).toBe(true);
  expect(webhooks).toContainEqual({
    id,
    name: '#shop',
    platform_id: webhook.id,
    created_at: expect.any(String),
  });
  const message = { webhook_id: id, payload: PAYLOAD };
  const response = await callWebhooks(account, 'send-message', message);
  expect(response.body).toMatchObject({ message_id: expect.any(String) });
  expect(webhook.requests.map(({ url, text }) => [url, text])).toEqual([
    [
      expect.stringContaining('?wait=true&with_components=false&thread_id=77'),
      JSON.stringify(PAYLOAD),
    ],
  ]);
  const [event] = await listEvents(server.database.db, account.id, { limit: 1 });
  expect(event).toMatchObject({
    type: 'chat_message_sent',
    outcome: 'succeeded',
    detail: { platform_id: webhook.id, webhook_id: id, text: 'hi' },
  });
  const rows = await server.sql<{ row: string }>`
      SELECT encode(encrypted_url, 'escape') || encode(encrypted_url, 'hex') AS row
      FROM chat_webhooks`;
  const all = JSON.stringify([webhooks, rows, event, server.logText()]);
  expect(all).not.toContain(webhook.token);
  expect(all).not.toContain(Buffer.from(webhook.token).toString('hex'));
});

it('a stored webhook cannot be decrypted in another row or with another key', async () => {
  const [webhook, otherWebhook] = [discord.addWebhook(), discord.addWebhook()];
  const otherAccount = await server.createAccount();
  const webhookId = await createWebhook(account, webhook.url);
  const id = await createWebhook(otherAccount, otherWebhook.url);
  await server.sql`UPDATE chat_webhooks SET encrypted_url = (SELECT encrypted_url FROM chat_webhooks
      WHERE id = ${webhookId}) WHERE id = ${id}`;
  const unreadable = errorText(
    400,
    'The server cannot read this webhook any more. Delete it and add it again.',
  );
  expect(
    await callWebhooks(otherAccount, 'send-message', { webhook_id: id, payload: PAYLOAD }),
  ).toMatchObject(unreadable);
  const secretBox = createSecretBox(Buffer.alloc(32, 9));
  const serverWithOtherKey = await openTestApp({ secretBox }, server.database);
  const response = await callWebhooks(
    account,
    'send-message',
    { webhook_id: webhookId, payload: PAYLOAD },
    serverWithOtherKey,
  );
  expect(response).toMatchObject(unreadable);
  expect(webhook.requests).toEqual([]);
});

it('a stored webhook is encrypted with a random nonce, so that equal URLs look different', async () => {
  const owner = await server.createAccount();
  const { url } = discord.addWebhook();
  await createWebhook(owner, url);
  await createWebhook(owner, url);
  const rows = await server.sql<{ count: number }>`
      SELECT count(DISTINCT encrypted_url)::integer AS count FROM chat_webhooks
      WHERE account_id = ${owner.id}`;
  expect(rows).toEqual([{ count: 2 }]);
});

it('a stored webhook requires a valid webhook URL', async () => {
  const { url } = discord.addWebhook();
  for (const webhook_url of ['', 'https://example.com/api/webhooks/1/a', `${url}/slack`, null])
    expect(await callWebhooks(account, 'create-webhook', { name: 'x', webhook_url })).toMatchObject(
      errorText(
        400,
        expect.stringMatching(
          /must be a Discord webhook URL( at localhost:\d+, with .*)?(?: \(webhook_url\))?\.$/,
        ),
      ),
    );
});

it('a stored webhook is limited to 20 per account, also with concurrent requests', async () => {
  const owner = await server.createAccount();
  const { url: webhook_url } = discord.addWebhook();
  const responses = await Promise.all(
    Array.from({ length: 24 }, () =>
      callWebhooks(owner, 'create-webhook', { name: 'x', webhook_url }),
    ),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(responses.find(({ status }) => status !== 200)?.body).toEqual({
    error: 'This account has reached its limit of 20 webhooks. Delete one first.',
  });
});

it('a server without an encryption key refuses to store webhooks', async () => {
  const serverWithoutKey = await openTestApp({ ENCRYPTION_KEY: undefined }, server.database);
  const webhook_url = 'https://discord.com/api/webhooks/1/token';
  expect((await listWebhooks(account, serverWithoutKey)).available).toBe(false);
  expect(
    await callWebhooks(account, 'create-webhook', { name: 'x', webhook_url }, serverWithoutKey),
  ).toMatchObject(
    errorText(400, 'This server stores no webhooks. Its operator has to set ENCRYPTION_KEY first.'),
  );
});
