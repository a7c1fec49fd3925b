import { EVENT_REPEATS } from '#contract/shared/blocks.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { choiceOf, type Fields, parsedTimeOf } from './fields.ts';
import {
  findLastStart,
  findStarts,
  LAST_START,
  type Recurrence,
  type Repeats,
  startOfDay,
} from './recurrence.ts';
import { isoTime, validZoneOf, wallClockTime, zonedTimeToDate } from './time-zone.ts';

export interface ZonedTime {
  /** For a date, its midnight in the zone. */
  begins: Date;
  /** For a date, the midnight after it. */
  ends: Date;
  zone: string;
  hasTimeOfDay: boolean;
  /** When it begins in the zone, as if it were UTC. */
  wallClock: number;
}

export function zonedTimeOf(block: Fields, name: string): ZonedTime | undefined {
  const parsed = parsedTimeOf(block, name);
  if (!parsed) return undefined;
  const { time, hasTimeOfDay, hasOffset } = parsed;
  const zone = validZoneOf(block, 'time_zone') ?? 'UTC';
  if (!hasOffset) return timeInZone(zone, time.getTime(), hasTimeOfDay);
  const wallClock = wallClockTime(zone, time);
  return { begins: time, ends: time, zone, hasTimeOfDay, wallClock };
}

function timeInZone(zone: string, wallClock: number, hasTimeOfDay: boolean): ZonedTime {
  const inZone = (time: number) => zonedTimeToDate(zone, new Date(time));
  const begins = inZone(wallClock);
  const ends = hasTimeOfDay ? begins : inZone(wallClock + DAY_MS);
  return { begins, ends, zone, hasTimeOfDay, wallClock };
}

export function endsBeforeStart(block: Fields, start: string, end: string): boolean {
  const first = zonedTimeOf(block, start);
  const last = zonedTimeOf(block, end);
  return first !== undefined && last !== undefined && last.ends <= first.begins;
}

export interface EventDates {
  start: ZonedTime;
  /** Not before `start`. */
  end: ZonedTime | undefined;
  recurrence: Recurrence | undefined;
}

export function eventDatesOf(block: Fields): EventDates | undefined {
  const start = zonedTimeOf(block, 'starts_at');
  if (block['type'] !== 'event' || !start) return undefined;
  const hasEnd = !endsBeforeStart(block, 'starts_at', 'ends_at');
  return {
    start,
    end: hasEnd ? zonedTimeOf(block, 'ends_at') : undefined,
    recurrence: recurrenceOf(block, start),
  };
}

/**
 * The days on which a repeating event does not take place, as midnights: undefined for an entry that
 * is not one of its days, or one too many.
 */
export function exceptionsOf(block: Fields): (number | undefined)[] {
  const start = zonedTimeOf(block, 'starts_at');
  const series = start && seriesOf(block, start);
  const days: unknown = block['repeats_except'];
  if (!series || !Array.isArray(days)) return [];
  return days.map((day: unknown, index) => {
    const parsed = parsedTimeOf({ day }, 'day');
    if (!parsed || parsed.hasTimeOfDay || index >= LIMITS.eventExceptions) return undefined;
    const midnight = parsed.time.getTime();
    const [date] = findStarts(series, midnight, 1);
    return date !== undefined && startOfDay(date) === midnight ? midnight : undefined;
  });
}

function recurrenceOf(block: Fields, start: ZonedTime): Recurrence | undefined {
  const except = new Set(exceptionsOf(block).filter((day) => day !== undefined));
  const series = seriesOf(block, start);
  return series && { ...series, except };
}

/** With the days on which it does not take place. */
function seriesOf(block: Fields, { wallClock }: ZonedTime): Recurrence | undefined {
  const repeats = choiceOf(block, 'repeats', EVENT_REPEATS) ?? 'never';
  if (repeats === 'never') return undefined;
  const last = zonedTimeOf(block, 'repeats_until');
  const hasLast =
    last && !last.hasTimeOfDay && !endsBeforeStart(block, 'starts_at', 'repeats_until');
  const until = Math.min(hasLast ? last.wallClock + DAY_MS - 1_000 : LAST_START, LAST_START);
  return { repeats: repeats as Repeats, first: wallClock, until, except: new Set() };
}

/**
 * The event on its next dates, at most `count`, or only on its last date if it is over. A date is
 * over on the day after it.
 */
export function nextDates<Event extends EventDates>(
  event: Event,
  now: Date,
  count: number,
): [Event, ...Event[]] {
  const { start, recurrence } = event;
  if (!recurrence) return [event];
  const from = firstWallClock(event, now);
  const [next, ...later] = findStarts(recurrence, from, count);
  const moved = (wallClock: number) => moveEvent(event, wallClock - start.wallClock);
  if (next !== undefined) return [moved(next), ...later.map(moved)];
  return [moved(findLastStart(recurrence, from) ?? start.wallClock)];
}

/** When the previous date stops being shown: midnight after it. */
export function nextDateSince(event: EventDates, now: Date): Date | undefined {
  const { start, recurrence } = event;
  const from = firstWallClock(event, now);
  const previous = recurrence && findLastStart(recurrence, from);
  if (previous === undefined) return undefined;
  const over = localDay(start.zone, now) - from + startOfDay(previous) + DAY_MS;
  return zonedTimeToDate(start.zone, new Date(over));
}

/** Where dates begin that are not over: as many days ago as the event has nights. */
export function firstWallClock({ start, end = start }: EventDates, now: Date): number {
  const nights = startOfDay(end.wallClock) - startOfDay(start.wallClock);
  return localDay(start.zone, now) - nights;
}

function moveEvent<Event extends EventDates>(event: Event, shift: number): Event {
  const move = ({ zone, wallClock, hasTimeOfDay }: ZonedTime) =>
    timeInZone(zone, wallClock + shift, hasTimeOfDay);
  if (shift === 0) return event;
  return { ...event, start: move(event.start), end: event.end && move(event.end) };
}

/** The midnight of the local day as if it were UTC. */
export function localDay(zone: string, date: Date): number {
  return Date.parse(isoTime(zone, date).slice(0, 10));
}
