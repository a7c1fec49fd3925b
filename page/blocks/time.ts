import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { type Fields, textOf, parsedTimeOf } from '../fields.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../locale.ts';
import { linkText } from '../link-text.ts';
import { safeLinkUrl } from '../safe-url.ts';
import { isoTime, zonedTimeToDate, timeZoneOf } from '../time-zone.ts';
import type { RenderBlock } from './block.ts';

export interface ZonedTime {
  moment: Date;
  zone: string;
  hasTimeOfDay: boolean;
}

function zonedTimeOf(block: Fields, name: string): ZonedTime | undefined {
  const parsed = parsedTimeOf(block, name);
  if (!parsed) return undefined;
  const { time, hasTimeOfDay, hasOffset } = parsed;
  const zone = timeZoneOf(block);
  return {
    moment: hasOffset ? time : zonedTimeToDate(zone, time),
    zone,
    hasTimeOfDay,
  };
}

export interface Event {
  title: string;
  start: ZonedTime;
  /** After `start`. */
  end: ZonedTime | undefined;
  location: string | undefined;
  url: string | undefined;
}

/** Returns undefined if the block is not an event that a page shows. */
export function eventOf(block: Fields): Event | undefined {
  const title = textOf(block, 'title', 'content');
  const [start, end] = [zonedTimeOf(block, 'starts_at'), zonedTimeOf(block, 'ends_at')];
  if (block['type'] !== 'event' || !title || !start) return undefined;
  return {
    title,
    start,
    end: end && end.moment > start.moment ? end : undefined,
    location: textOf(block, 'location'),
    url: safeLinkUrl(block['url']),
  };
}

export const renderEvent: RenderBlock = (
  block,
  _site,
  { now, url, links, locale, isLastEvent },
) => {
  const event = eventOf(block);
  if (!event) return undefined;
  const { title, start, end, location, url: target } = event;
  return html`<section class="card event h-event">
    ${calendarDay(start, locale)}
    <div>
      <h2 class="p-name" dir="auto">
        ${target ? html`<a class="u-url" ${links.attributesFor(target)}>${linkText(title, target)}</a>` : title}
      </h2>
      <p>
        <time class="dt-start" datetime="${machineTime(start)}"
          >${formatTime(start, { end, now, locale })}</time
        >
        ${end && html`<time class="dt-end" datetime="${machineTime(end)}" hidden></time>`}
        ${
          // With a location, readers expect the local time there, so the zone is not shown.
          (!location || start.zone === 'UTC') && zoneName(start)
        }
      </p>
      ${location && html`<p class="p-location" dir="auto">${location}</p>`}
      <p class="when">
        ${isOngoing(start, end, now) ? locale.fromNow(0, 'second') : locale.fromNow(...largestUnit(start.moment, now))}
        ${isLastEvent(block) && html`· <a href="${url}/events.ics">${locale.t('Calendar')}</a>`}
      </p>
    </div>
  </section>`;
};

/** The calendar file has all events of the page, so only the last of adjacent ones links to it. */
export function lastEvents(blocks: readonly Fields[]): (block: Fields) => boolean {
  const shown = blocks.filter((block) => block['type'] !== 'event' || eventOf(block));
  const last = new Set(shown.filter((_, index) => shown[index + 1]?.['type'] !== 'event'));
  return (block) => last.has(block);
}

/** Hidden from screen readers, because the text next to it has the date. */
function calendarDay({ moment, zone }: ZonedTime, { tag }: Locale): Html {
  const formatPart = (options: Intl.DateTimeFormatOptions) =>
    dateTimeFormat(tag, { ...options, timeZone: zone }).format(moment);
  return html`<p class="cal" aria-hidden="true">
    <span>${formatPart({ month: 'short' })}</span><b>${formatPart({ day: 'numeric' })}</b>
  </p>`;
}

export const renderCountdown: RenderBlock = (block, _site, { now, locale }) => {
  const title = textOf(block, 'title', 'content');
  const start = zonedTimeOf(block, 'starts_at') ?? zonedTimeOf(block, 'ends_at');
  if (!start) return undefined;
  return html`<section class="card countdown">
    <div>
      ${title && html`<h2 dir="auto">${title}</h2>`}
      <p class="number">${countdownParts(start.moment, now, locale)}</p>
    </div>
    <small
      ><time datetime="${machineTime(start)}">${formatTime(start, { now, locale })}</time>
      ${zoneName(start)}</small
    >
  </section>`;
};

function isOngoing(start: ZonedTime, end: ZonedTime | undefined, now: Date): boolean {
  return start.moment <= now && end !== undefined && now < end.moment;
}

function largestUnit(time: Date, now: Date): [number, 'day' | 'hour' | 'minute'] {
  const differenceMs = time.getTime() - now.getTime();
  const absoluteMs = Math.abs(differenceMs);
  if (absoluteMs >= DAY_MS) return [Math.trunc(differenceMs / DAY_MS), 'day'];
  if (absoluteMs >= HOUR_MS) return [Math.trunc(differenceMs / HOUR_MS), 'hour'];
  return [Math.trunc(differenceMs / MINUTE_MS), 'minute'];
}

/** Marks the numbers with `<b>`, which themes show large. */
function countdownParts(time: Date, now: Date, locale: Locale): Html[] {
  return locale
    .relativeTimeParts(...largestUnit(time, now))
    .map(({ value, isNumber }) => (isNumber ? html`<b>${value}</b>` : html`<span>${value}</span>`));
}

/** Times at which the displayed text goes out of date. */
export function timeChangeTimes(block: Fields, now: Date): Date[] {
  const times = [zonedTimeOf(block, 'starts_at'), zonedTimeOf(block, 'ends_at')];
  return times.flatMap((time) => (time ? [time.moment, nextChange(time.moment, now)] : []));
}

function nextChange(time: Date, now: Date): Date {
  const differenceMs = time.getTime() - now.getTime();
  const absoluteMs = Math.abs(differenceMs);
  const unit = absoluteMs >= DAY_MS ? DAY_MS : absoluteMs >= HOUR_MS ? HOUR_MS : MINUTE_MS;
  const remainingMs = differenceMs > 0 ? absoluteMs % unit : unit - (absoluteMs % unit);
  return new Date(now.getTime() + remainingMs + 1);
}

const formatCache = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

function dateTimeFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${JSON.stringify(options)}`;
  const format = formatCache.get(key) ?? new Intl.DateTimeFormat(tag, options);
  formatCache.set(key, format);
  return format;
}

/** Returns text such as "Friday 4 December, 19:00–23:00", with the year unless it is this year. */
function formatTime(
  start: ZonedTime,
  { end = start, now, locale }: { end?: ZonedTime | undefined; now: Date; locale: Locale },
): string {
  const { zone } = start;
  const [firstDay, lastDay, today] = [start.moment, end.moment, now].map((moment) =>
    isoTime(zone, moment).slice(0, 10),
  ) as [string, string, string];
  const isThisYear = [firstDay, lastDay].every((day) => day.slice(0, 4) === today.slice(0, 4));
  return (
    dateTimeFormat(regionalTag(locale.tag, zone), {
      weekday: firstDay === lastDay ? 'long' : 'short',
      day: 'numeric',
      month: 'long',
      ...(!isThisYear && { year: 'numeric' }),
      ...(start.hasTimeOfDay && end.hasTimeOfDay && { hour: 'numeric', minute: '2-digit' }),
      timeZone: zone,
    })
      .formatRange(start.moment, end.moment)
      .replace(/\s*–\s*/, firstDay === lastDay ? '\u2060$&\u2060' : '$&')
      // Keep the period of the day on the line of its time.
      .replace(/(?<=:\p{Nd}{2}) (?=\p{L})/gu, '\u00A0')
  );
}

/** Uses British formats for English without a region, except in American time zones. */
function regionalTag(tag: string, zone: string): string {
  return tag === 'en' && !/^(?:America|US)\//.test(zone) ? 'en-GB' : tag;
}

/** Returns the zone's city, which stays the same in summer, or an offset such as "GMT-3". */
function zoneName({ moment, zone, hasTimeOfDay }: ZonedTime): Html | undefined {
  if (!hasTimeOfDay) return undefined;
  const city = /^(?!Etc\/).*\/([^/]+)$/.exec(zone)?.[1]?.replaceAll('_', ' ');
  const offset = () =>
    dateTimeFormat('en', { timeZone: zone, timeZoneName: 'short' })
      .formatToParts(moment)
      .find(({ type }) => type === 'timeZoneName')?.value;
  return html`(<bdi>${city ?? offset()}</bdi>)`;
}

function machineTime({ zone, moment, hasTimeOfDay }: ZonedTime): string {
  const timestamp = isoTime(zone, moment);
  return hasTimeOfDay ? timestamp : timestamp.slice(0, 10);
}
