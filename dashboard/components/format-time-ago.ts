import { t } from '#dashboard/translate.ts';

const relativeFormat = new Intl.RelativeTimeFormat(t.locale, { numeric: 'auto' });

/** Each with its seconds, and with the rounded count from which the next unit is used. */
const UNITS = [
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 7],
  ['week', 604_800, 5],
  ['month', 2_592_000, 12],
  ['year', 31_536_000, Infinity],
] as const;

export function formatTimeAgo(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  if (Math.abs(seconds) < 60) return t('just now');
  const [unit, unitSeconds] = UNITS.find(
    ([, size, end]) => Math.round(Math.abs(seconds) / size) < end,
  )!;
  return relativeFormat.format(Math.round(seconds / unitSeconds), unit);
}
