import { DAY_MS, HOUR_MS, utcDay } from '#contract/shared/durations.ts';
import { isTimeZone } from '#contract/time-zone.ts';
import type { Week } from '../events/describe-week.ts';

const MONDAY = 1;
const SEND_HOUR = 8;

/**
 * On a Monday from 8:00 on in the time zone: the local date, and the seven whole days (UTC) before
 * 8:00, which end on Saturday far east of UTC. Undefined at other times.
 */
export function dueWeek(
  now: Date,
  timeZone: string | null,
): (Week & { monday: string }) | undefined {
  const format = new Intl.DateTimeFormat('sv', {
    // Another version of Node.js may have stored a zone that this one does not know.
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const localTime = Date.parse(`${format.format(now).replace(' ', 'T')}Z`);
  const sinceSendTime = (localTime % DAY_MS) - SEND_HOUR * HOUR_MS;
  if (new Date(localTime).getUTCDay() !== MONDAY || sinceSendTime < 0) return undefined;
  const sendTime = now.getTime() - sinceSendTime;
  return {
    monday: utcDay(localTime),
    since: utcDay(sendTime - 7 * DAY_MS),
    until: utcDay(sendTime - DAY_MS),
  };
}
