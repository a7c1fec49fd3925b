import { t } from '#dashboard/translate.ts';

const relativeFormat = new Intl.RelativeTimeFormat(t.locale, { numeric: 'auto' });

/** Each with how many of it are one of the next unit. */
const UNITS = [
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.35],
  ['month', 12],
] as const;

export function formatTimeAgo(time: string): string {
  let value = (Date.parse(time) - Date.now()) / 60_000;
  if (Math.abs(value) < 1) return t('just now');
  for (const [unit, size] of UNITS) {
    // Round first: 59.7 minutes are an hour.
    if (Math.abs(Math.round(value)) < size) return relativeFormat.format(Math.round(value), unit);
    value /= size;
  }
  return relativeFormat.format(Math.round(value), 'year');
}
