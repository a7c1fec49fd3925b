import type { IncomingHttpHeaders } from 'node:http';

const MAX_LENGTH = 500;

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Explains an error answer in one line of bounded length with `secrets` struck out; empty if it says
 * nothing. Strangers say it under `message`, `error` or `errors`, as texts, lists or objects.
 */
export function explain(body: unknown, secrets: readonly string[]): string {
  const { message, error, errors } = isRecord(body) ? body : { message: body };
  const words = (findText(message) ?? findText(error))?.text;
  const detail = findText(errors);
  const place = detail && (detail.path ? `${detail.path}: ${detail.text}` : detail.text);
  const all = words === undefined ? detail?.text : place ? `${words} (${place})` : words;
  const open = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), all ?? '');
  const line = open.replace(/[\p{C}\s]+/gu, ' ').trim();
  return [...line].slice(0, MAX_LENGTH).join('');
}

/** The first text that is nested least deeply, and where; of an object its `message` first. */
function findText(root: unknown): { path: string; text: string } | undefined {
  let level: [path: string, value: unknown][] = [['', root]];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const [path, value] of level) {
      if (typeof value === 'string' && value !== '') return { path, text: value };
      if (!isRecord(value)) continue;
      const { message } = value;
      if (typeof message === 'string' && message !== '') return { path, text: message };
      for (const [key, item] of Object.entries(value))
        next.push([isListOf(value, key) ? path : path ? `${path}.${key}` : key, item]);
    }
    level = next;
  }
  return undefined;
}

/** Whether a key says nothing of where: `_errors` holds what is wrong with the field above it. */
function isListOf(value: object, key: string): boolean {
  return Array.isArray(value) || key === '_errors';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Longest wait that is accepted, in seconds. */
export const MAX_WAIT_SECONDS = 86_400;

/** The seconds of a `Retry-After` header, which holds seconds or a date; undefined otherwise. */
export function readRetryAfter({ 'retry-after': value }: IncomingHttpHeaders): number | undefined {
  if (typeof value !== 'string') return undefined;
  const seconds = value.endsWith(' GMT')
    ? (Date.parse(value) - Date.now()) / 1_000
    : toNumber(value);
  return seconds === undefined || Number.isNaN(seconds) ? undefined : boundWait(seconds);
}

export function boundWait(seconds: number): number {
  return Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS);
}

/** A number in decimal digits and nothing else. */
export function toNumber(text: string): number | undefined {
  return /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : undefined;
}
