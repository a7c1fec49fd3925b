import { DAY_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { dateTimeFormat, relativeTimeFormat } from '#contract/shared/intl-formats.ts';
import { t } from '#dashboard/translate.ts';

/** Only days have names: “last week” would mean a week of the calendar. */
function format(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  const numeric = unit === 'day' ? 'auto' : 'always';
  return relativeTimeFormat(t.locale, { numeric }).format(Math.round(value), unit);
}

/** Each with how many of it are one of the next unit. */
const UNITS = [
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.35],
  ['month', 12],
] as const;

/** From today, in the browser's time zone. */
export function calendarDaysUntil(time: string, now = new Date()): number {
  const [day, today] = [new Date(time), new Date(now)].map((date) => date.setHours(0, 0, 0, 0));
  // A day can have 23 or 25 hours.
  return Math.round((day! - today!) / DAY_MS);
}

/** The time of today, or else the date. */
export function formatMoment(time: string, now = new Date()): string {
  const style = calendarDaysUntil(time, now) === 0 ? 'timeStyle' : 'dateStyle';
  return dateTimeFormat(t.locale, { [style]: 'short' }).format(new Date(time));
}

export function formatTimeAgo(time: string, now = new Date()): string {
  let value = (Date.parse(time) - now.getTime()) / MINUTE_MS;
  if (Math.abs(value) < 1) return t('just now');
  const days = calendarDaysUntil(time, now);
  for (const [unit, size] of UNITS) {
    if (unit === 'day') value = days;
    // Hours only within the day: the next day is tomorrow. Round first: 59.7 minutes are an hour.
    if ((unit !== 'hour' || days === 0) && Math.abs(Math.round(value)) < size)
      return format(value, unit);
    value /= size;
  }
  return format(value, 'year');
}
