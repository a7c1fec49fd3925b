import type { Block } from '#contract/block.ts';
import { type Event, eventOf, fitsIcalendar } from '../blocks/time.ts';
import { escapeText, joinContentLines } from './content-lines.ts';
import { titleOf } from '../head.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import { isoTime } from '../fields/time-zone.ts';

/** iCalendar (RFC 5545) with the events of a page, which apps can subscribe to. */
export function renderCalendar(site: PublicSite, context: RenderContext): string {
  const title = escapeText(titleOf(site));
  return joinCalendar([
    `NAME:${title}`,
    `X-WR-CALNAME:${title}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    'X-PUBLISHED-TTL:PT12H',
    ...site.blocks.flatMap((block) => eventLines(block, site, context)),
  ]);
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
  const lines = eventLines(block, site, context);
  return lines.length > 0 ? joinCalendar(lines) : undefined;
}

function joinCalendar(lines: readonly string[]): string {
  return joinContentLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Nameplate//Nameplate//EN',
    ...lines,
    'END:VCALENDAR',
  ]);
}

/** Block ids are UUIDs, so they serve as `UID`. */
function eventLines(block: Block, site: PublicSite, { url, now }: RenderContext): string[] {
  const event = eventOf(block);
  if (!event || !fitsIcalendar(event)) return [];
  return [
    'BEGIN:VEVENT',
    `UID:${block.id}`,
    `DTSTAMP:${toUtc(site.changedAt.get(block.id) ?? now)}`,
    ...timeLines(event),
    `SUMMARY:${escapeText(event.title)}`,
    ...(event.location ? [`LOCATION:${escapeText(event.location)}`] : []),
    `URL:${event.url ?? url}`,
    'END:VEVENT',
  ];
}

/** An event on whole days has dates, of which the last one is exclusive. */
function timeLines({ start, end }: Event): string[] {
  if (start.hasTimeOfDay || end?.hasTimeOfDay)
    return [`DTSTART:${toUtc(start.begins)}`, ...(end ? [`DTEND:${toUtc(end.ends)}`] : [])];
  const localDate = (date: Date) => isoTime(start.zone, date).slice(0, 10).replaceAll('-', '');
  return [
    `DTSTART;VALUE=DATE:${localDate(start.begins)}`,
    `DTEND;VALUE=DATE:${localDate((end ?? start).ends)}`,
  ];
}

function toUtc(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d+/g, '');
}
