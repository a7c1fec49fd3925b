import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { ChatMessage } from '#contract/chat-message.ts';
import { countChatSend, type SendLimits } from '#db/queries/chat/chat-send-counts.ts';
import type { Database } from '#db/schema.ts';
import {
  callPlatform,
  type ChatRequest,
  createPlatformClient,
  type PlatformClientOptions,
  type Webhook,
} from './platform-client.ts';
import { createCallQueues, type CallQueues, startTimeLimit, type TimeLimit } from './limits.ts';
import { findStop, storeStops, type Subjects, subjectsOf } from './stops.ts';
import {
  readResult,
  readBudget,
  tooManySends,
  toRefusal,
  toStopRefusal,
  type CallResult,
} from './call-result.ts';
import type { OutboundClient } from '#server/outbound/client.ts';
import { CallError } from '#server/outbound/errors.ts';

interface ChatTarget {
  accountId: string;
  /** The database, on connections of the account. */
  db: Kysely<Database>;
  webhook: Webhook;
}

/** Runs the call, which returns the message's id, and writes the event before and after it. */
export type Recorder = (call: () => Promise<string>) => Promise<string>;

/**
 * Both methods return the message's id and throw a `RefusalError` if the message is refused or fails.
 * A message that the full queues refuse is not recorded.
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
  /** Limits of each account; unlimited by default. */
  sends?: SendLimits;
  /** Time limit of a message in milliseconds, with waiting and retries. */
  timeLimitMs?: number;
}

/** Less than the ten seconds within which callers get an answer. */
const TIME_LIMIT_MS = 9_500;
/** Time that calls in flight get to end when the server stops. */
const CLOSE_MS = 4_000;

/** The chat platform over HTTPS; `close` lets calls in flight end and refuses new ones. */
export function createChatPlatform(
  options: ChatPlatformOptions,
): ChatPlatform & { close: () => Promise<void> } {
  const { logger, sends, timeLimitMs = TIME_LIMIT_MS } = options;
  const client = createPlatformClient(options);
  const queues = createCallQueues();
  const closing = new AbortController();
  const cut = new AbortController();
  const inFlight = new Set<Promise<string>>();

  function startDelivery(
    { accountId, db, webhook }: ChatTarget,
    request: ChatRequest,
    record: Recorder,
  ): Promise<string> {
    const sender = { db, ...subjectsOf(accountId, webhook) };
    const limit = startTimeLimit(timeLimitMs, { closing: closing.signal, cut: cut.signal });
    const delivered = queues.run({ ...sender, startBy: limit.startBy }, async (others) => {
      if (sends) await countSend(sender, sends, limit);
      const delivery = { request, sender, limit, others };
      return record(() => deliver({ client, queues, logger }, delivery));
    });
    inFlight.add(delivered);
    return delivered.finally(() => inFlight.delete(delivered));
  }

  return {
    send: (target, message, record) =>
      startDelivery(target, { webhook: target.webhook, message }, record),
    edit: (target, messageId, message, record) =>
      startDelivery(target, { webhook: target.webhook, messageId, message }, record),
    close: async () => {
      closing.abort();
      const timer = setTimeout(() => cut.abort(), CLOSE_MS);
      await Promise.allSettled(inFlight);
      clearTimeout(timer);
      await client.close();
    },
  };
}

/** Waits for the account's rate limit if there is time. */
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

interface Transport {
  client: OutboundClient;
  queues: CallQueues;
  logger: FastifyBaseLogger;
}

interface Sender extends Subjects {
  db: Kysely<Database>;
}

interface Delivery {
  request: ChatRequest;
  sender: Sender;
  limit: TimeLimit;
  /** Number of other messages to the webhook in flight. */
  others: () => number;
}

/** Delivers a message, with one retry if the platform asks for it; returns the message's id. */
async function deliver(transport: Transport, delivery: Delivery): Promise<string> {
  const { limit } = delivery;
  let trial = false;
  for (let attempt = 1; ; attempt += 1) {
    trial ||= await waitForStops(delivery);
    const result = await transport.queues.call(limit.startBy, () =>
      call(transport, delivery, trial),
    );
    if (result.kind === 'done') return result.messageId;
    const seconds = attempt === 1 ? secondsToRetry(result) : undefined;
    if (seconds === undefined || !(await limit.wait(seconds))) throw toRefusal(result);
  }
}

/**
 * Waits for a webhook's rate limit if there is time, and refuses messages that other stops forbid.
 * True if the call is the trial call after a stop of the platform.
 */
async function waitForStops({ sender, limit }: Delivery): Promise<boolean> {
  for (;;) {
    const stop = await findStop(sender.db, sender);
    if (!stop || stop === 'trial') return stop === 'trial';
    if (stop.reason !== 'budget' || !(await limit.wait(stop.seconds))) throw toStopRefusal(stop);
  }
}

async function call(
  { client, logger }: Transport,
  { request, sender, limit, others }: Delivery,
  trial: boolean,
): Promise<CallResult> {
  const beside = others();
  let answer;
  try {
    answer = await callPlatform(client, request, limit.endBy);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { kind: 'failed', cause: error, outcomeUnknown: error.mayHaveArrived };
  }
  const result = readResult(answer, request.webhook.token);
  try {
    const budget = readBudget(answer);
    await storeStops({ db: sender.db, logger }, sender, { result, budget, others: beside, trial });
  } catch (error) {
    logger.error({ err: error }, "the chat platform's limits could not be stored");
  }
  return result;
}

/** Undefined if a retry is useless. */
function secondsToRetry(result: Exclude<CallResult, { kind: 'done' }>): number | undefined {
  if (result.kind === 'limited') return result.seconds;
  return result.kind === 'failed' ? result.retrySeconds : undefined;
}
