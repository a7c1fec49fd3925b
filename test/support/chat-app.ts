import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { afterAll, expect } from 'vitest';
import { listEvents } from '#db/queries/events.ts';
import { createChatService } from '#server/features/chat/chat-service.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { serializeError } from '#server/process/logger.ts';
import { call, type TestResponse } from './call.ts';
import { type FakeDiscord, startFakeDiscord, type TestWebhook } from './fake-discord.ts';
import { findTablesWith } from './find-text.ts';
import { startTestApp, type TestAccount, type TestApp } from './test-app.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

/** A test app with the real chat service, which calls a fake Discord. */
export interface ChatApp extends TestApp {
  /** Raw log output of the app and the chat service. */
  logText: () => string;
  /** Stops only the chat service. */
  closeChat: () => Promise<void>;
  send: (
    account: TestAccount,
    webhook: TestWebhook,
    options?: SendOptions,
  ) => Promise<TestResponse>;
}

interface SendOptions {
  /** The message to edit. */
  messageId?: string;
  payload?: object;
  idempotencyKey?: string;
}

/** Error body of a request whose message may or may not have been delivered. */
export const UNKNOWN_DELIVERY = {
  error:
    'Discord gave no valid answer, so the message may have been sent. Check the channel before you send it again.',
};

export async function findLatestEvent({ db }: TestApp, accountId: string) {
  const [event] = await listEvents(db, accountId, { limit: 1 });
  return event && { type: event.type, outcome: event.outcome, detail: event.detail };
}

/** Starts the app on a new database or on `sharedDatabase`, which the caller closes. */
export async function startChatApp(
  discord: FakeDiscord,
  {
    hosts = [discord.host],
    log,
    ...options
  }: NonNullable<Parameters<typeof createChatService>[1]> & {
    hosts?: string[];
    log?: FastifyBaseLogger;
  } = {},
  sharedDatabase?: TestDatabase,
): Promise<ChatApp> {
  const database = sharedDatabase
    ? { ...sharedDatabase, close: async () => {} }
    : await openTestDatabase();
  const lines: string[] = [];
  const logger = pino(
    { level: 'trace', serializers: { err: serializeError } },
    { write: (line: string) => void lines.push(line) },
  );
  const settings = { CHAT_WEBHOOK_HOSTS: hosts, CHAT_MESSAGES_PER_MINUTE: 0 };
  const chat = createChatService(
    { config: { ...loadConfig({}), ...settings }, log: log ?? logger },
    // Long, so that tests do not fail on a slow machine.
    { ca: discord.ca, timeoutMs: 120_000, ...options },
  );
  const server = await startTestApp({ ...settings, log: logger, chat }, database);
  return Object.assign(server, {
    logText: () => lines.join(''),
    closeChat: async () => {
      chat.abort();
      await chat.close();
    },
    send: (account, webhook, { messageId, payload = { content: 'hi' }, idempotencyKey } = {}) =>
      call(server.app, {
        method: messageId === undefined ? 'POST' : 'PATCH',
        path: '/hooks/send-chat-webhook',
        key: account.key,
        ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
        json: { webhookUrl: webhook.url, messageId, payload },
      }),
  } satisfies Partial<ChatApp>);
}

export async function useChatApp(): Promise<{ discord: FakeDiscord; server: ChatApp }> {
  const discord = await startFakeDiscord();
  const server = await startChatApp(discord);
  afterAll(async () => {
    await server.close();
    await discord.close();
  });
  return { discord, server };
}

/** Checks that neither the logs nor any database table contains a webhook token. */
export async function expectNoTokenLeaks(...servers: [ChatApp, ...ChatApp[]]): Promise<void> {
  const log = servers.map((server) => server.logText()).join('');
  expect(log).toContain('/hooks/send-chat-webhook');
  expect(log).not.toMatch(/canary/i);
  expect(await findTablesWith(servers[0].db, 'canary')).toEqual([]);
}
