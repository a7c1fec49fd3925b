import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { LRUCache } from 'lru-cache';
import { type Fields, textOf } from './fields.ts';

const MAX_NAME_LENGTH = 64;

/** Formats that write the offset of a time zone, as in `GMT-05:00`; false for names that are no time zone. */
const offsetFormatCache = new LRUCache<string, Intl.DateTimeFormat | false>({ max: 500 });

function offsetFormat(zone: string): Intl.DateTimeFormat | false {
  const known = offsetFormatCache.get(zone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat | false = false;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    // Intl knows no such time zone.
  }
  offsetFormatCache.set(zone, format);
  return format;
}

/** The time zone of a block, as the IANA database names it; UTC without one. */
export function timeZoneOf(block: Fields): string {
  const zone = textOf(block, 'time_zone');
  return zone && zone.length <= MAX_NAME_LENGTH && offsetFormat(zone) ? zone : 'UTC';
}

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(zone: string, moment: number): number {
  const format = zone === 'UTC' ? false : offsetFormat(zone);
  const [, sign, hours, minutes] =
    /GMT([+-])(\d\d):(\d\d)/.exec((format && format.format(moment)) || '') ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return sign === '-' ? -size : size;
}

/**
 * The moment at which the clocks of a zone show a time, given as if it were in UTC. An hour that is
 * skipped in spring counts from before the change, and one that is repeated in autumn is the first.
 */
export function zonedTimeToDate(zone: string, local: Date): Date {
  const time = local.getTime();
  const offsets = [offsetAt(zone, time - DAY_MS), offsetAt(zone, time + DAY_MS)] as const;
  const right = offsets.find((offset) => offsetAt(zone, time - offset) === offset);
  return new Date(time - (right ?? offsets[0]));
}

/** A moment in ISO 8601, with the offset of a zone. */
export function isoTime(zone: string, moment: Date): string {
  if (zone === 'UTC') return moment.toISOString();
  const offset = offsetAt(zone, moment.getTime());
  const local = new Date(moment.getTime() + offset).toISOString().slice(0, 19);
  const size = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${local}${offset < 0 ? '-' : '+'}${size}`;
}
