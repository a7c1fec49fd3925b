import type { MetricSpan } from '#db/queries/metric-spans.ts';
import type { Aggregate, PageMetric, PageMetricQuery } from '#page/page-metric.ts';

/**
 * The longest period, in days, that is divided into one-hour spans. Longer periods use six-hour
 * spans.
 */
const MAX_HOURLY_DAYS = 7;
/** Periods up to this long have 24 points; longer ones have one point per day. */
const MAX_DAYS_WITH_24_POINTS = 3;

export function spanSecondsOf(days: number): number {
  return days <= MAX_HOURLY_DAYS ? 3_600 : 6 * 3_600;
}

/** Returns the first span of the preceding period, which is needed for comparison. */
export function firstComparisonSpanIndex(days: number, now: Date): number {
  return currentSpanIndex(days, now) - 2 * spanCountOf(days) + 1;
}

export function computePageMetric(
  { aggregate, days }: Pick<PageMetricQuery, 'aggregate' | 'days'>,
  spans: readonly MetricSpan[],
  now: Date,
): PageMetric | undefined {
  const length = spanCountOf(days);
  const start = currentSpanIndex(days, now) - length + 1;
  const sorted = spans
    .filter(({ spanIndex }) => spanIndex >= start - length)
    .toSorted((a, b) => a.spanIndex - b.spanIndex);
  const spansBetween = (from: number, to: number) =>
    sorted.filter(({ spanIndex }) => spanIndex >= from && spanIndex < to);
  // The last value stays valid until there is a newer one, so it may be from before the period.
  const value = aggregateSpans(
    aggregate,
    aggregate === 'last' ? sorted : spansBetween(start, Infinity),
  );
  const counted = aggregate === 'count' ? 'valueCount' : 'numberCount';
  if (value === undefined || !sorted.some((span) => span[counted] > 0)) return undefined;
  const pointCount = days <= MAX_DAYS_WITH_24_POINTS ? 24 : days;
  const points = Array.from({ length: pointCount }, (_, index) => {
    const from = start + (index * length) / pointCount;
    return aggregateSpans(
      aggregate,
      spansBetween(from, index === pointCount - 1 ? Infinity : from + length / pointCount),
    );
  });
  return {
    value,
    latest_at:
      aggregate === 'last' ? sorted.findLast(({ lastAt }) => lastAt !== null)?.lastAt : undefined,
    previous: aggregateSpans(aggregate, spansBetween(start - length, start)),
    points,
  };
}

function spanCountOf(days: number): number {
  return (days * 24 * 3_600) / spanSecondsOf(days);
}

function currentSpanIndex(days: number, now: Date): number {
  return Math.floor(now.getTime() / 1_000 / spanSecondsOf(days));
}

function aggregateSpans(aggregate: Aggregate, spans: readonly MetricSpan[]): number | undefined {
  const sumOf = (value: (span: MetricSpan) => number) =>
    spans.reduce((sum, span) => sum + value(span), 0);
  const valuesOf = (name: 'min' | 'max' | 'last') =>
    spans.map((span) => span[name]).filter((value) => value !== null);
  switch (aggregate) {
    case 'count':
      return sumOf(({ valueCount }) => valueCount);
    case 'sum':
      return sumOf(({ sum }) => sum);
    case 'avg': {
      const numberCount = sumOf((span) => span.numberCount);
      return numberCount === 0 ? undefined : sumOf(({ sum }) => sum) / numberCount;
    }
    case 'min':
      return spans.some(({ min }) => min !== null) ? Math.min(...valuesOf('min')) : undefined;
    case 'max':
      return spans.some(({ max }) => max !== null) ? Math.max(...valuesOf('max')) : undefined;
    case 'last':
      return valuesOf('last').at(-1);
  }
}
