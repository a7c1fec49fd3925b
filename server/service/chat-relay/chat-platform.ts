import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { ChatMessage } from '../../../contract/chat-message.ts';
import { countChatSend, type SendLimits } from '../../../db/queries/chat/chat-sends.ts';
import type { Database } from '../../../db/schema.ts';
import type { Webhook } from './webhook-url.ts';
import { CallError } from '../outbound/errors.ts';
import { callPlatform, type ChatRequest } from './call.ts';
import { createLanes } from './lanes.ts';
import { findStop, remember, type Subjects, subjectsOf } from './memory.ts';
import { overloaded, tooManySends, toRefusal, toStopRefusal } from './refusals.ts';
import { createPlatformClient, type PlatformClientOptions } from './platform-client.ts';
import { judge, readBudget, type Verdict } from './verdict.ts';

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
/** The part of the time limit after which no call is begun, because it could not end in time. */
const LAST_START = 0.6;
/** Time that calls in flight get to end when the server stops. */
const CLOSE_MS = 4_000;
/** Margin after a webhook's pause ends, because the database's clock decides. */
const SLACK_MS = 50;

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
    const limit = startLimit(timeLimitMs, closing.signal, cut.signal);
    const entered = lanes.enter({ ...sender, startBy: limit.startBy }, async (others) => {
      await countSend(sender, limit);
      return record(() => deliver(request, sender, limit, others));
    });
    underway.add(entered);
    return entered.finally(() => underway.delete(entered));
  }

  /** Waits for the account's budget if there is time for it. */
  async function countSend({ db, accountId }: Sender, limit: TimeLimit): Promise<void> {
    for (;;) {
      const seconds = sends && (await countChatSend(db, accountId, sends));
      if (seconds === undefined) return;
      if (!(await limit.wait(seconds))) throw tooManySends(seconds);
    }
  }

  async function deliver(
    request: ChatRequest,
    sender: Sender,
    limit: TimeLimit,
    others: () => number,
  ): Promise<string> {
    let trial = false;
    for (let attempt = 1; ; attempt += 1) {
      trial ||= await passStops(sender, limit);
      const verdict = await lanes.call(limit.startBy, () =>
        call(request, sender, limit, { others: others(), trial }),
      );
      if (verdict.kind === 'done') return verdict.messageId;
      const seconds = attempt === 1 ? secondsToRetry(verdict) : undefined;
      if (seconds === undefined || !(await limit.wait(seconds))) throw toRefusal(verdict);
    }
  }

  /**
   * Waits for a webhook's budget if there is time for it, and refuses what is stopped otherwise.
   * True if the call is the trial of the platform after a stop.
   */
  async function passStops(sender: Sender, limit: TimeLimit): Promise<boolean> {
    for (;;) {
      const stop = await findStop(sender.db, sender);
      if (!stop || stop === 'trial') return stop === 'trial';
      if (stop.reason !== 'budget' || !(await limit.wait(stop.seconds))) throw toStopRefusal(stop);
    }
  }

  async function call(
    request: ChatRequest,
    sender: Sender,
    limit: TimeLimit,
    circumstances: { others: number; trial: boolean },
  ): Promise<Verdict> {
    let answer;
    try {
      answer = await callPlatform(client, request, limit.endBy);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return { kind: 'failed', cause: error, outcomeUnknown: error.mayHaveArrived };
    }
    const verdict = judge(answer, request.webhook.token);
    try {
      const budget = readBudget(answer);
      await remember({ db: sender.db, logger }, sender, { verdict, budget, ...circumstances });
    } catch (error) {
      logger.error({ err: error }, "the chat platform's limits could not be remembered");
    }
    return verdict;
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

interface Sender extends Subjects {
  db: Kysely<Database>;
}

interface TimeLimit {
  startBy: AbortSignal;
  endBy: AbortSignal;
  /** Waits if a call can still be begun after it; false at once if not. */
  wait: (seconds: number) => Promise<boolean>;
}

function startLimit(timeLimitMs: number, closing: AbortSignal, cut: AbortSignal): TimeLimit {
  const lastStart = performance.now() + timeLimitMs * LAST_START;
  const startBy = AbortSignal.any([closing, AbortSignal.timeout(timeLimitMs * LAST_START)]);
  return {
    startBy,
    endBy: AbortSignal.any([cut, AbortSignal.timeout(timeLimitMs)]),
    wait: async (seconds) => {
      const waitMs = seconds * 1_000 + SLACK_MS;
      if (performance.now() + waitMs >= lastStart) return false;
      await sleep(waitMs, undefined, { signal: startBy }).catch(() => {
        throw overloaded();
      });
      return true;
    },
  };
}

/** After how long a call is worth one more try; undefined if it is not. */
function secondsToRetry(verdict: Exclude<Verdict, { kind: 'done' }>): number | undefined {
  if (verdict.kind === 'limited') return verdict.seconds;
  return verdict.kind === 'failed' ? verdict.retrySeconds : undefined;
}
