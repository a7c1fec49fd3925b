import type { Database } from '#db/connections/handles.ts';
import { recordChatSend, type SendLimits } from '#db/queries/chat-send-counts.ts';
import type { Core } from '#server/core.ts';
import type { OutboundClient } from '#server/platform/outbound/client.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import type { Config } from '#server/platform/settings/config.ts';
import {
  classifyResponse,
  overloadedRefusal,
  parseRateLimitBudget,
  rateLimitRefusal,
  toChatRefusal,
  pauseRefusal,
  type CallResult,
} from './call-result.ts';
import {
  callChat,
  type ChatRequest,
  createChatClient,
  type ChatClientOptions,
  webhookHostsOf,
} from './chat-client.ts';
import { ChatPauses, MAX_INVALID_REQUESTS } from './chat-pauses.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { DeliveryQueue } from './delivery-queue.ts';

interface SendContext {
  accountId: string;
  db: Database;
}

/**
 * Logs a pending event, runs `call`, which returns the message id, and then completes the event.
 */
export type MessageRecorder = (call: () => Promise<string>) => Promise<string>;

export interface ChatService {
  /**
   * Sends or edits a message, and returns its id. If there are too many calls already, throws
   * without recording the message.
   */
  deliver: (context: SendContext, request: ChatRequest, record: MessageRecorder) => Promise<string>;
  /** Pending messages fail. Calls in flight may take a few more seconds. */
  abort: () => void;
  close: () => Promise<void>;
}

/** Slows bursts down. The limit that callers see is CHAT_MESSAGES_PER_MINUTE. */
const MESSAGES_PER_SECOND = 10;

/** Limits the time for one message, including waiting and retries: callers get a response within 10 s. */
const DELIVERY_TIMEOUT_MS = 9_500;
/** In-flight calls are aborted this long after the server starts to stop. */
const SHUTDOWN_GRACE_MS = 4_000;

export function createChatService(
  { config, log }: Pick<Core, 'config' | 'log'>,
  {
    timeoutMs = DELIVERY_TIMEOUT_MS,
    sendLimits = sendLimitsOf(config),
    maxInvalidRequests = MAX_INVALID_REQUESTS,
    ...clientOptions
  }: Omit<ChatClientOptions, 'hosts'> & {
    timeoutMs?: number;
    sendLimits?: SendLimits | undefined;
    maxInvalidRequests?: number;
  } = {},
): ChatService {
  const client = createChatClient({ hosts: webhookHostsOf(config), ...clientOptions });
  const pauses = new ChatPauses(log, maxInvalidRequests);
  const queue = new DeliveryQueue(pauses, timeoutMs);
  const closing = new AbortController();
  const abortCalls = new AbortController();
  const inFlightDeliveries = new Set<Promise<string>>();

  return {
    deliver: (context, request, record) => {
      const deadline = startDeadline(timeoutMs, {
        closing: closing.signal,
        abortCalls: abortCalls.signal,
      });
      const { accountId } = context;
      const messageId = queue.runForAccount(accountId, async () => {
        if (sendLimits) await waitForSendLimits(context, sendLimits, deadline);
        return queue.runInSlot(request.webhook, deadline, (countOtherCalls) =>
          record(() =>
            deliver({ client, pauses }, { accountId, request, deadline, countOtherCalls }),
          ),
        );
      });
      inFlightDeliveries.add(messageId);
      return messageId.finally(() => inFlightDeliveries.delete(messageId));
    },
    abort: () => {
      closing.abort();
      setTimeout(() => abortCalls.abort(), SHUTDOWN_GRACE_MS).unref();
    },
    close: async () => {
      await Promise.allSettled(inFlightDeliveries);
      await client.close();
    },
  };
}

function sendLimitsOf({ CHAT_MESSAGES_PER_MINUTE: perMinute }: Config): SendLimits | undefined {
  return perMinute === 0 ? undefined : { perSecond: MESSAGES_PER_SECOND, perMinute };
}

async function waitForSendLimits(
  { db, accountId }: SendContext,
  sendLimits: SendLimits,
  deadline: Deadline,
): Promise<void> {
  for (;;) {
    const seconds = await recordChatSend(db, accountId, sendLimits);
    if (seconds === undefined) return;
    if (!(await deadline.wait(seconds))) throw rateLimitRefusal(seconds);
  }
}

interface Transport {
  client: OutboundClient;
  pauses: ChatPauses;
}

interface Delivery {
  accountId: string;
  request: ChatRequest;
  deadline: Deadline;
  countOtherCalls: () => number;
}

async function deliver(transport: Transport, delivery: Delivery): Promise<string> {
  const { pauses } = transport;
  const { accountId, deadline } = delivery;
  for (let attempt = 1; ; attempt += 1) {
    await waitForPauses(pauses, delivery);
    if (deadline.tooLateToStart.aborted) throw overloadedRefusal();
    const result = await pauses.countInvalid(accountId, () => callOnce(transport, delivery));
    if (result.kind === 'done') return result.messageId;
    const seconds = attempt === 1 ? retrySecondsFor(result) : undefined;
    if (seconds === undefined || !(await deadline.wait(seconds))) throw toChatRefusal(result);
  }
}

/** Waits for short pauses of the webhook. Throws for other pauses. */
async function waitForPauses(pauses: ChatPauses, { request, deadline }: Delivery): Promise<void> {
  for (;;) {
    const pause = pauses.find(request.webhook);
    if (!pause) return;
    const canWait =
      pause.code === 'chatPlatformRateLimited' && (await deadline.wait(pause.seconds));
    if (!canWait) throw pauseRefusal(pause);
  }
}

async function callOnce(
  { client, pauses }: Transport,
  { request, deadline, countOtherCalls }: Delivery,
): Promise<CallResult> {
  const otherCallCount = countOtherCalls();
  let response;
  try {
    response = await callChat(client, request, deadline.callSignal);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { kind: 'failed', cause: error, outcomeUnknown: error.mayHaveArrived };
  }
  const result = classifyResponse(response, request.webhook.token);
  const budget = parseRateLimitBudget(response);
  pauses.pauseAfter(request.webhook, result, { budget, otherCallCount });
  return result;
}

/** Returns undefined if the call must not be retried. */
function retrySecondsFor(result: Exclude<CallResult, { kind: 'done' }>): number | undefined {
  if (result.kind === 'limited') return result.seconds;
  return result.kind === 'failed' ? result.retrySeconds : undefined;
}
