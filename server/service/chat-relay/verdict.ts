import { z } from 'zod';
import { explain } from '../outbound/explain.ts';
import { boundWait, readRetryAfter, toNumber } from '../outbound/retry-after.ts';
import type { PlatformAnswer } from './call.ts';

/** Verdict on an answer of the platform, for the caller and for the calls that come after. */
export type Verdict =
  | { kind: 'done'; messageId: string }
  /** The caller's webhook or message is at fault; a dead webhook is so for good. */
  | { kind: 'refused'; message: string; dead: boolean; counts: boolean }
  /** Too many calls, of the webhook or of this address altogether. */
  | { kind: 'limited'; scope: 'webhook' | 'platform'; seconds: number; counts: boolean }
  /** The platform has banned this address. */
  | { kind: 'blocked'; seconds: number; counts: true }
  | { kind: 'failed'; cause: Error; outcomeUnknown: boolean; retrySeconds?: number };

/** Calls that a webhook has left until its window begins anew. */
export interface Budget {
  remaining: number;
  seconds: number;
}

const DEFAULT_LIMIT_SECONDS = 5;
const DEFAULT_BLOCK_SECONDS = 600;
const RETRY_SECONDS = 0.5;
/** Maximum length of a stop of the whole platform; then it is tried again. */
const MAX_PLATFORM_SECONDS = 3_600;
/** Length of a real token; a shorter one is a test's, and its letters are part of every sentence. */
const SECRET_LENGTH = 8;

/** Statuses that are about the caller's webhook or message. */
const CALLERS_FAULT = new Set([400, 401, 403, 404, 413]);
/** Statuses that bring the platform nearer to banning this address, or show that somebody guesses. */
const REFUSED = new Set([401, 403, 404]);
/** Answers of the platform's front: the request may have gone through behind it. */
const MAYBE_DONE = new Set([504, 520, 524]);
/** The platform's codes for an unknown thread and an unknown message: the webhook itself lives. */
const WEBHOOK_LIVES = new Set<number | undefined>([10_003, 10_008]);

/** Message of the platform; what has another form is not said. */
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

/** Judges an answer; the token is kept out of what the platform says. */
export function judge(answer: PlatformAnswer, token: string): Verdict {
  const { status, headers, body } = answer;
  const { id, code } = Said.parse(body);
  const cause = new Error(`the chat platform answered ${status}`);
  if (status >= 200 && status < 300)
    return id === undefined
      ? { kind: 'failed', cause, outcomeUnknown: true }
      : { kind: 'done', messageId: id };
  if (status === 429) return judgeLimit(answer);
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

/** The budget that an answer tells of, if it does. */
export function readBudget({ headers }: PlatformAnswer): Budget | undefined {
  const remaining = readNumber(headers['x-ratelimit-remaining']);
  const seconds = readNumber(headers['x-ratelimit-reset-after']);
  return remaining === undefined || !seconds
    ? undefined
    : { remaining, seconds: boundWait(seconds) };
}

function judgeLimit({ headers, body }: PlatformAnswer): Verdict {
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
