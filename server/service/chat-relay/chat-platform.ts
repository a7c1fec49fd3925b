import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { ChatMessage } from '../../../contract/chat-message.ts';
import { countChatSend, type SendLimits } from '../../../db/queries/chat/chat-sends.ts';
import type { Database } from '../../../db/schema.ts';
import type { Webhook } from './webhook-url.ts';
import {
  type ChatRequest,
  createPlatformClient,
  type PlatformClientOptions,
} from './platform-client.ts';
import { deliver, type Sender } from './delivery.ts';
import { createLanes, startTimeLimit, type TimeLimit } from './limits.ts';
import { subjectsOf } from './memory.ts';
import { tooManySends } from './verdict.ts';

/** From whom a message comes and where it goes. */
interface ChatTarget {
  accountId: string;
  /** The database, on connections of the account. */
  db: Kysely<Database>;
  webhook: Webhook;
}

/** Runs the call that returns a message's id, with whatever must be written before and after it. */
export type Recorder = (call: () => Promise<string>) => Promise<string>;

/**
 * Where messages are sent to: the chat platform, or a look-alike. Both return the message's id and
 * throw a `RefusalError` if it is refused or fails; what there is no room for is never recorded.
 */
export interface ChatPlatform {
  send: (target: ChatTarget, message: ChatMessage, record: Recorder) => Promise<string>;
  /** Replaces a message. */
  edit: (
    target: ChatTarget,
    messageId: string,
    message: ChatMessage,
    record: Recorder,
  ) => Promise<string>;
}

export interface ChatPlatformOptions extends PlatformClientOptions {
  logger: FastifyBaseLogger;
  /** How much an account may send; any number by default. */
  sends?: SendLimits;
  /** For a message with all its waiting and retrying, in milliseconds. */
  timeLimitMs?: number;
}

/** A little less than the ten seconds within which a caller is answered. */
const TIME_LIMIT_MS = 9_500;
/** Time that calls in flight get to end when the server stops. */
const CLOSE_MS = 4_000;

/** The chat platform over HTTPS; `close` lets calls in flight end and refuses new ones. */
export function createChatPlatform(
  options: ChatPlatformOptions,
): ChatPlatform & { close: () => Promise<void> } {
  const { logger, sends, timeLimitMs = TIME_LIMIT_MS } = options;
  const client = createPlatformClient(options);
  const lanes = createLanes();
  const closing = new AbortController();
  const cut = new AbortController();
  const underway = new Set<Promise<string>>();

  function enter(
    { accountId, db, webhook }: ChatTarget,
    request: ChatRequest,
    record: Recorder,
  ): Promise<string> {
    const sender = { db, ...subjectsOf(accountId, webhook) };
    const limit = startTimeLimit(timeLimitMs, { closing: closing.signal, cut: cut.signal });
    const entered = lanes.enter({ ...sender, startBy: limit.startBy }, async (others) => {
      if (sends) await countSend(sender, sends, limit);
      const delivery = { request, sender, limit, others };
      return record(() => deliver({ client, lanes, logger }, delivery));
    });
    underway.add(entered);
    return entered.finally(() => underway.delete(entered));
  }

  return {
    send: (target, message, record) => enter(target, { webhook: target.webhook, message }, record),
    edit: (target, messageId, message, record) =>
      enter(target, { webhook: target.webhook, messageId, message }, record),
    close: async () => {
      closing.abort();
      const timer = setTimeout(() => cut.abort(), CLOSE_MS);
      await Promise.allSettled(underway);
      clearTimeout(timer);
      await client.close();
    },
  };
}

/** Waits for the account's budget if there is time for it. */
async function countSend(
  { db, accountId }: Sender,
  sends: SendLimits,
  limit: TimeLimit,
): Promise<void> {
  for (;;) {
    const seconds = await countChatSend(db, accountId, sends);
    if (seconds === undefined) return;
    if (!(await limit.wait(seconds))) throw tooManySends(seconds);
  }
}
