import type { Block } from '#contract/block.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { dateTimeFormat, listFormat } from '#contract/shared/intl-formats.ts';
import {
  type EventDates,
  eventDatesOf,
  localDay,
  nextDates,
  type ZonedTime,
  zonedTimeOf,
} from '../fields/event-dates.ts';
import { type Fields, textOf } from '../fields/fields.ts';
import { findLastStart, LAST_START, type Recurrence } from '../fields/recurrence.ts';
import { isoTime, zonedTimeToDate } from '../fields/time-zone.ts';
import { type Html, html } from '../html/html.ts';
import { linkText } from '../html/link-text.ts';
import { safeLinkUrl } from '../html/safe-url.ts';
import type { Locale } from '../locale.ts';
import type { PublicSite } from '../public-site.ts';
import type { RenderBlock } from './block.ts';

export interface Event extends EventDates {
  title: string;
  location: string | undefined;
  url: string | undefined;
}

/** Returns undefined if the block is not an event that a page shows. */
export function eventOf(block: Fields): Event | undefined {
  const title = textOf(block, 'title', 'content');
  const dates = eventDatesOf(block);
  if (!title || !dates) return undefined;
  const { recurrence } = dates;
  // All its dates are left out.
  if (recurrence?.except.size && findLastStart(recurrence, LAST_START) === undefined)
    return undefined;
  return { ...dates, title, location: textOf(block, 'location'), url: safeLinkUrl(block['url']) };
}

/** The event of a block on its next date. */
function nextEventOf(block: Fields, now: Date): Event | undefined {
  const event = eventOf(block);
  return event && nextDates(event, now, 1)[0];
}

/**
 * iCalendar has four digits for a year. Year 9999 is left out, too, because the time zone or the
 * exclusive last day can move into 10000.
 */
export function fitsIcalendar({ start, end }: Event): boolean {
  return [start, end ?? start].every(({ begins }) => {
    const year = begins.getUTCFullYear();
    return year > 0 && year < 9999;
  });
}

/**
 * Sorts adjacent events: first current and future ones, the earliest first, then past ones, the
 * latest first. Past as in the text under it, so that order and text never disagree.
 */
export function eventsByDate(blocks: readonly Block[], now: Date): Block[] {
  const positionOf = (block: Block) => {
    const event = nextEventOf(block, now);
    if (!event) return Number.POSITIVE_INFINITY;
    const start = event.start.begins.getTime();
    return relativeTimeOf(event, now).value < 0 ? Number.MAX_SAFE_INTEGER - start : start;
  };
  const runs: Block[][] = [];
  for (const block of blocks) {
    if (block.type === 'event' && runs.at(-1)?.[0]!.type === 'event') runs.at(-1)!.push(block);
    else runs.push([block]);
  }
  return runs.flatMap((run) =>
    run.length === 1 ? run : run.toSorted((one, other) => positionOf(one) - positionOf(other)),
  );
}

/** Dates of a repeating event on the page. */
const SHOWN_DATES = 3;

/** The distance is shown of the next event if it is closer than this. */
const MAX_SHOWN_DAYS = 14;

/** From this distance on, a date in another year has its year. */
const MIN_DAYS_WITH_YEAR = 300;

/** Renders a list item. Adjacent events share a list. */
export const renderEvent: RenderBlock = (block, site, context) => {
  const { now, links, locale, nextEvent, onlyEvent } = context;
  const parsedEvent = eventOf(block);
  if (!parsedEvent) return undefined;
  const [event, ...later] = nextDates(parsedEvent, now, SHOWN_DATES);
  const { title, start, end, location, url: target } = event;
  const { value, unit } = relativeTimeOf(event, now);
  const showsDistance = value <= 0 || (value <= MAX_SHOWN_DAYS && block === nextEvent);
  const details = [
    yearToShow(event, now),
    timeToShow(event, { now, locale }),
    zoneToShow(event, locale),
  ].filter((text) => text !== undefined);
  return html`<li class="event h-event${value < 0 && ' past'}">
    ${renderDay(start, locale)}
    <div class="about">
      <h2 class="p-name${LONG_WORD.test(title) && ' long'}" dir="auto">
        ${target ? html`<a class="u-url" ${links.attributesFor(target)}>${linkText(title, target)}</a>` : title}
      </h2>
      <p class="details">
        ${details.map((text) => html`<span>${text}</span> `)}
        ${location && html`<span class="p-location" dir="auto">${location}</span>`}
        ${end && html`<time class="dt-end" datetime="${datetimeAttribute(end)}" hidden></time>`}
      </p>
      ${event.recurrence && later.length > 0 && renderRepeats(event.recurrence, { start, later, now }, locale)}
      ${onlyEvent && renderCalendarLink([onlyEvent], site, context)}
    </div>
    ${showsDistance && html`<p class="when">${locale.fromNow(value, unit)}</p>`}
  </li>`;
};

/** Does not fit beside the day on a phone in a large font. */
const LONG_WORD = /\S{19}/;

/** Themes show the number large. */
function renderDay(start: ZonedTime, { tag }: Locale): Html {
  const { begins, zone: timeZone } = start;
  const part = (options: Intl.DateTimeFormatOptions) =>
    dateTimeFormat(regionalTag(tag, timeZone), { ...options, timeZone });
  const day = part({ day: 'numeric', month: 'long' })
    .formatToParts(begins)
    .find(({ type }) => type === 'day')!.value;
  const name = (options: Intl.DateTimeFormatOptions) =>
    part(options).format(begins).replace(/\.$/, '');
  return html`<time class="day dt-start" datetime="${datetimeAttribute(start)}"
    ><i>${name({ weekday: 'short' })}</i> <b>${day}</b>
    <span>${name({ month: 'short' })}</span></time
  >`;
}

function yearToShow({ start, end = start }: Event, now: Date): string | undefined {
  const year = localDate(start).slice(0, 4);
  const isNear = Math.abs(daysUntil(start, now)) < MIN_DAYS_WITH_YEAR;
  const hasOwnYear = localDate(start) !== localDate(end);
  return isNear || hasOwnYear ? undefined : year;
}

/** The time of day, or from which to which day. */
function timeToShow(
  { start, end = start }: Event,
  { now, locale }: { now: Date; locale: Locale },
): string | undefined {
  if (localDate(start) !== localDate(end) || (end.hasTimeOfDay && !start.hasTimeOfDay))
    return formatTime(start, { end, now, locale });
  if (!start.hasTimeOfDay) return undefined;
  const format = dateTimeFormat(regionalTag(locale.tag, start.zone), {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: start.zone,
  });
  const lastTime = end.hasTimeOfDay ? end : start;
  const text = tidyTimes(format, format.formatRange(start.begins, lastTime.begins), true);
  return locale.tag.startsWith('de') ? text.replace(/^\d\d:\d\d$/, '$& Uhr') : text;
}

/** The event that is first to come, of those that have not begun. */
export function findNextEvent(blocks: readonly Block[], now: Date): Block | undefined {
  const starts = new Map(
    blocks.flatMap((block) => {
      const start = block.type === 'event' && nextEventOf(block, now)?.start.begins;
      return start && start > now ? [[block, start.getTime()] as const] : [];
    }),
  );
  const first = Math.min(...starts.values());
  return blocks.find((block) => starts.get(block) === first);
}

/** With the days on which it does not take place, up to the last of `later`. */
function renderRepeats(
  { repeats, except }: Recurrence,
  { start, later, now }: { start: ZonedTime; later: readonly Event[]; now: Date },
  { t, tag }: Locale,
): Html {
  const every = {
    weekly: t('Every week'),
    two_weeks: t('Every two weeks'),
    monthly: t('Every month'),
    monthly_weekday: t('Every month'),
    yearly: t('Every year'),
  }[repeats];
  const dates = later.map(
    (event) =>
      html`<time datetime="${datetimeAttribute(event.start)}"
        >${formatDay(event.start, { tag, hasYear: repeats === 'yearly' })}</time
      >`,
  );
  const list = listFormat(tag)
    .formatToParts(dates.map((_, index) => `${index}`))
    .map(({ type, value }) => (type === 'element' ? dates[Number(value)]! : html`${value}`));
  const leftOut = [...except]
    .filter((day) => day >= localDay(start.zone, now) && day < later.at(-1)!.start.wallClock)
    .toSorted((one, other) => one - other)
    .map((day) => zonedTimeToDate(start.zone, new Date(day)))
    .map((begins) => formatDay({ zone: start.zone, begins }, { tag, hasYear: false }));
  return html`<p class="repeats">
    <span>${every}</span>
    ${repeats.includes('week') && html`<span>${formatWeekday(start, tag)}</span>`}
    <span>${t.rich('also <dates></dates>', { dates: () => html`${list}` })}</span>
    ${leftOut.length > 0 && html`<span>${t.rich('except <dates></dates>', { dates: () => html`${listFormat(tag).format(leftOut)}` })}</span>`}
  </p>`;
}

/** Below the last of several events, or in the card of the only one unless it is over. */
export function renderCalendarLink(
  events: readonly Block[],
  { isForMembers }: PublicSite,
  { url, now, locale: { t } }: { url: string; now: Date; locale: Locale },
): Html | undefined {
  const [first, second] = events;
  const event = first && nextEventOf(first, now);
  if (!event) return undefined;
  if (!second && (relativeTimeOf(event, now).value < 0 || !fitsIcalendar(event))) return undefined;
  const [path, text] = second
    ? ['events.ics', t('Add all dates to calendar')]
    : [`event/${first.id}.ics`, t('Add to calendar')];
  return html`<p class="add-dates">
    <a href="${url}/${path}">${text}</a>
    ${second && isForMembers && html`<br /><small>${t('Calendar apps cannot subscribe, because this page is for members.')}</small>`}
  </p>`;
}

export const renderCountdown: RenderBlock = (block, _site, { now, locale }) => {
  const title = textOf(block, 'title', 'content');
  const start = zonedTimeOf(block, 'starts_at') ?? zonedTimeOf(block, 'ends_at');
  if (!start) return undefined;
  return html`<section class="card countdown">
    <div>
      ${title && html`<h2 dir="auto">${title}</h2>`}
      <p class="number">${renderDaysUntil(start, now, locale)}</p>
    </div>
    <small
      ><time datetime="${datetimeAttribute(start)}">${formatTime(start, { now, locale })}</time>
      ${renderZone(describeZone(start, locale))}</small
    >
  </section>`;
};

/**
 * The distance to the start, or since the end. Never in hours: a page that stays open for hours would
 * show a wrong number.
 */
function relativeTimeOf(
  { start, end }: Event,
  now: Date,
): { value: number; unit: 'day' | 'second' } {
  if (now < start.begins) return { value: daysUntil(start, now), unit: 'day' };
  if (!end || now >= end.ends) return { value: daysUntil(end ?? start, now), unit: 'day' };
  return { value: 0, unit: start.hasTimeOfDay ? 'second' : 'day' };
}

/** In days of the calendar in the zone: the next day is tomorrow, even if it is an hour away. */
function daysUntil({ begins, zone }: ZonedTime, now: Date): number {
  return (localDay(zone, begins) - localDay(zone, now)) / DAY_MS;
}

/** Marks the numbers with `<b>`, which themes show large. */
function renderDaysUntil(start: ZonedTime, now: Date, locale: Locale): Html[] {
  return locale
    .relativeTimeParts(daysUntil(start, now))
    .map(({ value, isNumber }) => (isNumber ? html`<b>${value}</b>` : html`<span>${value}</span>`));
}

/** Times at which the displayed text goes out of date. */
export function timesWhenTextChanges(block: Fields, now: Date): Date[] {
  const event = nextEventOf(block, now);
  const times = event
    ? [event.start, event.end]
    : [zonedTimeOf(block, 'starts_at'), zonedTimeOf(block, 'ends_at')];
  return times.flatMap((time) =>
    time
      ? [
          time.begins,
          time.ends,
          zonedTimeToDate(time.zone, new Date(localDay(time.zone, now) + DAY_MS)),
        ]
      : [],
  );
}

/**
 * Returns text such as "Friday 4 December, 19:00–23:00" or "28–30 January 2027", with the year unless
 * it is this year.
 */
function formatTime(
  start: ZonedTime,
  { end = start, now, locale }: { end?: ZonedTime | undefined; now: Date; locale: Locale },
): string {
  const { zone } = start;
  const firstDay = localDate(start);
  const lastDay = localDate(end);
  if (start.hasTimeOfDay !== end.hasTimeOfDay) {
    const times = start.hasTimeOfDay && firstDay === lastDay ? [start] : [start, end];
    return times.map((time) => formatTime(time, { now, locale })).join(' – ');
  }
  const thisYear = isoTime(zone, now).slice(0, 4);
  const isOneDay = firstDay === lastDay;
  const isThisYear = firstDay.startsWith(thisYear) && lastDay.startsWith(thisYear);
  const format = dateTimeFormat(regionalTag(locale.tag, zone), {
    ...(isOneDay ? { weekday: 'long' } : start.hasTimeOfDay && { weekday: 'short' }),
    day: 'numeric',
    month: isOneDay || !start.hasTimeOfDay ? 'long' : 'short',
    ...(!isThisYear && { year: 'numeric' }),
    ...(start.hasTimeOfDay && { hour: 'numeric', minute: '2-digit' }),
    timeZone: zone,
  });
  const range = format.formatRange(start.begins, end.begins);
  // Ranges have no names of months in some languages.
  const text = /\d\/\d/.test(range)
    ? [start, end].map(({ begins }) => format.format(begins)).join(' – ')
    : range;
  return (
    tidyTimes(format, text, isOneDay)
      // British dates have this comma only with a year.
      .replace(locale.tag.startsWith('en') ? /(?<=\p{L}),(?=\s\d+\s\p{Lu})/gu : '', '')
      // German says “um 19:00 Uhr”.
      .replace(/um \d\d:\d\d/g, '$& Uhr')
  );
}

function tidyTimes(format: Intl.DateTimeFormat, text: string, isOneDay: boolean): string {
  return (
    // Languages mix 9:00 and 09:00.
    (format.resolvedOptions().hour12 ? text : text.replace(/(?<!\d)\d(?=[.:]\d\d)/g, '0$&'))
      // Japanese has other times in ranges.
      .replace(/(?<=\d)時(\d\d)分/g, ':$1')
      // The times of one day stay on one line. Other ranges break only at their dash.
      .replace(isOneDay ? /(?<!\s)\s*–\s*/ : /$^/, '\u2060$&\u2060')
      .replace(isOneDay ? /$^/ : /(?<![–～-]) (?![–～-])/g, '\u00A0')
      // Keep the period of the day on the line of its time.
      .replace(/(?<=:\p{Nd}{2}) (?=\p{L})/gu, '\u00A0')
  );
}

function formatWeekday({ zone: timeZone, begins }: ZonedTime, tag: string): string {
  return dateTimeFormat(regionalTag(tag, timeZone), { weekday: 'long', timeZone }).format(begins);
}

/** Returns text such as "8 Dec". */
function formatDay(
  { zone, begins }: Pick<ZonedTime, 'zone' | 'begins'>,
  { tag, hasYear }: { tag: string; hasYear: boolean },
): string {
  const format = dateTimeFormat(regionalTag(tag, zone), {
    day: 'numeric',
    month: 'short',
    ...(hasYear && { year: 'numeric' }),
    timeZone: zone,
  });
  return format.format(begins).replaceAll(' ', '\u00A0');
}

/** Uses British formats for English without a region, except in American time zones. */
function regionalTag(tag: string, zone: string): string {
  return tag === 'en' && !/^(?:America|US)\//.test(zone) ? 'en-GB' : tag;
}

/** Returns the name of the zone, which stays the same in summer, or an offset such as "GMT-3". */
function describeZone(
  { begins, zone, hasTimeOfDay }: ZonedTime,
  { tag }: Locale,
): string | undefined {
  if (!hasTimeOfDay) return undefined;
  const hasName = /^(?!Etc\/).*\//.test(zone);
  return dateTimeFormat(hasName ? tag : 'en', {
    timeZone: zone,
    timeZoneName: hasName ? 'longGeneric' : 'short',
  })
    .formatToParts(begins)
    .find(({ type }) => type === 'timeZoneName')?.value;
}

/** Locations that visitors can be far away from: online events and journeys. */
const NO_PLACE = /online|virtual|zoom|https?:|www\.|→/i;

/** At a place, everybody has the same time. */
function zoneToShow({ start, end, location }: Event, locale: Locale): string | undefined {
  if (location && !NO_PLACE.test(location)) return undefined;
  return describeZone(start.hasTimeOfDay ? start : (end ?? start), locale);
}

function renderZone(name: string | undefined): Html | undefined {
  return name === undefined ? undefined : html`(<bdi>${name}</bdi>)`;
}

/** Returns the day in the zone, such as "2026-12-04". */
function localDate({ zone, begins }: ZonedTime): string {
  return isoTime(zone, begins).slice(0, 10);
}

function datetimeAttribute({ zone, begins, hasTimeOfDay }: ZonedTime): string {
  const timestamp = isoTime(zone, begins);
  return hasTimeOfDay ? timestamp : timestamp.slice(0, 10);
}
