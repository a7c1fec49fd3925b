import { DAY_MS, HOUR_MS, utcDay } from '#contract/shared/durations.ts';
import { dateTimeFormat } from '#contract/shared/intl-formats.ts';
import { isTimeZone } from '#contract/time-zone.ts';
import type { Week } from '../events/describe-week.ts';

/** Monday at 8:00, after the Thursday with which Unix time begins. */
const SEND_TIME = 4 * DAY_MS + 8 * HOUR_MS;

/**
 * The latest Monday, from 8:00 on in the time zone, and the seven whole days (UTC) before 8:00,
 * which end on Saturday far east of UTC.
 */
export function latestWeek(now: Date, timeZone: string | null): Week & { monday: string } {
  const format = dateTimeFormat('sv', {
    // Another version of Node.js may have stored a zone that this one does not know.
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const localTime = Date.parse(`${format.format(now).replace(' ', 'T')}Z`);
  const sinceSendTime = (localTime - SEND_TIME) % (7 * DAY_MS);
  const sendTime = now.getTime() - sinceSendTime;
  return {
    monday: utcDay(localTime - sinceSendTime),
    since: utcDay(sendTime - 7 * DAY_MS),
    until: utcDay(sendTime - DAY_MS),
  };
}
