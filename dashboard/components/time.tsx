import { t } from '#dashboard/translate.ts';

const relativeFormat = new Intl.RelativeTimeFormat(t.locale, { numeric: 'auto' });
const dateTimeFormat = new Intl.DateTimeFormat(t.locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
const timeFormat = new Intl.DateTimeFormat(t.locale, { timeStyle: 'short' });
const dateFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'medium' });

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Such as `3 days ago` or `in 2 hours`. The tooltip has the date and time. */
export function TimeAgo({ time }: { time: string }) {
  return (
    <time dateTime={time} title={dateTimeFormat.format(new Date(time))}>
      {formatTimeAgo(time)}
    </time>
  );
}

export function TimeOfDay({ time }: { time: string }) {
  return (
    <time dateTime={time} title={dateTimeFormat.format(new Date(time))}>
      {timeFormat.format(new Date(time))}
    </time>
  );
}

export function LocalDate({ time }: { time: string }) {
  return (
    <time dateTime={time} title={dateTimeFormat.format(new Date(time))}>
      {dateFormat.format(new Date(time))}
    </time>
  );
}

function formatTimeAgo(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  const [unit, unitSeconds] = UNITS.find(([, minSeconds]) => Math.abs(seconds) >= minSeconds) ?? [
    'second',
    1,
  ];
  return Math.abs(seconds) < 60
    ? t('just now')
    : relativeFormat.format(Math.round(seconds / unitSeconds), unit);
}
