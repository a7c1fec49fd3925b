import type { EVENT_REPEATS } from '#contract/shared/blocks.ts';
import { DAY_MS } from '#contract/shared/durations.ts';

export type Repeats = Exclude<keyof typeof EVENT_REPEATS, 'never'>;

/** Times are wall-clock times in milliseconds, as if they were UTC: clock changes do not move them. */
export interface Recurrence {
  repeats: Repeats;
  /** The start of the first date. */
  first: number;
  /** No date starts after it. At most `LAST_START`. */
  until: number;
  /** Midnights of the days on which it does not take place. */
  except: ReadonlySet<number>;
}

/** iCalendar has four digits for a year, and the time zone or the end can move into the next one. */
export const LAST_START = Date.UTC(9999, 0) - 1;

/** The starts from `from` on, the soonest first. */
export function findStarts(recurrence: Recurrence, from: number, count: number): number[] {
  const starts: number[] = [];
  for (let index = indexAt(recurrence, from); starts.length < count; index += 1) {
    const { earliest, start } = dateAt(recurrence, index);
    if (earliest > recurrence.until) break;
    if (start !== undefined && start >= from && takesPlace(recurrence, start)) starts.push(start);
  }
  return starts;
}

export function findLastStart(recurrence: Recurrence, before: number): number | undefined {
  const end = Math.min(recurrence.until, before - 1);
  for (let index = indexAt(recurrence, end); index >= 0; index -= 1) {
    const { start } = dateAt(recurrence, index);
    if (start !== undefined && start <= end && takesPlace(recurrence, start)) return start;
  }
  return undefined;
}

function takesPlace({ until, except }: Recurrence, start: number): boolean {
  return start <= until && !except.has(startOfDay(start));
}

export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** The week of a month: 1 to 4, or -1 for the last one, because few months have a fifth. */
export function weekOfMonth(time: number): number {
  const week = Math.ceil(new Date(time).getUTCDate() / 7);
  return week === 5 ? -1 : week;
}

const WEEKS: Partial<Record<Repeats, number>> = { weekly: 1, two_weeks: 2 };

/** The index of the latest date that can start at `time` or before. */
function indexAt({ repeats, first }: Recurrence, time: number): number {
  const weeks = WEEKS[repeats];
  if (weeks) return Math.max(0, Math.floor((time - first) / (weeks * 7 * DAY_MS)));
  const [start, end] = [new Date(first), new Date(time)];
  const years = end.getUTCFullYear() - start.getUTCFullYear();
  const months = years * 12 + end.getUTCMonth() - start.getUTCMonth();
  return Math.max(0, repeats === 'yearly' ? years : months);
}

/** `start` is not before `earliest`, and undefined if the month has no such day (RFC 5545: skipped). */
function dateAt(
  { repeats, first }: Recurrence,
  index: number,
): { earliest: number; start: number | undefined } {
  const weeks = WEEKS[repeats];
  if (weeks) {
    const start = first + index * weeks * 7 * DAY_MS;
    return { earliest: start, start };
  }
  const firstDate = new Date(first);
  const month = new Date(first);
  month.setUTCDate(1);
  month.setUTCMonth(month.getUTCMonth() + (repeats === 'yearly' ? 12 : 1) * index);
  const date = new Date(month);
  if (repeats === 'monthly_weekday') {
    const week = weekOfMonth(first);
    date.setUTCDate(1 + ((firstDate.getUTCDay() - month.getUTCDay() + 7) % 7));
    date.setUTCDate(date.getUTCDate() + (week === -1 ? 4 : week - 1) * 7);
    if (date.getUTCMonth() !== month.getUTCMonth()) date.setUTCDate(date.getUTCDate() - 7);
  } else date.setUTCDate(firstDate.getUTCDate());
  const isInMonth = date.getUTCMonth() === month.getUTCMonth();
  return { earliest: month.getTime(), start: isInMonth ? date.getTime() : undefined };
}
