import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { weekOfMonth } from '../fields/recurrence.ts';
import { offsetAt } from '../fields/time-zone.ts';

const YEARS = 10;
const MIN_RULE_YEARS = 8;
/** Some zones change their clocks twice within five weeks. */
const STEP_MS = 28 * DAY_MS;
export const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Offsets from UTC in milliseconds. */
interface ClockChange {
  /** Wall-clock time before the change, as if it were UTC. */
  onset: number;
  from: number;
  to: number;
}

const cache = new LRUCache<string, string[]>({ max: 500 });

/** The name of a zone in parameters. Offsets such as +02:00 are names of zones, too. */
export function timeZoneId(zone: string): string {
  return zone.replace(':', '');
}

/**
 * VTIMEZONE for the 10 years before and after `now`. Regular clock changes are rules, because Outlook
 * ignores lists of dates.
 */
export function timeZoneLines(zone: string, now: Date): string[] {
  const year = now.getUTCFullYear();
  const key = `${zone} ${year}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const [start, end] = [Date.UTC(year - YEARS, 0), Date.UTC(year + YEARS, 0)];
  const offset = offsetAt(zone, start);
  const kinds = Map.groupBy(findClockChanges(zone, start, end), ({ from, to }) => `${from} ${to}`);
  const lines = [
    'BEGIN:VTIMEZONE',
    `TZID:${timeZoneId(zone)}`,
    ...observanceLines({ onset: 0, from: offset, to: offset }),
    ...[...kinds.values()].flatMap((changes) => kindLines(changes, end)),
    'END:VTIMEZONE',
  ];
  cache.set(key, lines);
  return lines;
}

function findClockChanges(zone: string, start: number, end: number): ClockChange[] {
  const changes: ClockChange[] = [];
  // An offset is a zone without changes.
  if (/^[+-]/.test(zone)) return changes;
  let from = offsetAt(zone, start);
  for (let time = start; time < end; time += STEP_MS) {
    const to = offsetAt(zone, time + STEP_MS);
    if (from === to) continue;
    let [before, after] = [time, time + STEP_MS];
    while (after - before > MINUTE_MS) {
      const middle = before + Math.floor((after - before) / (2 * MINUTE_MS)) * MINUTE_MS;
      if (offsetAt(zone, middle) === from) before = middle;
      else after = middle;
    }
    changes.push({ onset: after + from, from, to });
    from = to;
  }
  return changes;
}

/** Lines for clock changes from one offset to another: the rule that holds at the end, and other dates. */
function kindLines(changes: readonly ClockChange[], end: number): string[] {
  const last = changes.at(-1)!;
  const rules = [
    findRule(changes, isLastWeek, -1),
    findRule(changes, isSameWeek(last), weekOfMonth(last.onset)),
  ];
  const rule = rules.toSorted((a, b) => b.changes.length - a.changes.length)[0]!;
  const isRule = rule.changes.length >= MIN_RULE_YEARS && last.onset > end - 400 * DAY_MS;
  const [first, ...others] = isRule ? changes.slice(0, -rule.changes.length) : changes;
  // A property each, because ical.js reads only the first value.
  const dates = others.map(({ onset }) => `RDATE:${formatLocalTime(onset)}`);
  return [
    ...(first ? observanceLines(first, dates) : []),
    ...(isRule ? observanceLines(rule.changes[0]!, [`RRULE:${rule.text}`]) : []),
  ];
}

type IsInWeek = (date: Date) => boolean;

const isLastWeek: IsInWeek = (date) =>
  new Date(date.getTime() + 7 * DAY_MS).getUTCMonth() !== date.getUTCMonth();

function isSameWeek({ onset }: ClockChange): IsInWeek {
  const weekOf = (date: Date) => Math.ceil(date.getUTCDate() / 7);
  return (date) => weekOf(date) === weekOf(new Date(onset));
}

/** The latest changes that were one a year, in the same month, on the same weekday and at the same time. */
function findRule(changes: readonly ClockChange[], isInWeek: IsInWeek, week: number) {
  const last = new Date(changes.at(-1)!.onset);
  const irregular = changes.findLastIndex(({ onset }, index) => {
    const date = new Date(onset);
    return (
      date.getUTCFullYear() !== last.getUTCFullYear() - (changes.length - 1 - index) ||
      date.getUTCMonth() !== last.getUTCMonth() ||
      date.getUTCDay() !== last.getUTCDay() ||
      onset % DAY_MS !== last.getTime() % DAY_MS ||
      !isInWeek(date)
    );
  });
  const weekday = WEEKDAYS[last.getUTCDay()]!;
  const text = `FREQ=YEARLY;BYMONTH=${last.getUTCMonth() + 1};BYDAY=${week}${weekday}`;
  return { changes: changes.slice(irregular + 1), text };
}

function observanceLines(
  { onset, from, to }: ClockChange,
  dates: readonly string[] = [],
): string[] {
  const name = to > from ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${name}`,
    `DTSTART:${formatLocalTime(onset)}`,
    `TZOFFSETFROM:${formatOffset(from)}`,
    `TZOFFSETTO:${formatOffset(to)}`,
    ...dates,
    `END:${name}`,
  ];
}

/** A wall-clock time in milliseconds, as if it were UTC. */
export function formatLocalTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '');
}

function formatOffset(offset: number): string {
  const time = new Date(Math.abs(offset)).toISOString();
  return `${offset < 0 ? '-' : '+'}${time.slice(11, 13)}${time.slice(14, 16)}`;
}
