import type { IncomingHttpHeaders } from 'node:http';
import { safeLine } from '#contract/safe-line.ts';

const MAX_EXPLANATION_LENGTH = 500;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Extracts one line of at most 500 characters, without `secrets`. Returns an empty string if there
 * is no message. Third-party APIs put it into `message`, `error` or `errors`, as strings, lists or
 * objects. Discord's older form has only a list of messages for each field.
 */
export function extractErrorMessage(body: unknown, secrets: readonly string[]): string {
  const { message, error, errors } = isRecord(body) ? body : { message: body };
  const summary = (findText(message) ?? findText(error))?.text;
  const isByField = isRecord(body) && Object.values(body).every(Array.isArray);
  const detail = findText(isByField ? body : errors);
  const location = detail && (detail.path ? `${detail.path}: ${detail.text}` : detail.text);
  const fullMessage = summary && location ? `${summary} (${location})` : (summary ?? location);
  const redacted = secrets.reduce(
    (text, secret) => text.replaceAll(secret, '…'),
    fullMessage ?? '',
  );
  return safeLine(redacted, MAX_EXPLANATION_LENGTH);
}

/** Breadth-first search. `message` comes first in an object. */
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
        next.push([isKeyOmitted(value, key) ? path : path ? `${path}.${key}` : key, item]);
    }
    level = next;
  }
  return undefined;
}

/** These keys say nothing in a path. `_errors` holds the errors of the field above it. */
function isKeyOmitted(value: object, key: string): boolean {
  return Array.isArray(value) || key === '_errors';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export const MAX_WAIT_SECONDS = 86_400;

export function readRetryAfter({ 'retry-after': value }: IncomingHttpHeaders): number | undefined {
  if (typeof value !== 'string') return undefined;
  const seconds = value.endsWith(' GMT')
    ? (Date.parse(value) - Date.now()) / 1_000
    : parseDecimal(value);
  return seconds === undefined || Number.isNaN(seconds) ? undefined : clampWait(seconds);
}

export function clampWait(seconds: number): number {
  return Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS);
}

export function parseDecimal(text: string): number | undefined {
  return /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : undefined;
}
