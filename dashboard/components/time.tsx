import { t } from '#dashboard/translate.ts';
import { formatTimeAgo } from './format-time-ago.ts';

const dateTimeFormat = new Intl.DateTimeFormat(t.locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
const timeFormat = new Intl.DateTimeFormat(t.locale, { timeStyle: 'short' });
const dateFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'medium' });

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
