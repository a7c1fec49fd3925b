import type { Block } from '#contract/block.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { type Event, eventOf, fitsIcalendar } from '../blocks/time.ts';
import { LAST_START, type Recurrence, startOfDay, weekOfMonth } from '../fields/recurrence.ts';
import { isoTime, zonedTimeToDate } from '../fields/time-zone.ts';
import { titleOf } from '../head.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import { escapeText, joinContentLines } from './content-lines.ts';
import { formatLocalTime, timeZoneId, timeZoneLines, WEEKDAYS } from './time-zone-lines.ts';

/** iCalendar (RFC 5545) with the events of a page, which apps can subscribe to. */
export function renderCalendar(site: PublicSite, context: RenderContext): string {
  const title = escapeText(titleOf(site));
  const head = [
    `NAME:${title}`,
    `X-WR-CALNAME:${title}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    'X-PUBLISHED-TTL:PT12H',
  ];
  const events = site.blocks.flatMap((block) => calendarEventOf(block) ?? []);
  return joinCalendar(head, events, { site, context });
}

/**
 * One event, for the visitor's own calendar. Undefined if the block is not an event that a page
 * shows.
 */
export function renderCalendarEvent(
  block: Block,
  site: PublicSite,
  context: RenderContext,
): string | undefined {
  const event = calendarEventOf(block);
  return event && joinCalendar([], [event], { site, context });
}

interface CalendarEvent extends Event {
  id: string;
}

function calendarEventOf(block: Block): CalendarEvent | undefined {
  const event = eventOf(block);
  return event && fitsIcalendar(event) ? { ...event, id: block.id } : undefined;
}

function joinCalendar(
  head: readonly string[],
  events: readonly CalendarEvent[],
  { site, context }: { site: PublicSite; context: RenderContext },
): string {
  const zones = new Set(events.filter(hasLocalTime).map(({ start }) => start.zone));
  return joinContentLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Nameplate//Nameplate//EN',
    ...head,
    ...[...zones].flatMap((zone) => timeZoneLines(zone, context.now)),
    ...events.flatMap((event) => eventLines(event, site, context)),
    'END:VCALENDAR',
  ]);
}

/** Block ids are UUIDs, so they serve as `UID`. */
function eventLines(event: CalendarEvent, site: PublicSite, { url, now }: RenderContext): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${event.id}`,
    `DTSTAMP:${toUtc(site.changedAt.get(event.id) ?? now)}`,
    ...timeLines(event),
    ...(event.recurrence ? recurrenceLines(event.recurrence, event) : []),
    `SUMMARY:${escapeText(event.title)}`,
    ...(event.location ? [`LOCATION:${escapeText(event.location)}`] : []),
    `URL:${event.url ?? url}`,
    'END:VEVENT',
  ];
}

function hasTimeOfDay({ start, end }: Event): boolean {
  return start.hasTimeOfDay || end?.hasTimeOfDay === true;
}

/** A repeating event keeps its time of day when the clocks change. */
function hasLocalTime(event: Event): boolean {
  return event.recurrence !== undefined && hasTimeOfDay(event) && event.start.zone !== 'UTC';
}

/** An event on whole days has dates, of which the last one is exclusive. */
function timeLines(event: Event): string[] {
  const { start, end } = event;
  if (hasLocalTime(event)) {
    const format = (name: string, wallClock: number) =>
      `${name};TZID=${timeZoneId(start.zone)}:${formatLocalTime(wallClock)}`;
    const last = end && end.wallClock + (end.hasTimeOfDay ? 0 : DAY_MS);
    return [format('DTSTART', start.wallClock), ...(last ? [format('DTEND', last)] : [])];
  }
  if (hasTimeOfDay(event))
    return [`DTSTART:${toUtc(start.begins)}`, ...(end ? [`DTEND:${toUtc(end.ends)}`] : [])];
  const localDate = (date: Date) => isoTime(start.zone, date).slice(0, 10).replaceAll('-', '');
  return [
    `DTSTART;VALUE=DATE:${localDate(start.begins)}`,
    `DTEND;VALUE=DATE:${localDate((end ?? start).ends)}`,
  ];
}

/**
 * Names the day of the month, because programs differ on what a month without it has instead.
 * `UNTIL` has the type of `DTSTART`, in UTC if that has a time (RFC 5545, 3.3.10).
 */
function recurrenceLines(recurrence: Recurrence, event: Event): string[] {
  const { repeats, first, until } = recurrence;
  const date = new Date(first);
  const day = `BYMONTHDAY=${date.getUTCDate()}`;
  const rule = {
    weekly: 'WEEKLY',
    two_weeks: 'WEEKLY;INTERVAL=2',
    monthly: `MONTHLY;${day}`,
    monthly_weekday: `MONTHLY;BYDAY=${weekOfMonth(first)}${WEEKDAYS[date.getUTCDay()]}`,
    yearly: `YEARLY;BYMONTH=${date.getUTCMonth() + 1};${day}`,
  }[repeats];
  const last = hasTimeOfDay(event)
    ? toUtc(zonedTimeToDate(event.start.zone, new Date(until)))
    : formatLocalTime(until).slice(0, 8);
  return [
    `RRULE:FREQ=${rule}${until === LAST_START ? '' : `;UNTIL=${last}`}`,
    ...[...recurrence.except].map((left) => exceptionLine(left + first - startOfDay(first), event)),
  ];
}

/** Has the form of `DTSTART`, because programs compare them (RFC 5545, 3.8.5.1). */
function exceptionLine(wallClock: number, event: Event): string {
  const { zone } = event.start;
  const time = formatLocalTime(wallClock);
  if (hasLocalTime(event)) return `EXDATE;TZID=${timeZoneId(zone)}:${time}`;
  return hasTimeOfDay(event) ? `EXDATE:${time}Z` : `EXDATE;VALUE=DATE:${time.slice(0, 8)}`;
}

function toUtc(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d+/g, '');
}
