import { blockDefinition } from '#contract/shared/blocks.ts';
import { t } from '#dashboard/translate.ts';
import { endsBeforeStart, eventDatesOf, firstWallClock } from '#page/fields/event-dates.ts';
import { parsedTimeOf } from '#page/fields/fields.ts';
import { findStarts } from '#page/fields/recurrence.ts';

/** A block, or a list item, which has no `type`. */
type BlockOrItem = Readonly<Record<string, unknown>> & { type?: string };

/**
 * Converts a stored time to the value of a `datetime-local` input, or a date to that of a `date`
 * input. Empty if the time is invalid.
 */
export function toFieldTime(block: BlockOrItem, storedTime: unknown): string {
  const parsed = parsedTimeOf({ storedTime }, 'storedTime');
  if (!parsed) return '';
  const { time, hasTimeOfDay, hasOffset } = parsed;
  const utcTime = time.toISOString();
  if (!hasTimeOfDay) return utcTime.slice(0, 10);
  // A time without an offset is already in the block's time zone.
  if (hasTimeZone(block) && !hasOffset) return utcTime.slice(0, 16);
  // The Swedish format is ISO 8601 with a space instead of the T.
  return timeFormatFor(block).format(time).replace(' ', 'T');
}

/**
 * Converts the value of an input to a stored time: local time for blocks with a time zone field,
 * otherwise UTC. Undefined if the input is empty.
 */
export function fromFieldTime(block: BlockOrItem, text: string): string | undefined {
  if (text === '') return undefined;
  return hasTimeZone(block) || isDate(text) ? text : new Date(text).toISOString();
}

/**
 * When the start of an event moves from one field time to another, its end moves, too, so that the
 * event stays as long as it was.
 */
export function moveEnd(block: BlockOrItem, from: string, to: string): Record<string, string> {
  const end = toFieldTime(block, block['ends_at']);
  if (
    !from ||
    !to ||
    !end ||
    endsBeforeStart({ ...block, starts_at: from }, 'starts_at', 'ends_at')
  )
    return {};
  const [first, next, last] = [from, to, end].map((time) =>
    Date.parse(isDate(time) ? time : `${time}Z`),
  ) as [number, number, number];
  const moved = last + next - first;
  // Browsers let years have six digits.
  if (!(moved < Date.UTC(10_000, 0))) return {};
  return { ends_at: new Date(moved).toISOString().slice(0, end.length) };
}

export function isDate(fieldTime: string): boolean {
  return fieldTime.length === 'YYYY-MM-DD'.length;
}

/**
 * The next dates of a repeating event, in its time zone as if that were UTC. Undefined if it does not
 * repeat.
 */
export function nextDatesOf(block: BlockOrItem, now: Date, count: number): Date[] | undefined {
  const dates = eventDatesOf(block);
  if (!dates?.recurrence) return undefined;
  const starts = findStarts(dates.recurrence, firstWallClock(dates, now), count);
  return starts.map((time) => new Date(time));
}

/** With the year unless it is this year. */
export function formatDay(date: Date): string {
  return date.toLocaleDateString(t.locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(date.getUTCFullYear() !== new Date().getUTCFullYear() && { year: 'numeric' }),
    timeZone: 'UTC',
  });
}

/** Whether a repeating event leaves out months, or years without 29 February. */
export function skipsMonths(block: BlockOrItem): boolean {
  const start = toFieldTime(block, block['starts_at']);
  return block['repeats'] === 'monthly'
    ? start.slice(8, 10) > '28'
    : block['repeats'] === 'yearly' && start.slice(5, 10) === '02-29';
}

/** Whether an event is over. Years before 1000 are still being typed. */
export function isOver(block: BlockOrItem, now = new Date()): boolean {
  const nextDates = nextDatesOf(block, now, 1);
  if (nextDates) return nextDates.length === 0;
  const last = toFieldTime(block, block['ends_at'] ?? block['starts_at']);
  const current = toFieldTime(block, now.toISOString()).slice(0, last.length);
  return last > '1' && last < current && block.type === 'event';
}

/**
 * Converts the times of an event or countdown to dates, or dates to times, with the times of day
 * that `earlier` has.
 */
export function withAllDay(
  block: BlockOrItem,
  isAllDay: boolean,
  earlier: BlockOrItem = {},
): Record<string, string> {
  const convert = (name: string, defaultTime: string) => {
    const time = toFieldTime(block, block[name]);
    const timeOfDay = toFieldTime(block, earlier[name]).slice(11) || defaultTime;
    const withTime = isDate(time) ? `${time}T${timeOfDay}` : time;
    return time && { [name]: isAllDay ? time.slice(0, 10) : withTime };
  };
  return { ...convert('starts_at', '09:00'), ...convert('ends_at', '18:00') };
}

function hasTimeZone({ type = '' }: BlockOrItem): boolean {
  const fields = Object.values(blockDefinition(type)?.fields ?? {});
  return fields.some((field) => field.type === 'zone');
}

/** Formats in the time zone of the block or, if its kind has none, of the browser. */
function timeFormatFor(block: BlockOrItem): Intl.DateTimeFormat {
  const formatIn = (timeZone?: string) =>
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  if (!hasTimeZone(block)) return formatIn();
  try {
    return formatIn(typeof block['time_zone'] === 'string' ? block['time_zone'] : 'UTC');
  } catch {
    // The page also uses UTC for an unknown time zone.
    return formatIn('UTC');
  }
}
