import { sql } from 'kysely';
import { pino } from 'pino';
import { expect } from 'vitest';
import { type ChatServiceOptions, createChatService } from '#server/features/chat/chat-service.ts';
import { listEvents } from '#db/queries/events.ts';
import { serializeError } from '#server/process/logger.ts';
import { call, type Reply } from './call.ts';
import type { ChatServer, TestWebhook } from './chat-server.ts';
import { startTestApp, type TestAccount, type TestApp } from './test-app.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

/** The application with the real relay, which calls a chat platform of the tests'. */
export interface RelayApp extends TestApp {
  /** Everything that the application and its relay logged, as it was written. */
  logText: () => string;
  /** Stops the relay alone. */
  closeRelay: () => Promise<void>;
  send: (account: TestAccount, webhook: TestWebhook, more?: SendOptions) => Promise<Reply>;
}

interface SendOptions {
  /** The message to edit. */
  messageId?: string;
  payload?: object;
  idempotencyKey?: string;
}

/** Error that callers get when a message may have gone out. */
export const UNKNOWN = {
  error:
    'Discord gave no valid answer, so the message may have been sent. Check the channel before you send it again.',
};

/** The event that was written last of an account. */
export async function latestEvent({ database }: TestApp, accountId: string) {
  const [event] = await listEvents(database.db, accountId, { limit: 1 });
  return event && { type: event.type, outcome: event.outcome, detail: event.detail };
}

/** Starts it; a given database is shared with others and closed by them. */
export async function startRelayApp(
  platform: ChatServer,
  options: Partial<ChatServiceOptions> = {},
  shared?: TestDatabase,
): Promise<RelayApp> {
  const database = shared ?? (await openTestDatabase());
  const lines: string[] = [];
  const logger = pino(
    { level: 'trace', serializers: { err: serializeError } },
    { write: (line: string) => void lines.push(line) },
  );
  const hosts = options.hosts ?? [platform.host];
  const relay = createChatService({ logger, hosts, ca: platform.ca, ...options });
  const server = await startTestApp({ logger, chat: relay, webhookHosts: hosts }, database);
  return {
    ...server,
    logText: () => lines.join(''),
    closeRelay: relay.close,
    send: (account, webhook, { messageId, payload = { content: 'hi' }, idempotencyKey } = {}) =>
      call(server.app, {
        method: messageId === undefined ? 'POST' : 'PATCH',
        path: '/hooks/send-chat-webhook',
        key: account.key,
        ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
        json: { webhookUrl: webhook.url, messageId, payload },
      }),
    close: async () => {
      await Promise.all([server.app.close(), relay.close()]);
      await server.jobs.close();
      if (!shared) await database.close();
    },
  };
}

/** Checks that the canary of no test's webhook is in what was logged or in the database. */
export async function expectNoToken(...servers: [RelayApp, ...RelayApp[]]): Promise<void> {
  const log = servers.map((server) => server.logText()).join('');
  expect(log).toContain('/hooks/send-chat-webhook');
  expect(log).not.toMatch(/canary/i);
  const { db } = servers[0].database;
  const { rows: tables } = await sql<{ table: string }>`
    SELECT table_name AS "table" FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(db);
  expect(tables.map(({ table }) => table)).toEqual(
    expect.arrayContaining(['events', 'chat_stops', 'chat_rejections', 'idempotency_keys']),
  );
  for (const { table } of tables) {
    const { rows } = await sql<{ row: string }>`
      SELECT t::text AS row FROM ${sql.id(table)} AS t WHERE t::text LIKE '%canary%'`.execute(db);
    expect(rows, table).toEqual([]);
  }
}
