import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import type { Translator } from '#translations/translator.ts';

const MAX_WAIT_MS = 365 * DAY_MS;

export function retryAfterMidnight(): ReturnType<typeof retryAfter> {
  return retryAfter(DAY_MS - (Date.now() % DAY_MS));
}

export function retryAfter(milliseconds: number): {
  wait: (t: Translator) => string;
  headers: Record<string, string>;
} {
  const seconds = Math.max(1, Math.ceil(Math.min(milliseconds, MAX_WAIT_MS) / 1_000));
  return {
    wait: (t) => formatDuration(seconds * 1_000, t),
    headers: { 'retry-after': String(seconds) },
  };
}

/** Completes “Try again in”. */
function formatDuration(milliseconds: number, t: Translator): string {
  const countOf = (unitMs: number) => ({ count: Math.ceil(milliseconds / unitMs) });
  if (milliseconds > 2 * DAY_MS)
    return t('wait|{count, plural, one {# day} other {# days}}', countOf(DAY_MS));
  if (milliseconds > 2 * HOUR_MS)
    return t('wait|{count, plural, one {# hour} other {# hours}}', countOf(HOUR_MS));
  return milliseconds > 2 * MINUTE_MS
    ? t('wait|{count, plural, one {# minute} other {# minutes}}', countOf(MINUTE_MS))
    : t('wait|{count, plural, one {# second} other {# seconds}}', countOf(1_000));
}
