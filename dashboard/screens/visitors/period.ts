import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import { VISITOR_LISTS, type VisitorList } from '#contract/shared/visits.ts';
import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';

export type VisitorsQuery = Parameters<typeof owner.visitors.queryVisitors>[0];
export type VisitorsResponse = ResponseOf<typeof owner.visitors.queryVisitors>;

export type EntryDays = NonNullable<VisitorsResponse['entry']> & { list: VisitorList };

/**
 * Ranges that end today: label and days. A year is 52 whole weeks, because its points are weekly.
 */
export const RANGES = {
  '7d': [t('7 days'), 7],
  '30d': [t('30 days'), 30],
  '90d': [t('90 days'), 90],
  '12m': [t('12 months'), 364],
} as const;
export type Range = keyof typeof RANGES;

const MAX_LIST_ENTRIES = 8;
/** Longer periods get weekly points. */
const MAX_DAILY_POINTS = 120;
const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/;

/**
 * The range in the URL, 30 days by default. Undefined if the URL has `since` and `until` instead.
 */
export function selectedRange(): Range | undefined {
  const [range, since, until] = ['range', 'since', 'until'].map((name) => query.value.get(name));
  if (since && until && DAY_PATTERN.test(since) && DAY_PATTERN.test(until)) return undefined;
  return range && Object.hasOwn(RANGES, range) ? (range as Range) : '30d';
}

export function isComparing(): boolean {
  return query.value.get('compare') !== '0';
}

/** The entry of a list whose days the chart shows. */
export function selectedEntry(): VisitorsQuery['entry'] {
  const list = query.value.get('list');
  const value = query.value.get('value');
  const knownList = VISITOR_LISTS.find((name) => name === list);
  return knownList && value !== null ? { list: knownList, value } : undefined;
}

export function selectEntry(entry: VisitorsQuery['entry']): void {
  updateSelection({ list: entry?.list, value: entry?.value });
}

export function updateSelection(change: Record<string, string | undefined>): void {
  const next = new URLSearchParams(query.peek());
  for (const [name, value] of Object.entries(change))
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  navigate(`visitors?${next}`);
}

/** The API query for the URL. Days are in UTC. */
export function selectedQuery(now = Date.now()): VisitorsQuery & { since: string; until: string } {
  const range = selectedRange();
  const days = range
    ? { since: utcDay(now - (RANGES[range][1] - 1) * DAY_MS), until: utcDay(now) }
    : { since: query.value.get('since')!, until: query.value.get('until')! };
  const entry = selectedEntry();
  return { ...days, compare: isComparing(), limit: MAX_LIST_ENTRIES, entry };
}

type DayTotals = Omit<VisitorsResponse['days'][number], 'day'>;

/** Totals of a day, or of a week that starts on `day`. */
export interface ChartPoint extends DayTotals {
  day: string;
}

/** Daily points, or weekly points counted back from the end, so the first week may be shorter. */
export function chartPoints(days: readonly ChartPoint[]): ChartPoint[] {
  if (days.length <= MAX_DAILY_POINTS) return [...days];
  const firstWeekDays = days.length % 7;
  const starts = Array.from({ length: Math.ceil(days.length / 7) }, (_, week) =>
    firstWeekDays === 0 ? week * 7 : Math.max(0, firstWeekDays + (week - 1) * 7),
  );
  return starts.map((start, index) => {
    const week = days.slice(start, starts[index + 1]);
    return { day: week[0]!.day, views: sum(week, 'views'), clicks: sum(week, 'clicks') };
  });
}

function sum(days: readonly ChartPoint[], key: keyof DayTotals): number {
  return days.reduce((total, day) => total + day[key], 0);
}

const dayFormat = new Intl.DateTimeFormat(t.locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const dayFormatWithYear = new Intl.DateTimeFormat(t.locale, {
  dateStyle: 'medium',
  timeZone: 'UTC',
});

/** Such as `23 Oct – 21 Nov`, with years if they differ. */
export function formatPeriod({ since, until }: { since: string; until: string }): string {
  const format = since.slice(0, 4) === until.slice(0, 4) ? dayFormat : dayFormatWithYear;
  return format.formatRange(new Date(since), new Date(until));
}
