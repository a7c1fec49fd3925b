import { DAY_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { type Fields, textOf } from './fields.ts';

const MAX_ZONE_LENGTH = 64;

/** Formatters that print an offset such as `GMT-05:00`. False for invalid time zones. */
const offsetFormatCache = new Map<string, Intl.DateTimeFormat | false>();
const MAX_CACHED_FORMATS = 500;

function offsetFormat(zone: string): Intl.DateTimeFormat | false {
  const cached = offsetFormatCache.get(zone);
  if (cached !== undefined) return cached;
  let format: Intl.DateTimeFormat | false = false;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    // Not a time zone.
  }
  if (offsetFormatCache.size === MAX_CACHED_FORMATS) offsetFormatCache.clear();
  offsetFormatCache.set(zone, format);
  return format;
}

/** In its usual spelling: `europe/berlin` is valid, too. */
export function validZoneOf(fields: Fields, name: string): string | undefined {
  const zone = textOf(fields, name);
  const format = zone !== undefined && zone.length <= MAX_ZONE_LENGTH && offsetFormat(zone);
  return format ? format.resolvedOptions().timeZone : undefined;
}

/** Offset from UTC in milliseconds. */
export function offsetAt(zone: string, moment: number): number {
  const format = zone === 'UTC' ? false : offsetFormat(zone);
  const [, sign, hours, minutes] =
    /GMT([+-])(\d\d):(\d\d)/.exec((format && format.format(moment)) || '') ?? [];
  const magnitude = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return sign === '-' ? -magnitude : magnitude;
}

/**
 * Converts a wall-clock time, given as if it were UTC. If the clock skips the time in spring, uses
 * the offset before the change. If the clock repeats it in fall, returns the first occurrence.
 */
export function zonedTimeToDate(zone: string, localTime: Date): Date {
  const time = localTime.getTime();
  const offsets = [offsetAt(zone, time - DAY_MS), offsetAt(zone, time + DAY_MS)] as const;
  const matching = offsets.find((offset) => offsetAt(zone, time - offset) === offset);
  return new Date(time - (matching ?? offsets[0]));
}

/** The wall-clock time in milliseconds, as if it were UTC. */
export function wallClockTime(zone: string, moment: Date): number {
  return moment.getTime() + offsetAt(zone, moment.getTime());
}

export function isoTime(zone: string, moment: Date): string {
  if (zone === 'UTC') return moment.toISOString();
  const offset = offsetAt(zone, moment.getTime());
  const localTime = new Date(moment.getTime() + offset).toISOString().slice(0, 19);
  const absoluteOffset = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${localTime}${offset < 0 ? '-' : '+'}${absoluteOffset}`;
}
