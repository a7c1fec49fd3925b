import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import type { OutboundClient } from '../outbound/client.ts';
import { CallError } from '../outbound/errors.ts';
import { callPlatform, type ChatRequest } from './platform-client.ts';
import type { Lanes, TimeLimit } from './limits.ts';
import { findStop, remember, type Subjects } from './memory.ts';
import { judge, readBudget, toRefusal, toStopRefusal, type Verdict } from './verdict.ts';

/** Dependencies of every delivery. */
export interface Carrier {
  client: OutboundClient;
  lanes: Lanes;
  logger: FastifyBaseLogger;
}

/** Who sends, with the database on connections of the account. */
export interface Sender extends Subjects {
  db: Kysely<Database>;
}

/** A message on its way to the platform. */
export interface Delivery {
  request: ChatRequest;
  sender: Sender;
  limit: TimeLimit;
  /** Number of other messages of the webhook on their way. */
  others: () => number;
}

/** Delivers a message, with one more try where the platform asks for it; returns the message's id. */
export async function deliver(carrier: Carrier, delivery: Delivery): Promise<string> {
  const { limit } = delivery;
  let trial = false;
  for (let attempt = 1; ; attempt += 1) {
    trial ||= await passStops(delivery);
    const verdict = await carrier.lanes.call(limit.startBy, () => call(carrier, delivery, trial));
    if (verdict.kind === 'done') return verdict.messageId;
    const seconds = attempt === 1 ? secondsToRetry(verdict) : undefined;
    if (seconds === undefined || !(await limit.wait(seconds))) throw toRefusal(verdict);
  }
}

/**
 * Waits for a webhook's budget if there is time for it, and refuses what is stopped otherwise.
 * True if the call is the trial of the platform after a stop.
 */
async function passStops({ sender, limit }: Delivery): Promise<boolean> {
  for (;;) {
    const stop = await findStop(sender.db, sender);
    if (!stop || stop === 'trial') return stop === 'trial';
    if (stop.reason !== 'budget' || !(await limit.wait(stop.seconds))) throw toStopRefusal(stop);
  }
}

async function call(
  { client, logger }: Carrier,
  { request, sender, limit, others }: Delivery,
  trial: boolean,
): Promise<Verdict> {
  const beside = others();
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
    await remember({ db: sender.db, logger }, sender, { verdict, budget, others: beside, trial });
  } catch (error) {
    logger.error({ err: error }, "the chat platform's limits could not be remembered");
  }
  return verdict;
}

/** Seconds after which a call is worth one more try; undefined if it is not. */
function secondsToRetry(verdict: Exclude<Verdict, { kind: 'done' }>): number | undefined {
  if (verdict.kind === 'limited') return verdict.seconds;
  return verdict.kind === 'failed' ? verdict.retrySeconds : undefined;
}
