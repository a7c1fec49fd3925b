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
let relay: ChatApp;
let held: (() => void)[];
beforeAll(async () => {
  slow = await startChatServer();
  server = await startChatApp(slow);
  await slow.close();
});
afterAll(() => server.close());
beforeEach(async () => {
  held = [];
  slow = await startChatServer();
  // Must not depend on the speed of this machine.
  relay = await startChatApp(slow, { timeoutMs: 120_000 }, server.database);
});
afterEach(async () => {
  await relay.close();
  await slow.close();
});

/** A handler that responds only after it is released. */
const hold: WebhookHandler = (response, request, attempt) => {
  held.push(() => acceptMessage(response, request, attempt));
};

function letGo(atOnce = held.length): void {
  for (const release of held.splice(0, atOnce)) release();
}

/** Collects responses in the order of arrival. */
function settling(replies: Promise<TestResponse>[]): { settled: TestResponse[] } {
  const settled: TestResponse[] = [];
  for (const reply of replies) void reply.then((answered) => settled.push(answered));
  return { settled };
}

/**
 * Starts a number of messages, eight at a time, because many connections at once can exceed the
 * connection timeout on a busy machine.
 */
async function begin(
  count: number,
  send: (index: number) => Promise<TestResponse>,
): Promise<Promise<TestResponse>[]> {
  const replies: Promise<TestResponse>[] = [];
  while (replies.length < count) {
    for (let more = 0; more < 8; more += 1) replies.push(send(replies.length));
    await eventually(() => held.length === replies.length, Boolean);
  }
  return replies;
}

describe('many messages at once', () => {
  it('do not affect other endpoints while the platform hangs; messages beyond the queue get 503', async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => relay.createAccount()));
    // First uses of API keys wait for each other.
    for (const { client } of accounts) await client.site.getSiteStatus();
    const send = (index: number) =>
      relay.send(accounts[index % accounts.length]!, slow.addWebhook(hold));
    const underway = await begin(64, send);
    const replies = settling([
      ...underway,
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
      letGo(8);
      expect(replies.settled).toHaveLength(500);
    });
    for (const { status } of replies.settled.slice(372)) expect(status).toBe(200);
    expect(slow.inFlight.peak).toBe(64);
  });

  it('to one webhook are sent four at a time', async () => {
    const account = await relay.createAccount();
    const webhook = slow.addWebhook(hold);
    const replies = settling(Array.from({ length: 25 }, () => relay.send(account, webhook)));
    await eventually(() => replies.settled.length === 5 && held.length === 4, Boolean);
    expect(replies.settled.map(({ status }) => status)).toEqual(Array(5).fill(503));
    await eventually(() => {
      letGo();
      expect(replies.settled).toHaveLength(25);
    });
    for (const { status } of replies.settled.slice(5)) expect(status).toBe(200);
    expect(slow.inFlight.peak).toBe(4);
  });

  it('of one account leave room for other accounts', async () => {
    const [greedy, other] = [await relay.createAccount(), await relay.createAccount()];
    const send = () => relay.send(greedy, slow.addWebhook(hold));
    const underway = await begin(32, send);
    const replies = settling([...underway, ...Array.from({ length: 100 - 32 }, send)]);
    await eventually(() => replies.settled.length === 68 && held.length === 32, Boolean);
    expect((await relay.send(other, slow.addWebhook())).status).toBe(200);
    for (const { status } of replies.settled) expect(status).toBe(503);
    letGo();
    await eventually(() => replies.settled.length === 100, Boolean);
    for (const { status } of replies.settled.slice(68)) expect(status).toBe(200);
  });

  it('that wait too long in the queue get 503 and are never sent', async () => {
    const hasty = await startChatApp(slow, { timeoutMs: 5_000 }, server.database);
    const account = await hasty.createAccount();
    const webhook = slow.addWebhook(hold);
    const replies = settling(Array.from({ length: 6 }, () => hasty.send(account, webhook)));
    await eventually(() => replies.settled.length === 2, Boolean);
    letGo();
    await eventually(() => replies.settled.length === 6, Boolean);
    expect(replies.settled.map(({ status }) => status)).toEqual([503, 503, 200, 200, 200, 200]);
    expect(webhook.requests).toHaveLength(4);
    await hasty.close();
  });

  it('are refused when the server stops, while in-flight messages are delivered', async () => {
    const account = await relay.createAccount();
    const webhook = slow.addWebhook(hold);
    const underway = relay.send(account, webhook);
    await eventually(() => held.length === 1, Boolean);
    const closed = relay.closeChat();
    const late = await relay.send(account, slow.addWebhook());
    expect([late.status, late.body]).toEqual([503, OVERLOADED]);
    letGo();
    expect((await underway).status).toBe(200);
    await closed;
  });
});
