import { type Fields, textOf, timeOf } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { linkText } from '../link-text.ts';
import { linkTarget, OUTSIDE } from '../target.ts';
import type { RenderBlock } from './block.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
const hour = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

export const event: RenderBlock = (block, _site, { now }) => {
  const title = textOf(block, 'title', 'content');
  const [start, end] = [timeOf(block, 'starts_at'), timeOf(block, 'ends_at')];
  if (!title || !start) return undefined;
  const [location, target] = [textOf(block, 'location'), linkTarget(block['url'])];
  const until = end && end > start ? end : undefined;
  const isOneDay = until !== undefined && day.format(until) === day.format(start);
  return html`<section class="card h-event">
    <h2 class="p-name" dir="auto">
      ${target ? html`<a class="u-url" href="${target}" rel="${OUTSIDE}">${linkText(title, target)}</a>` : title}
    </h2>
    <p>
      ${timeElement(block, 'starts_at', start, { kind: 'dt-start', says: isOneDay ? 'no zone' : 'all' })}${
        until &&
        html` –
        ${timeElement(block, 'ends_at', until, { kind: 'dt-end', says: isOneDay ? 'no day' : 'all' })}`
      }<small>${when(start, end, now)}</small>
    </p>
    ${location && html`<p class="p-location" dir="auto">${location}</p>`}
  </section>`;
};

export const countdown: RenderBlock = (block, _site, { now }) => {
  const title = textOf(block, 'title', 'content');
  const start = timeOf(block, 'starts_at') ?? timeOf(block, 'ends_at');
  if (!start) return undefined;
  return html`<section class="card countdown">
    ${title && html`<h2 dir="auto">${title}</h2>`}
    <p>
      <strong>${distance(start, now)}</strong
      ><small
        >${timeElement(block, timeOf(block, 'starts_at') ? 'starts_at' : 'ends_at', start)}</small
      >
    </p>
  </section>`;
};

function when(start: Date, end: Date | undefined, now: Date): string {
  if (start <= now && end && now < end) return 'now';
  return distance(start, now);
}

/** "in 12 days", in the largest unit of which it is at least one. */
function distance(time: Date, now: Date): string {
  const milliseconds = time.getTime() - now.getTime();
  const size = Math.abs(milliseconds);
  if (size >= DAY) return relative.format(Math.trunc(milliseconds / DAY), 'day');
  if (size >= HOUR) return relative.format(Math.trunc(milliseconds / HOUR), 'hour');
  return relative.format(Math.trunc(milliseconds / MINUTE), 'minute');
}

/** When what is said about the times of a block is true no longer. */
export function timeChanges(block: Fields, now: Date): Date[] {
  const times = [timeOf(block, 'starts_at'), timeOf(block, 'ends_at')];
  return times.flatMap((time) => (time ? [time, nextChange(time, now)] : []));
}

function nextChange(time: Date, now: Date): Date {
  const milliseconds = time.getTime() - now.getTime();
  const size = Math.abs(milliseconds);
  const unit = size >= DAY ? DAY : size >= HOUR ? HOUR : MINUTE;
  const left = milliseconds > 0 ? size % unit : unit - (size % unit);
  return new Date(now.getTime() + left + 1);
}

/** A time; of two on one day, the first need not say the zone, nor the second the day. */
function timeElement(
  block: Fields,
  name: string,
  time: Date,
  { kind, says = 'all' }: { kind?: string; says?: 'all' | 'no zone' | 'no day' } = {},
): Html {
  const hasClock = (textOf(block, name)?.length ?? 0) > 10;
  const clockText = `${(says === 'no day' ? hour : clock).format(time)}${says === 'no zone' ? '' : ' UTC'}`;
  const text = hasClock ? clockText : day.format(time);
  const machine = hasClock ? time.toISOString() : time.toISOString().slice(0, 10);
  return html`<time${kind && html` class="${kind}"`} datetime="${machine}">${text}</time>`;
}
