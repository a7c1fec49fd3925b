import { z } from 'zod';
import { boundWait, explain, readRetryAfter, toNumber } from '#server/outbound/read-response.ts';
import type { PlatformAnswer } from './platform-client.ts';
import { CHAT_REFUSALS } from '#contract/chat-refusals.ts';
import type { ChatStop } from '#db/queries/chat/chat-stops.ts';
import { OverloadedError } from '#server/limits/overloaded-error.ts';
import { type RefusalError, refuserOf } from '#server/refusal.ts';

export type CallResult =
  | { kind: 'done'; messageId: string }
  /** Caused by the caller's webhook or message. A dead webhook never works again. */
  | { kind: 'refused'; message: string; dead: boolean; counts: boolean }
  /** Too many calls of the webhook or of this IP address. */
  | { kind: 'limited'; scope: 'webhook' | 'platform'; seconds: number; counts: boolean }
  /** The platform has banned this IP address. */
  | { kind: 'blocked'; seconds: number; counts: true }
  | { kind: 'failed'; cause: Error; outcomeUnknown: boolean; retrySeconds?: number };

/** Remaining calls of a webhook in its current rate limit window. */
export interface Budget {
  remaining: number;
  seconds: number;
}

const DEFAULT_LIMIT_SECONDS = 5;
const DEFAULT_BLOCK_SECONDS = 600;
const RETRY_SECONDS = 0.5;
/** Maximum length of a stop of the platform; then a trial call follows. */
const MAX_PLATFORM_SECONDS = 3_600;
/** Shorter tokens are used only in tests, and occur in every sentence. */
const SECRET_LENGTH = 8;

/** Statuses that are about the caller's webhook or message. */
const CALLERS_FAULT = new Set([400, 401, 403, 404, 413]);
/** Statuses that count towards a ban of this IP address. */
const REFUSED = new Set([401, 403, 404]);
/** Statuses of the platform's proxy: the request may have succeeded behind it. */
const MAYBE_DONE = new Set([504, 520, 524]);
/** The platform's codes for an unknown thread and an unknown message; the webhook still works. */
const WEBHOOK_LIVES = new Set<number | undefined>([10_003, 10_008]);

/** Fields of other types are ignored. */
const Said = z
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

/** Removes the token from the platform's message. */
export function readResult(answer: PlatformAnswer, token: string): CallResult {
  const { status, headers, body } = answer;
  const { id, code } = Said.parse(body);
  const cause = new Error(`the chat platform answered ${status}`);
  if (status >= 200 && status < 300)
    return id === undefined
      ? { kind: 'failed', cause, outcomeUnknown: true }
      : { kind: 'done', messageId: id };
  if (status === 429) return readLimit(answer);
  if (CALLERS_FAULT.has(status))
    return {
      kind: 'refused',
      message: explain(body, token.length < SECRET_LENGTH ? [] : [token]) || `status ${status}`,
      dead: status === 401 || (status === 404 && !WEBHOOK_LIVES.has(code)),
      counts: REFUSED.has(status),
    };
  if (status < 500) return { kind: 'failed', cause, outcomeUnknown: false };
  const retrySeconds = readRetryAfter(headers) ?? RETRY_SECONDS;
  return { kind: 'failed', cause, outcomeUnknown: MAYBE_DONE.has(status), retrySeconds };
}

export function readBudget({ headers }: PlatformAnswer): Budget | undefined {
  const remaining = readNumber(headers['x-ratelimit-remaining']);
  const seconds = readNumber(headers['x-ratelimit-reset-after']);
  return remaining === undefined || !seconds
    ? undefined
    : { remaining, seconds: boundWait(seconds) };
}

function readLimit({ headers, body }: PlatformAnswer): CallResult {
  const { code, global, retry_after: said } = Said.parse(body);
  const seconds = said ?? readRetryAfter(headers) ?? readNumber(headers['x-ratelimit-reset-after']);
  const rateHeaders = Object.keys(headers).some((name) => name.startsWith('x-ratelimit-'));
  const saysBlocked = body === undefined || code === 0 || /block/i.test(explain(body, []));
  if (!rateHeaders && said === undefined && saysBlocked)
    return {
      kind: 'blocked',
      seconds: Math.min(seconds ?? DEFAULT_BLOCK_SECONDS, MAX_PLATFORM_SECONDS),
      counts: true,
    };
  const scope = headers['x-ratelimit-scope'];
  const forAll = scope === 'global' || headers['x-ratelimit-global'] === 'true' || global === true;
  const wait = boundWait(seconds ?? DEFAULT_LIMIT_SECONDS);
  return {
    kind: 'limited',
    scope: forAll ? 'platform' : 'webhook',
    seconds: forAll ? Math.min(wait, MAX_PLATFORM_SECONDS) : wait,
    counts: scope !== 'shared',
  };
}

function readNumber(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' ? toNumber(header) : undefined;
}

const refuse = refuserOf(CHAT_REFUSALS);

export function overloaded(): RefusalError {
  return refuse('relayOverloaded', {
    headers: retryAfter(1),
    cause: new OverloadedError('chat-relay'),
  });
}

export function tooManySends(seconds: number): RefusalError {
  return refuse('relayRateLimited', waiting(seconds));
}

export function toRefusal(result: Exclude<CallResult, { kind: 'done' }>): RefusalError {
  switch (result.kind) {
    case 'refused':
      return refuse('chatPlatformRefused', { answer: result.message });
    case 'limited':
      return refuse('chatPlatformRateLimited', waiting(result.seconds));
    case 'blocked':
      return refuse('relayBlocked', waiting(result.seconds));
    case 'failed': {
      const { outcomeUnknown, cause, retrySeconds } = result;
      const headers = retrySeconds === undefined ? {} : retryAfter(retrySeconds);
      return outcomeUnknown
        ? refuse('outcomeUnknown', { outcomeUnknown, cause, headers })
        : refuse('chatPlatformFailed', { cause, headers });
    }
  }
}

export function toStopRefusal({ subject, reason, seconds }: ChatStop): RefusalError {
  if (reason === 'dead') return refuse('webhookNotFound');
  if (subject.startsWith('webhook:')) return refuse('chatPlatformRateLimited', waiting(seconds));
  if (reason !== 'refusals') return refuse('relayBlocked', waiting(seconds));
  return refuse(
    subject.startsWith('account:') ? 'relayPausedForAccount' : 'relayPaused',
    waiting(seconds),
  );
}

function waiting(seconds: number): { seconds: number; headers: Record<string, string> } {
  return { seconds: whole(seconds), headers: retryAfter(seconds) };
}

function retryAfter(seconds: number): Record<string, string> {
  return { 'retry-after': String(whole(seconds)) };
}

function whole(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}
