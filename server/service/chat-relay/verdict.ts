import type { PlatformAnswer } from './call.ts';

/** What an answer of the platform means for the caller and for the calls that come after. */
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
const MAX_SECONDS = 86_400;
const RETRY_SECONDS = 0.5;
const MESSAGE_LENGTH = 500;
/** So short a token is a test's, and its letters are part of every sentence. */
const SECRET_LENGTH = 8;

/** Statuses that are about the caller's webhook or message. */
const CALLERS_FAULT = new Set([400, 401, 403, 404, 413]);
/** Answers of the platform's front: the request may have gone through behind it. */
const MAYBE_DONE = new Set([504, 520, 524]);
/** The platform's codes for an unknown thread and an unknown message: the webhook itself lives. */
const WEBHOOK_LIVES = new Set<unknown>([10_003, 10_008]);

/** Judges an answer; the token is kept out of what the platform says. */
export function judge({ status, headers, body }: PlatformAnswer, token: string): Verdict {
  const answer = isRecord(body) ? body : {};
  const cause = new Error(`the chat platform answered ${status}`);
  if (status >= 200 && status < 300)
    return typeof answer['id'] === 'string' && /^[0-9]{1,20}$/.test(answer['id'])
      ? { kind: 'done', messageId: answer['id'] }
      : { kind: 'failed', cause, outcomeUnknown: true };
  if (status === 429) return judgeLimit(headers, body);
  if (CALLERS_FAULT.has(status))
    return {
      kind: 'refused',
      message: explain(status, answer, token),
      dead: status === 401 || (status === 404 && !WEBHOOK_LIVES.has(answer['code'])),
      counts: status === 401 || status === 403,
    };
  if (status < 500) return { kind: 'failed', cause, outcomeUnknown: false };
  const retrySeconds = toSeconds(headers['retry-after']) ?? RETRY_SECONDS;
  return { kind: 'failed', cause, outcomeUnknown: MAYBE_DONE.has(status), retrySeconds };
}

/** The budget that an answer tells of, if it does. */
export function readBudget({ headers }: PlatformAnswer): Budget | undefined {
  const remaining = toSeconds(headers['x-ratelimit-remaining']);
  const seconds = toSeconds(headers['x-ratelimit-reset-after']);
  return remaining === undefined || !seconds ? undefined : { remaining, seconds };
}

function judgeLimit(headers: PlatformAnswer['headers'], body: unknown): Verdict {
  const answer = isRecord(body) ? body : {};
  const seconds = toSeconds(answer['retry_after']) ?? toSeconds(headers['retry-after']);
  const rateHeaders = Object.keys(headers).some((name) => name.startsWith('x-ratelimit-'));
  const saysBlocked = body === undefined || answer['code'] === 0 || /block/i.test(textOf(answer));
  if (!rateHeaders && !('retry_after' in answer) && saysBlocked)
    return { kind: 'blocked', seconds: seconds ?? DEFAULT_BLOCK_SECONDS, counts: true };
  const scope = headers['x-ratelimit-scope'];
  const global =
    scope === 'global' || headers['x-ratelimit-global'] === 'true' || answer['global'] === true;
  return {
    kind: 'limited',
    scope: global ? 'platform' : 'webhook',
    seconds: seconds ?? toSeconds(headers['x-ratelimit-reset-after']) ?? DEFAULT_LIMIT_SECONDS,
    counts: scope !== 'shared',
  };
}

/** The platform's own words, as one line of bounded length. */
function explain(status: number, answer: Record<string, unknown>, token: string): string {
  const detail = firstError(answer['errors']);
  const words = [textOf(answer), detail].filter((part) => part !== '').join(' ');
  const open = token.length < SECRET_LENGTH ? words : words.replaceAll(token, '…');
  const line = open.replace(/[\p{C}\s]+/gu, ' ').trim();
  return [...line].slice(0, MESSAGE_LENGTH).join('') || `status ${status}`;
}

/** The first of the nested `_errors` with its path, the way the platform reports an invalid form. */
function firstError(errors: unknown): string {
  let level: [path: string, value: unknown][] = [['', errors]];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const [path, value] of level) {
      if (!isRecord(value)) continue;
      const [found] = Array.isArray(value['_errors']) ? value['_errors'] : [];
      if (isRecord(found)) return `(${path ? `${path}: ` : ''}${textOf(found)})`;
      for (const [key, item] of Object.entries(value))
        next.push([path ? `${path}.${key}` : key, item]);
    }
    level = next;
  }
  return '';
}

function textOf(answer: Record<string, unknown>): string {
  return typeof answer['message'] === 'string' ? answer['message'] : '';
}

function toSeconds(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^[0-9]+(?:\.[0-9]+)?$/.test(value)) return undefined;
  const seconds = typeof value === 'string' ? Number(value) : value;
  if (typeof seconds !== 'number' || !(seconds >= 0)) return undefined;
  return Math.min(seconds, MAX_SECONDS);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
