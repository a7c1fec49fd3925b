import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts';
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

export const renderEvent: RenderBlock = (block, _site, { now, url, links, locale }) => {
  const event = eventOf(block);
  if (!event) return undefined;
  const { title, start, end: validEnd, location, url: target } = event;
  const isOneDay =
    validEnd !== undefined &&
    formatTime(validEnd, 'day', locale) === formatTime(start, 'day', locale);
  return html`<section class="card event h-event">
    ${calendarDay(start, locale)}
    <div>
      <h2 class="p-name" dir="auto">
        ${target ? html`<a class="u-url" ${links.attributesFor(target)}>${linkText(title, target)}</a>` : title}
      </h2>
      <p>
        ${timeElement(start, locale, { className: 'dt-start', format: isOneDay ? 'day and clock' : 'all' })}${
          validEnd &&
          html` –
          ${timeElement(validEnd, locale, { className: 'dt-end', format: isOneDay ? 'clock and zone' : 'all' })}`
        }
      </p>
      ${location && html`<p class="p-location" dir="auto">${location}</p>`}
      <p class="when">
        ${isOngoing(start, validEnd, now) ? locale.fromNow(0, 'second') : relativeTime(start.moment, now, locale)}
        · <a href="${url}/events.ics">${locale.t('Calendar')}</a>
      </p>
    </div>
  </section>`;
};

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
    ${title && html`<h2 dir="auto">${title}</h2>`}
    <p class="number">${countdownParts(start.moment, now, locale)}</p>
    <small>${timeElement(start, locale)}</small>
  </section>`;
};

function isOngoing(start: ZonedTime, end: ZonedTime | undefined, now: Date): boolean {
  return start.moment <= now && end !== undefined && now < end.moment;
}

/** Returns text such as "in 12 days", in the largest unit that fits. */
function relativeTime(time: Date, now: Date, locale: Locale): string {
  return locale.fromNow(...largestUnit(time, now));
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

const DAY_PARTS = { year: 'numeric', month: 'long', day: 'numeric' } as const;
const CLOCK_PARTS = { hour: 'numeric', minute: '2-digit' } as const;

/** For two times on the same day, the first omits the time zone and the second the day. */
const TIME_FORMATS = {
  day: DAY_PARTS,
  'day and clock': { ...DAY_PARTS, ...CLOCK_PARTS },
  'clock and zone': CLOCK_PARTS,
  all: { ...DAY_PARTS, ...CLOCK_PARTS },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
type TimeFormat = keyof typeof TIME_FORMATS;

const formatCache = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

function formatTime(
  { moment, zone, hasTimeOfDay }: ZonedTime,
  format: TimeFormat,
  { tag }: Locale,
): string {
  const effectiveFormat = hasTimeOfDay ? format : 'day';
  return dateTimeFormat(tag, formatOptions(effectiveFormat, zone)).format(moment);
}

function dateTimeFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${JSON.stringify(options)}`;
  const format = formatCache.get(key) ?? new Intl.DateTimeFormat(tag, options);
  formatCache.set(key, format);
  return format;
}

function formatOptions(format: TimeFormat, timeZone: string): Intl.DateTimeFormatOptions {
  if (format === 'day' || format === 'day and clock') return { ...TIME_FORMATS[format], timeZone };
  // `shortGeneric` names, such as "Germany Time", do not depend on summer time. UTC has none.
  return {
    ...TIME_FORMATS[format],
    timeZone,
    timeZoneName: timeZone === 'UTC' ? 'short' : 'shortGeneric',
  };
}

function timeElement(
  time: ZonedTime,
  locale: Locale,
  { className, format = 'all' }: { className?: string; format?: TimeFormat } = {},
): Html {
  const timestamp = isoTime(time.zone, time.moment);
  return html`<time${className && html` class="${className}"`} datetime="${time.hasTimeOfDay ? timestamp : timestamp.slice(0, 10)}">${formatTime(time, format, locale)}</time>`;
}
