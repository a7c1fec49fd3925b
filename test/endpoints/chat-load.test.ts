import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import {
  acceptMessage,
  type WebhookHandler,
  type ChatServer,
  startChatServer,
} from '../support/chat-server.ts';
import { type ChatApp, startChatApp } from '../support/chat-app.ts';

const OVERLOADED = { error: 'Too many messages are being sent. Try again in a moment.' };

/** The other servers share its database. */
let server: ChatApp;
let slow: ChatServer;
let loadedServer: ChatApp;
let releases: (() => void)[];
beforeAll(async () => {
  slow = await startChatServer();
  server = await startChatApp(slow);
  await slow.close();
});
afterAll(() => server.close());
beforeEach(async () => {
  releases = [];
  slow = await startChatServer();
  // A long timeout, so the test does not depend on the speed of the machine.
  loadedServer = await startChatApp(slow, { timeoutMs: 120_000 }, server.database);
});
afterEach(async () => {
  await loadedServer.close();
  await slow.close();
});

/** A handler that responds only after it is released. */
const hold: WebhookHandler = (response, request, attempt) => {
  releases.push(() => acceptMessage(response, request, attempt));
};

function releaseRequests(count = releases.length): void {
  for (const release of releases.splice(0, count)) release();
}

/** Collects responses in the order of arrival. */
function collectResponses(replies: Promise<TestResponse>[]): { settled: TestResponse[] } {
  const settled: TestResponse[] = [];
  for (const reply of replies) void reply.then((answered) => settled.push(answered));
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
  const replies: Promise<TestResponse>[] = [];
  while (replies.length < count) {
    for (let more = 0; more < 8; more += 1) replies.push(send(replies.length));
    await eventually(() => releases.length === replies.length, Boolean);
  }
  return replies;
}

describe('many messages at once', () => {
  it('do not affect other endpoints while the platform hangs; messages beyond the queue get 503', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 20 }, () => loadedServer.createAccount()),
    );
    // First uses of API keys wait for each other.
    for (const { client } of accounts) await client.site.getSiteStatus();
    const send = (index: number) =>
      loadedServer.send(accounts[index % accounts.length]!, slow.addWebhook(hold));
    const inFlight = await startMessages(64, send);
    const replies = collectResponses([
      ...inFlight,
      ...Array.from({ length: 500 - 64 }, (_, index) => send(64 + index)),
    ]);
    for (const { client } of accounts)
      expect(await client.account.getDisplayName()).toEqual({ display_name: '' });
    // The queue holds as many messages as can be in flight; the others are refused immediately.
    await eventually(() => replies.settled.length === 372, Boolean);
    for (const { status, body, headers } of replies.settled)
      expect([status, body, headers['retry-after']]).toEqual([503, OVERLOADED, '1']);
    const events = await server.database.db.selectFrom('events').select('outcome').execute();
    expect(events.map(({ outcome }) => outcome)).toEqual(Array(128).fill('pending'));
    await eventually(() => {
      releaseRequests(8);
      expect(replies.settled).toHaveLength(500);
    });
    for (const { status } of replies.settled.slice(372)) expect(status).toBe(200);
    expect(slow.inFlight.peak).toBe(64);
  });

  it('to one webhook are sent four at a time', async () => {
    const account = await loadedServer.createAccount();
    const webhook = slow.addWebhook(hold);
    const replies = collectResponses(
      Array.from({ length: 25 }, () => loadedServer.send(account, webhook)),
    );
    await eventually(() => replies.settled.length === 5 && releases.length === 4, Boolean);
    expect(replies.settled.map(({ status }) => status)).toEqual(Array(5).fill(503));
    await eventually(() => {
      releaseRequests();
      expect(replies.settled).toHaveLength(25);
    });
    for (const { status } of replies.settled.slice(5)) expect(status).toBe(200);
    expect(slow.inFlight.peak).toBe(4);
  });

  it('of one account leave room for other accounts', async () => {
    const [busyAccount, other] = [
      await loadedServer.createAccount(),
      await loadedServer.createAccount(),
    ];
    const send = () => loadedServer.send(busyAccount, slow.addWebhook(hold));
    const inFlight = await startMessages(32, send);
    const replies = collectResponses([...inFlight, ...Array.from({ length: 100 - 32 }, send)]);
    await eventually(() => replies.settled.length === 68 && releases.length === 32, Boolean);
    expect((await loadedServer.send(other, slow.addWebhook())).status).toBe(200);
    for (const { status } of replies.settled) expect(status).toBe(503);
    releaseRequests();
    await eventually(() => replies.settled.length === 100, Boolean);
    for (const { status } of replies.settled.slice(68)) expect(status).toBe(200);
  });

  it('that wait too long in the queue get 503 and are never sent', async () => {
    const shortTimeout = await startChatApp(slow, { timeoutMs: 5_000 }, server.database);
    const account = await shortTimeout.createAccount();
    const webhook = slow.addWebhook(hold);
    const replies = collectResponses(
      Array.from({ length: 6 }, () => shortTimeout.send(account, webhook)),
    );
    await eventually(() => replies.settled.length === 2, Boolean);
    releaseRequests();
    await eventually(() => replies.settled.length === 6, Boolean);
    expect(replies.settled.map(({ status }) => status)).toEqual([503, 503, 200, 200, 200, 200]);
    expect(webhook.requests).toHaveLength(4);
    await shortTimeout.close();
  });

  it('are refused when the server stops, while in-flight messages are delivered', async () => {
    const account = await loadedServer.createAccount();
    const webhook = slow.addWebhook(hold);
    const inFlight = loadedServer.send(account, webhook);
    await eventually(() => releases.length === 1, Boolean);
    const closed = loadedServer.closeChat();
    const late = await loadedServer.send(account, slow.addWebhook());
    expect([late.status, late.body]).toEqual([503, OVERLOADED]);
    releaseRequests();
    expect((await inFlight).status).toBe(200);
    await closed;
  });
});
