import type { IncomingHttpHeaders } from 'node:http';

/** Longest wait that is accepted, in seconds. */
export const MAX_WAIT_SECONDS = 86_400;

/** The seconds that a `Retry-After` asks for, given as seconds or as a date; undefined if it is neither. */
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
