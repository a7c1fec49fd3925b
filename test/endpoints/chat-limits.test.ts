import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listEvents } from '#db/queries/events.ts';
import { expectNoTokenLeaks, startChatApp, useChatApp } from '../support/chat-app.ts';
import { eventually } from '../support/eventually.ts';
import { errorText } from '../support/expected-responses.ts';
import {
  acceptMessage,
  type TestWebhook,
  type WebhookHandler,
  messageId,
} from '../support/fake-discord.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { respondJson } from '../support/listen.ts';
import type { TestAccount } from '../support/test-app.ts';

const { discord, server } = await useChatApp();

describe('a rate limit of the platform', () => {
  const limitSender =
    (retryAfter: number, headers: Record<string, string> = {}): WebhookHandler =>
    (response) =>
      respondJson(
        response,
        429,
        { message: 'You are being rate limited.', retry_after: retryAfter, global: false },
        { 'x-ratelimit-scope': 'user', 'x-ratelimit-remaining': '0', ...headers },
      );
  const limited = (seconds: number) => ({
    ...errorText(
      500,
      `Discord accepts no more messages at the moment. Try again in ${seconds} seconds.`,
    ),
    headers: { 'retry-after': String(seconds) },
  });
  /** Expects that a message waits for several minutes, without a request to the platform. */
  async function expectPaused(account: TestAccount, webhook: TestWebhook): Promise<void> {
    const response = await server.send(account, webhook);
    expect(response.status).toBe(500);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(300);
    expect(webhook.requests).toHaveLength(1);
  }
  const announceLimit =
    (seconds: string): WebhookHandler =>
    (response, request, attempt) =>
      acceptMessage(response, request, attempt, {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset-after': seconds,
      });

  it('a rate limit of the platform that resets soon is waited for once', async () => {
    const webhook = discord.addWebhook((response, request, attempt) =>
      attempt === 1
        ? limitSender(0.3)(response, request, attempt)
        : acceptMessage(response, request, attempt),
    );
    const response = await server.send(await server.createAccount(), webhook);
    expect(response.body).toMatchObject({ success: true, messageId: messageId(webhook, 2) });
  });

  it('a rate limit of the platform that persists gets 500 with Retry-After', async () => {
    const webhook = discord.addWebhook(limitSender(0.3));
    const response = await server.send(await server.createAccount(), webhook);
    expect(response).toMatchObject(limited(1));
    expect(webhook.requests).toHaveLength(2);
  });

  it.each(['user', 'shared'])('a rate limit of the scope %s is observed', async (scope) => {
    const account = await server.createAccount();
    const webhook = discord.addWebhook(limitSender(599.5, { 'x-ratelimit-scope': scope }));
    expect(await server.send(account, webhook)).toMatchObject(limited(600));
    await expectPaused(account, webhook);
    expect((await server.send(account, discord.addWebhook())).status).toBe(200);
  });

  it.each([
    ['in seconds', () => '600'],
    ['by a date', () => new Date(Date.now() + 600_000).toUTCString()],
  ])('a rate limit reported only in a header (%s) is observed, too', async (_form, retryAfter) => {
    const webhook = discord.addWebhook((response) =>
      respondJson(response, 429, {}, { 'retry-after': retryAfter() }),
    );
    const account = await server.createAccount();
    for (const _ of [1, 2]) expect((await server.send(account, webhook)).status).toBe(500);
    expect(webhook.requests).toHaveLength(1);
  });

  it('a rate limit of the platform announced in headers is observed before the platform refuses', async () => {
    const webhook = discord.addWebhook(announceLimit('600'));
    const account = await server.createAccount();
    expect((await server.send(account, webhook)).status).toBe(200);
    await expectPaused(account, webhook);
  });

  it('a rate limit of the platform announced in headers for a moment is waited for', async () => {
    const webhook = discord.addWebhook(announceLimit('0.4'));
    const account = await server.createAccount();
    const start = performance.now();
    for (const _ of [1, 2, 3]) expect((await server.send(account, webhook)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(700);
  });

  describe('of all webhooks', () => {
    const ban =
      (text: string, headers = {}): WebhookHandler =>
      (response) =>
        response.writeHead(429, headers).end(text);
    const frontBan = (seconds: string) => ban('<p>1015</p>', { 'retry-after': seconds });
    const startLimitedServer = async () => {
      const app = await startChatApp(discord, {}, server.database);
      onTestFinished(() => app.close());
      return app;
    };

    it.each<[string, number, WebhookHandler]>([
      [
        'a global limit',
        500,
        limitSender(599, { 'x-ratelimit-scope': 'global', 'x-ratelimit-global': 'true' }),
      ],
      ['a ban', 503, ban('{"code":0,"message":"You are being blocked from our API."}')],
      ['a ban by the front', 503, frontBan('600')],
    ])('of all webhooks (%s) applies to all accounts', async (_name, status, handler) => {
      const app = await startLimitedServer();
      const response = await app.send(await app.createAccount(), discord.addWebhook(handler));
      expect(response.status).toBe(status);
      const otherWebhook = discord.addWebhook();
      const otherResponse = await app.send(await app.createAccount(), otherWebhook);
      const error = /^Discord accepts no messages from this service .* again in [0-9]+ seconds\.$/;
      expect(otherResponse).toMatchObject(errorText(503, expect.stringMatching(error)));
      expect(Number(otherResponse.headers['retry-after'])).toBeGreaterThan(300);
      expect(otherWebhook.requests).toHaveLength(0);
    });

    it('of all webhooks lasts for an hour at most', async () => {
      const app = await startLimitedServer();
      const dayLimit = limitSender(86_400, { 'x-ratelimit-scope': 'global' });
      const response = await app.send(await app.createAccount(), discord.addWebhook(dayLimit));
      expect([response.status, response.headers['retry-after']]).toEqual([500, '3600']);
    });

    it('of all webhooks ends', async () => {
      const app = await startLimitedServer();
      const account = await app.createAccount();
      const webhook = discord.addWebhook((response, request, attempt) =>
        attempt === 1
          ? frontBan('1')(response, request, attempt)
          : acceptMessage(response, request, attempt),
      );
      expect((await app.send(account, webhook)).status).toBe(503);
      await eventually(
        async () => (await app.send(account, webhook)).status,
        (status) => status === 200,
      );
    });
  });
});

const reject =
  (status: number, body: object, headers = {}): WebhookHandler =>
  (response) =>
    respondJson(response, status, body, headers);
const SHARED = { 'x-ratelimit-scope': 'shared' };
const missingAccess = reject(403, { message: 'Missing Access' });

async function startServer(maxInvalidRequests: number) {
  const app = await startChatApp(discord, { maxInvalidRequests }, server.database);
  onTestFinished(() => app.close());
  const send = (account: TestAccount, handler?: WebhookHandler) =>
    app.send(account, discord.addWebhook(handler));
  return { send, createAccount: app.createAccount };
}

it.each([
  ['rejected messages', missingAccess],
  ['unknown webhooks', reject(404, { code: 10_015, message: 'Unknown Webhook' })],
  ['unknown messages', reject(404, { code: 10_008, message: 'Unknown Message' })],
  ['rate limits', reject(429, { retry_after: 600 }, { 'x-ratelimit-scope': 'user' })],
])('requests that Discord rejects pause one account, not others (%s)', async (_what, handler) => {
  const { send, createAccount } = await startServer(6);
  const [account, otherAccount] = [await createAccount(), await createAccount()];
  for (let count = 0; count < 3; count += 1)
    expect((await send(account, handler)).status).toBeLessThan(503);
  const calls = vi.fn<WebhookHandler>(acceptMessage);
  const refused = await send(account, calls);
  const error = 'Discord refused too many messages from this account';
  expect(refused).toMatchObject(errorText(503, expect.stringContaining(error)));
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(300);
  expect(calls).not.toHaveBeenCalled();
  expect((await send(otherAccount)).status).toBe(200);
});

it('requests that Discord rejects pause an account until enough of its own have expired', async () => {
  const { send, createAccount } = await startServer(6);
  const [account, otherAccount] = [await createAccount(), await createAccount()];
  fakeTimers(['Date'], new Date());
  expect((await send(otherAccount, missingAccess)).status).toBe(400);
  vi.setSystemTime(Date.now() + 300_000);
  for (let count = 0; count < 3; count += 1)
    expect((await send(account, missingAccess)).status).toBe(400);
  const refused = await send(account);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '600']);
});

it('requests that Discord rejects pause all accounts together', async () => {
  const { send, createAccount } = await startServer(2);
  for (let count = 0; count < 2; count += 1)
    expect((await send(await createAccount(), missingAccess)).status).toBe(400);
  const refused = await send(await createAccount());
  const error = 'Discord refused too many messages from this service';
  expect(refused).toMatchObject(errorText(503, expect.stringContaining(error)));
});

it.each([
  ['accepted messages', undefined],
  ['limits shared with other senders', reject(429, { retry_after: 600 }, SHARED)],
  ['invalid messages', reject(400, { message: 'Cannot send an empty message' })],
])('requests that Discord rejects do not include %s', async (_what, handler) => {
  const { send, createAccount } = await startServer(2);
  const account = await createAccount();
  for (let count = 0; count < 3; count += 1)
    expect((await send(account, handler)).status).toBeLessThan(503);
});

it('requests that Discord rejects include a deleted webhook only once', async () => {
  const account = await server.createAccount();
  const webhook = discord.addWebhook(reject(401, { message: 'Invalid Webhook Token' }));
  for (let count = 0; count < 2; count += 1)
    expect((await server.send(account, webhook)).status).toBe(400);
  expect(webhook.requests).toHaveLength(1);
});

const startServersWithBudget = (perSecond: number, perMinute: number) => {
  const sendLimits = { perSecond, perMinute };
  return Promise.all([1, 2].map(() => startChatApp(discord, { sendLimits }, server.database)));
};

it('the budget of an account per second makes messages wait, across webhooks and servers', async () => {
  const servers = await startServersWithBudget(2, 0);
  const account = await server.createAccount();
  const start = performance.now();
  const sends = Array.from({ length: 6 }, (_, index) =>
    servers[index % 2]!.send(account, discord.addWebhook()),
  );
  for (const { status } of await Promise.all(sends)) expect(status).toBe(200);
  // Two messages are sent in each of three consecutive seconds.
  expect(performance.now() - start).toBeGreaterThan(950);
  for (const app of servers) await app.close();
});

it('the budget of an account per minute refuses further messages without an event', async () => {
  const servers = await startServersWithBudget(0, 3);
  const [account, otherAccount] = [await server.createAccount(), await server.createAccount()];
  const exhaustBudget = (minutes: number) =>
    server.sql`UPDATE chat_send_counts SET in_minute = 3,
        minute = date_trunc('minute', now()) + ${minutes} * interval '1 minute'
        WHERE account_id = ${account.id}`;
  expect((await servers[0]!.send(account, discord.addWebhook())).status).toBe(200);
  await exhaustBudget(5);
  for (const app of servers) {
    const otherWebhook = discord.addWebhook();
    const response = await app.send(account, otherWebhook);
    const seconds = Number(response.headers['retry-after']);
    const error = `This account sends too many messages. Try again in ${seconds} seconds.`;
    expect(response).toMatchObject(errorText(503, error));
    expect(seconds).toBeGreaterThan(240);
    expect(otherWebhook.requests).toHaveLength(0);
    expect((await app.send(otherAccount, otherWebhook)).status).toBe(200);
  }
  expect(await listEvents(server.db, account.id, { limit: 10 })).toHaveLength(1);
  await exhaustBudget(-1);
  expect((await servers[1]!.send(account, discord.addWebhook())).status).toBe(200);
  for (const app of servers) await app.close();
});

it('no webhook token is in the log or the database', () => expectNoTokenLeaks(server));
