import { z } from 'zod';
import { CHAT_REFUSALS } from '#contract/chat-refusals.ts';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import {
  clampWait,
  extractErrorMessage,
  readRetryAfter,
  parseDecimal,
} from '#server/platform/outbound/read-response.ts';
import { type RefusalError, createRefuser } from '#server/platform/refusal.ts';
import type { ChatResponse } from './chat-client.ts';

export type CallResult =
  | { kind: 'done'; messageId: string }
  /**
   * The webhook or the message is invalid. `isWebhookDeleted` means that the webhook was deleted at Discord.
   */
  | { kind: 'refused'; message: string; isWebhookDeleted: boolean; countsTowardsBan: boolean }
  /** A rate limit was reached for this webhook, or for all calls from this server. */
  | { kind: 'limited'; scope: 'webhook' | 'platform'; seconds: number; countsTowardsBan: boolean }
  /** Discord has banned this server's IP address. */
  | { kind: 'blocked'; seconds: number; countsTowardsBan: true }
  | { kind: 'failed'; cause: Error; outcomeUnknown: boolean; retrySeconds?: number };

export interface RateLimitBudget {
  remaining: number;
  resetSeconds: number;
}

export interface Pause {
  code:
    | 'webhookNotFound'
    | 'chatPlatformRateLimited'
    | 'relayBlocked'
    | 'relayPausedForAccount'
    | 'relayPaused';
  seconds: number;
}

const DEFAULT_RATE_LIMIT_SECONDS = 5;
const DEFAULT_BAN_SECONDS = 600;
const DEFAULT_RETRY_SECONDS = 0.5;
/** Maximum duration of a pause of all calls to Discord. */
const MAX_PLATFORM_PAUSE_SECONDS = 3_600;
/**
 * Shorter tokens, which exist only in tests, are not redacted, because they would match ordinary
 * words.
 */
const MIN_REDACTED_LENGTH = 8;

const CLIENT_ERROR_STATUSES = new Set([400, 401, 403, 404, 413]);
/**
 * Discord bans IP addresses that cause many of these. A 404 suggests that someone is guessing
 * webhook URLs.
 */
const BAN_RISK_STATUSES = new Set([401, 403, 404]);
/** Gateway errors: the request may still have succeeded. */
const OUTCOME_UNKNOWN_STATUSES = new Set([504, 520, 524]);
/** Discord's codes for an unknown thread or message: the webhook itself still exists. */
const WEBHOOK_EXISTS_CODES = new Set<number | undefined>([10_003, 10_008]);

const ResponseBody = z
  .object({
    id: z
      .string()
      .regex(/^[0-9]{1,20}$/)
      .optional()
      .catch(undefined),
    code: z.number().optional().catch(undefined),
    global: z.boolean().optional().catch(undefined),
    retry_after: z.number().min(0).optional().catch(undefined),
  })
  .catch({});

/** Redacts the token in Discord's error message. */
export function classifyResponse(response: ChatResponse, token: string): CallResult {
  const { status, headers, body } = response;
  const { id, code } = ResponseBody.parse(body);
  const cause = new CallError(`STATUS_${status}`, status < 400);
  if (status >= 200 && status < 300)
    return id === undefined
      ? { kind: 'failed', cause, outcomeUnknown: true }
      : { kind: 'done', messageId: id };
  if (status === 429) return classifyRateLimit(response);
  if (CLIENT_ERROR_STATUSES.has(status))
    return {
      kind: 'refused',
      message:
        extractErrorMessage(body, token.length < MIN_REDACTED_LENGTH ? [] : [token]) ||
        `status ${status}`,
      isWebhookDeleted: status === 401 || (status === 404 && !WEBHOOK_EXISTS_CODES.has(code)),
      countsTowardsBan: BAN_RISK_STATUSES.has(status),
    };
  if (status < 500) return { kind: 'failed', cause, outcomeUnknown: false };
  const retrySeconds = readRetryAfter(headers) ?? DEFAULT_RETRY_SECONDS;
  return {
    kind: 'failed',
    cause,
    outcomeUnknown: OUTCOME_UNKNOWN_STATUSES.has(status),
    retrySeconds,
  };
}

export function parseRateLimitBudget({ headers }: ChatResponse): RateLimitBudget | undefined {
  const remaining = parseNumber(headers['x-ratelimit-remaining']);
  const resetSeconds = parseNumber(headers['x-ratelimit-reset-after']);
  return remaining === undefined || !resetSeconds
    ? undefined
    : { remaining, resetSeconds: clampWait(resetSeconds) };
}

function classifyRateLimit({ headers, body }: ChatResponse): CallResult {
  const { code, global, retry_after: retryAfterInBody } = ResponseBody.parse(body);
  const seconds =
    retryAfterInBody ?? readRetryAfter(headers) ?? parseNumber(headers['x-ratelimit-reset-after']);
  const hasRateLimitHeaders = Object.keys(headers).some((name) => name.startsWith('x-ratelimit-'));
  const looksLikeBan =
    body === undefined || code === 0 || /block/i.test(extractErrorMessage(body, []));
  if (!hasRateLimitHeaders && retryAfterInBody === undefined && looksLikeBan)
    return {
      kind: 'blocked',
      seconds: Math.min(seconds ?? DEFAULT_BAN_SECONDS, MAX_PLATFORM_PAUSE_SECONDS),
      countsTowardsBan: true,
    };
  const scope = headers['x-ratelimit-scope'];
  const isGlobal =
    scope === 'global' || headers['x-ratelimit-global'] === 'true' || global === true;
  const waitSeconds = clampWait(seconds ?? DEFAULT_RATE_LIMIT_SECONDS);
  return {
    kind: 'limited',
    scope: isGlobal ? 'platform' : 'webhook',
    seconds: isGlobal ? Math.min(waitSeconds, MAX_PLATFORM_PAUSE_SECONDS) : waitSeconds,
    countsTowardsBan: scope !== 'shared',
  };
}

function parseNumber(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' ? parseDecimal(header) : undefined;
}

const refuse = createRefuser(CHAT_REFUSALS);

export function overloadedRefusal(): RefusalError {
  return refuse('relayOverloaded', {
    headers: retryAfterHeader(1),
    cause: new OverloadedError('chat'),
  });
}

export function rateLimitRefusal(seconds: number): RefusalError {
  return refuse('relayRateLimited', retryAfterDetails(seconds));
}

export function toChatRefusal(result: Exclude<CallResult, { kind: 'done' }>): RefusalError {
  switch (result.kind) {
    case 'refused':
      return refuse('chatPlatformRefused', { answer: result.message });
    case 'limited':
      return refuse('chatPlatformRateLimited', retryAfterDetails(result.seconds));
    case 'blocked':
      return refuse('relayBlocked', retryAfterDetails(result.seconds));
    case 'failed': {
      const { outcomeUnknown, cause, retrySeconds } = result;
      const headers = retrySeconds === undefined ? {} : retryAfterHeader(retrySeconds);
      return outcomeUnknown
        ? refuse('outcomeUnknown', { outcomeUnknown, cause, headers })
        : refuse('chatPlatformFailed', { cause, headers });
    }
  }
}

export function pauseRefusal({ code, seconds }: Pause): RefusalError {
  if (code === 'webhookNotFound') return refuse(code);
  return refuse(code, retryAfterDetails(seconds));
}

function retryAfterDetails(seconds: number): { seconds: number; headers: Record<string, string> } {
  return { seconds: toWholeSeconds(seconds), headers: retryAfterHeader(seconds) };
}

function retryAfterHeader(seconds: number): Record<string, string> {
  return { 'retry-after': String(toWholeSeconds(seconds)) };
}

function toWholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}
