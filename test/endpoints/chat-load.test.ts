import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { TestResponse } from '../support/call.ts';
import { type ChatApp, startChatApp } from '../support/chat-app.ts';
import { eventually } from '../support/eventually.ts';
import {
  acceptMessage,
  type WebhookHandler,
  type FakeDiscord,
  startFakeDiscord,
} from '../support/fake-discord.ts';

const OVERLOADED = { error: 'Too many messages are being sent. Try again in a moment.' };

/** Owns the database that `loadedServer` uses, too. */
let databaseServer: ChatApp;
let discord: FakeDiscord;
let loadedServer: ChatApp;
let releases: (() => void)[];
beforeAll(async () => {
  discord = await startFakeDiscord();
  databaseServer = await startChatApp(discord);
  await discord.close();
});
afterAll(() => databaseServer.close());
beforeEach(async () => {
  releases = [];
  discord = await startFakeDiscord();
  loadedServer = await startChatApp(discord, {}, databaseServer.database);
});
afterEach(async () => {
  await loadedServer.close();
  await discord.close();
});

/** A handler that responds only after it is released. */
const holdRequest: WebhookHandler = (response, request, attempt) => {
  releases.push(() => acceptMessage(response, request, attempt));
};

function releaseRequests(count = releases.length): void {
  for (const release of releases.splice(0, count)) release();
}

function collectResponses(responses: Promise<TestResponse>[]): { settled: TestResponse[] } {
  const settled: TestResponse[] = [];
  for (const pending of responses) void pending.then((response) => settled.push(response));
  return { settled };
}

/**
 * Starts a number of messages, eight at a time, because many connections at once can exceed the
 * connection timeout on a busy machine.
 */
async function startMessages(
  count: number,
  send: (index: number) => Promise<TestResponse>,
): Promise<Promise<TestResponse>[]> {
  const responses: Promise<TestResponse>[] = [];
  while (responses.length < count) {
    for (let index = 0; index < 8; index += 1) responses.push(send(responses.length));
    await eventually(() => releases.length === responses.length, Boolean);
  }
  return responses;
}

it('many messages at once do not affect other endpoints while the platform hangs; messages beyond the queue get 503', async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, loadedServer.createAccount));
  // Warm up: the first uses of API keys are serialized.
  for (const { client } of accounts) await client.site.getSiteStatus();
  const send = (index: number) =>
    loadedServer.send(accounts[index % accounts.length]!, discord.addWebhook(holdRequest));
  const inFlight = await startMessages(64, send);
  const waiting = Array.from({ length: 500 - 64 }, (_, index) => send(64 + index));
  const responses = collectResponses([...inFlight, ...waiting]);
  for (const { client } of accounts)
    expect(await client.account.getDisplayName()).toEqual({ display_name: '' });
  // The queue holds as many messages as can be in flight; the others are refused immediately.
  await eventually(() => responses.settled.length === 372, Boolean);
  for (const { status, body, headers } of responses.settled)
    expect([status, body, headers['retry-after']]).toEqual([503, OVERLOADED, '1']);
  const events = await databaseServer.db.selectFrom('events').select('outcome').execute();
  expect(events.map(({ outcome }) => outcome)).toEqual(Array(64).fill('pending'));
  await eventually(() => {
    releaseRequests(8);
    expect(responses.settled).toHaveLength(500);
  });
  for (const { status } of responses.settled.slice(372)) expect(status).toBe(200);
  expect(discord.inFlight.peak).toBe(64);
});

it('many messages at once to one webhook are sent four at a time', async () => {
  const account = await loadedServer.createAccount();
  const webhook = discord.addWebhook(holdRequest);
  const responses = collectResponses(
    Array.from({ length: 25 }, () => loadedServer.send(account, webhook)),
  );
  await eventually(() => responses.settled.length === 5 && releases.length === 4, Boolean);
  expect(responses.settled.map(({ status }) => status)).toEqual(Array(5).fill(503));
  await eventually(() => {
    releaseRequests();
    expect(responses.settled).toHaveLength(25);
  });
  for (const { status } of responses.settled.slice(5)) expect(status).toBe(200);
  expect(discord.inFlight.peak).toBe(4);
});

it('many messages at once of one account leave room for other accounts', async () => {
  const busyAccount = await loadedServer.createAccount();
  const otherAccount = await loadedServer.createAccount();
  const send = () => loadedServer.send(busyAccount, discord.addWebhook(holdRequest));
  const inFlight = await startMessages(32, send);
  const responses = collectResponses([...inFlight, ...Array.from({ length: 100 - 32 }, send)]);
  await eventually(() => responses.settled.length === 68 && releases.length === 32, Boolean);
  expect((await loadedServer.send(otherAccount, discord.addWebhook())).status).toBe(200);
  for (const { status } of responses.settled) expect(status).toBe(503);
  releaseRequests();
  await eventually(() => responses.settled.length === 100, Boolean);
  for (const { status } of responses.settled.slice(68)) expect(status).toBe(200);
});

it.each(['their account', 'their webhook'])(
  'many messages at once that wait for the limit of %s leave room for other accounts',
  async (limit) => {
    const perSecond = limit === 'their account' ? 1 : 0;
    const limits = { timeoutMs: 100_000, sendLimits: { perSecond, perMinute: 0 } };
    const app = await startChatApp(discord, limits, databaseServer.database);
    onTestFinished(() => app.close());
    const accounts = [await app.createAccount(), await app.createAccount()];
    const webhooks = Array.from({ length: 64 }, () =>
      discord.addWebhook((response, request, attempt) =>
        acceptMessage(response, request, attempt, {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset-after': '50',
        }),
      ),
    );
    for (const [index, webhook] of webhooks.entries())
      if (perSecond === 0) await app.send(accounts[index % 2]!, webhook);
    for (const { id } of perSecond === 0 ? [] : accounts)
      await app.sql`INSERT INTO chat_send_counts (account_id, second, in_second, minute, in_minute)
          VALUES (${id}, now() + interval '50 seconds', 1, now(), 1)`;
    const { settled } = collectResponses(
      webhooks.map((webhook, index) => app.send(accounts[index % 2]!, webhook)),
    );
    const otherAccount = await app.createAccount();
    for (const _ of [1, 2, 3])
      expect((await app.send(otherAccount, discord.addWebhook())).status).toBe(200);
    expect(settled).toEqual([]);
  },
);

it('many messages at once that wait too long in the queue get 503 and are never sent', async () => {
  const timeoutMs = 5_000;
  const shortTimeoutServer = await startChatApp(discord, { timeoutMs }, databaseServer.database);
  const account = await shortTimeoutServer.createAccount();
  const webhook = discord.addWebhook(holdRequest);
  const responses = collectResponses(
    Array.from({ length: 6 }, () => shortTimeoutServer.send(account, webhook)),
  );
  await eventually(() => responses.settled.length === 2, Boolean);
  releaseRequests();
  await eventually(() => responses.settled.length === 6, Boolean);
  expect(responses.settled.map(({ status }) => status)).toEqual([503, 503, 200, 200, 200, 200]);
  expect(webhook.requests).toHaveLength(4);
  await shortTimeoutServer.close();
});

it('many messages at once are refused when the server stops, while in-flight messages are delivered', async () => {
  const account = await loadedServer.createAccount();
  const webhook = discord.addWebhook(holdRequest);
  const inFlight = loadedServer.send(account, webhook);
  await eventually(() => releases.length === 1, Boolean);
  const closed = loadedServer.closeChat();
  const lateResponse = await loadedServer.send(account, discord.addWebhook());
  expect([lateResponse.status, lateResponse.body]).toEqual([503, OVERLOADED]);
  releaseRequests();
  expect((await inFlight).status).toBe(200);
  await closed;
});
