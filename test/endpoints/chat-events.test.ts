import { afterAll, expect, it } from 'vitest';
import { listEvents } from '#db/queries/events.ts';
import {
  expectNoTokenLeaks,
  findLatestEvent,
  startChatApp,
  useChatApp,
  UNKNOWN_DELIVERY,
} from '../support/chat-app.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { failWrites } from '../support/fail-writes.ts';
import { acceptMessage, messageId, type TestWebhook } from '../support/fake-discord.ts';
import { respondJson } from '../support/listen.ts';
import type { TestAccount } from '../support/test-app.ts';

const { discord, server } = await useChatApp();
const secondServer = await startChatApp(discord, {}, server.database);
afterAll(() => secondServer.close());

const UNKNOWN_OUTCOME = { status: 500, body: UNKNOWN_DELIVERY };
/** The response if the server's own database fails. */
const DATABASE_FAILED = errorText(
  500,
  'The service itself had trouble, such as updating analytics; the message may not have been sent.',
);

it('the event is stored first: if that fails, nothing is sent', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook();
  const stopFailing = await failWrites(server.db, 'INSERT events', account.id);
  const response = await server.send(account, webhook, { idempotencyKey: 'before' });
  expect(response).toMatchObject(DATABASE_FAILED);
  expect(webhook.requests).toHaveLength(0);
  await stopFailing();
  const retryResponse = await server.send(account, webhook, { idempotencyKey: 'before' });
  expect(retryResponse.status).toBe(200);
  expect(webhook.requests).toHaveLength(1);
});

it('the event is completed last: a failure is logged, and the caller still learns that the message was sent', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook();
  const stopFailing = await failWrites(server.db, 'UPDATE events', account.id);
  const response = await server.send(account, webhook);
  expect(response).toMatchObject(okBody({ success: true, messageId: messageId(webhook) }));
  expect(server.logText()).toContain('an event could not be completed');
  expect(await findLatestEvent(server, account.id)).toMatchObject({ outcome: 'pending' });
  await stopFailing();
});

it('the event is completed even if the caller disconnected', async () => {
  const { app } = server;
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const account = await server.createAccount();
  const abortController = new AbortController();
  const webhook = discord.addWebhook((response, request, attempt) => {
    abortController.abort();
    setTimeout(() => acceptMessage(response, request, attempt), 50);
  });
  const request = fetch(`${app.listeningOrigin}/hooks/send-chat-webhook`, {
    method: 'POST',
    headers: { ...account.headers, 'content-type': 'application/json', 'idempotency-key': 'up' },
    body: JSON.stringify({ webhookUrl: webhook.url, payload: { content: 'hi' } }),
    signal: abortController.signal,
  });
  await expect(request).rejects.toThrow('aborted');
  const retryResponse = await server.send(account, webhook, { idempotencyKey: 'up' });
  expect(retryResponse).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
  expect(webhook.requests).toHaveLength(1);
  expect(await listEvents(server.db, account.id, { limit: 10 })).toMatchObject([
    { outcome: 'succeeded', detail: { message_id: messageId(webhook) } },
  ]);
});

const INTERRUPTED = errorText(
  500,
  'An earlier request with this Idempotency-Key was interrupted, so the message may have been sent. Check the channel before you send it with a new key.',
);
const sendWithKey = (account: TestAccount, webhook: TestWebhook) =>
  server.send(account, webhook, { idempotencyKey: 'k' });

it('an Idempotency-Key makes parallel retries wait for the first request, on any server', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook((response, request, attempt) =>
    setTimeout(() => acceptMessage(response, request, attempt), 200),
  );
  const responses = await Promise.all(
    [server, secondServer, server, secondServer].map((app) =>
      app.send(account, webhook, { idempotencyKey: 'k' }),
    ),
  );
  for (const response of responses)
    expect(response).toMatchObject(okBody({ success: true, messageId: messageId(webhook) }));
  expect(webhook.requests).toHaveLength(1);
});

it('an Idempotency-Key returns the stored response if the platform refused the message', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook((response) => respondJson(response, 400, { message: 'No.' }));
  for (const _ of [1, 2]) {
    expect(await sendWithKey(account, webhook)).toMatchObject(
      errorText(400, 'Discord answered: No.'),
    );
  }
  expect(webhook.requests).toHaveLength(1);
});

it('an Idempotency-Key sends again after a failure without delivery', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook((response, request, attempt) =>
    attempt <= 2 ? respondJson(response, 500, {}) : acceptMessage(response, request, attempt),
  );
  expect((await sendWithKey(account, webhook)).status).toBe(500);
  expect((await sendWithKey(account, webhook)).status).toBe(200);
});

it('an Idempotency-Key never sends again after a failure with possible delivery', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook((response) => response.destroy());
  expect(await sendWithKey(account, webhook)).toMatchObject(UNKNOWN_OUTCOME);
  expect(await sendWithKey(account, webhook)).toMatchObject(INTERRUPTED);
  expect(webhook.requests).toHaveLength(1);
});

it('an Idempotency-Key reports an unknown outcome even if that cannot be stored', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook((response) => response.destroy());
  const stopFailing = await failWrites(server.db, 'UPDATE idempotency_keys', account.id);
  expect(await sendWithKey(account, webhook)).toMatchObject(UNKNOWN_OUTCOME);
  expect(server.logText()).toContain('the outcome of an external write could not be stored');
  await stopFailing();
});

it('an Idempotency-Key never sends again after a server crashed while sending', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook();
  await sendWithKey(account, webhook);
  await server.sql`UPDATE idempotency_keys SET state = 'running', status = NULL, response = NULL,
      created_at = now() - interval '1 minute' WHERE account_id = ${account.id}`;
  expect(await sendWithKey(account, webhook)).toMatchObject(INTERRUPTED);
  expect(webhook.requests).toHaveLength(1);
});

it('no webhook token is in the log or the database', () =>
  expectNoTokenLeaks(server, secondServer));
