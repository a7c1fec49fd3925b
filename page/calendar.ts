import { type Event, eventOf } from './blocks/time.ts';
import { escapeText, joinContentLines } from './content-lines.ts';
import { titleOf } from './head.ts';
import type { PublicSite, RenderContext } from './public-site.ts';
import { isoTime } from './time-zone.ts';

/** iCalendar (RFC 5545) with the events of a page. Block ids are UUIDs, so they serve as `UID`. */
export function renderCalendar(site: PublicSite, { url, now }: RenderContext): string {
  const title = escapeText(titleOf(site));
  const events = site.blocks.flatMap((block) => {
    const event = eventOf(block);
    if (!event || !hasIcalYears(event)) return [];
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
  });
  return joinContentLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Nameplate//Nameplate//EN',
    `NAME:${title}`,
    `X-WR-CALNAME:${title}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    'X-PUBLISHED-TTL:PT12H',
    ...events,
    'END:VCALENDAR',
  ]);
}

/** An event on whole days has dates, of which the last one is exclusive. */
function timeLines({ start, end }: Event): string[] {
  if (start.hasTimeOfDay || end?.hasTimeOfDay)
    return [`DTSTART:${toUtc(start.moment)}`, ...(end ? [`DTEND:${toUtc(end.end)}`] : [])];
  const localDate = (moment: Date) => isoTime(start.zone, moment).slice(0, 10).replaceAll('-', '');
  return [
    `DTSTART;VALUE=DATE:${localDate(start.moment)}`,
    `DTEND;VALUE=DATE:${localDate((end ?? start).end)}`,
  ];
}

function toUtc(moment: Date): string {
  return moment.toISOString().replace(/[-:]|\.\d+/g, '');
}

/** Years have four digits. Time zones and the exclusive last day can exceed them. */
function hasIcalYears({ start, end }: Event): boolean {
  return [start, end ?? start].every(({ moment }) => {
    const year = moment.getUTCFullYear();
    return year > 0 && year < 9999;
  });
}
