import type { MetricSpan } from '#db/queries/metrics/metric-spans.ts';
import type { Aggregate, PageNumber, PageNumberQuery } from '#page/page-number.ts';

/** Longer periods are summed in spans of six hours instead of one. */
const HOURLY_DAYS = 7;
const FINE_DAYS = 3;

export function spanSecondsOf(days: number): number {
  return days <= HOURLY_DAYS ? 3_600 : 6 * 3_600;
}

/** Includes the preceding period of the same length, for comparison. */
export function firstSpanOf(days: number, now: Date): number {
  return currentSpan(days, now) - 2 * spansOf(days) + 1;
}

export function computePageNumber(
  { aggregate, days }: Pick<PageNumberQuery, 'aggregate' | 'days'>,
  spans: readonly MetricSpan[],
  now: Date,
): PageNumber | undefined {
  const length = spansOf(days);
  const start = currentSpan(days, now) - length + 1;
  const sorted = spans
    .filter(({ span }) => span >= start - length)
    .toSorted((a, b) => a.span - b.span);
  const within = (from: number, to: number) =>
    sorted.filter(({ span }) => span >= from && span < to);
  // The last value stays valid until there is a newer one, so it may be from before the period.
  const value = valueOf(aggregate, aggregate === 'last' ? sorted : within(start, Infinity));
  if (value === undefined || !sorted.some((span) => countOf(aggregate, span) > 0)) return undefined;
  const count = days <= FINE_DAYS ? 24 : days;
  const points = Array.from({ length: count }, (_, index) => {
    const from = start + (index * length) / count;
    return valueOf(aggregate, within(from, index === count - 1 ? Infinity : from + length / count));
  });
  return { value, previous: valueOf(aggregate, within(start - length, start)), points };
}

function spansOf(days: number): number {
  return (days * 24 * 3_600) / spanSecondsOf(days);
}

function currentSpan(days: number, now: Date): number {
  return Math.floor(now.getTime() / 1_000 / spanSecondsOf(days));
}

function countOf(aggregate: Aggregate, { present, numbers }: MetricSpan): number {
  return aggregate === 'count' ? present : numbers;
}

function valueOf(aggregate: Aggregate, spans: readonly MetricSpan[]): number | undefined {
  const total = (value: (span: MetricSpan) => number) =>
    spans.reduce((sum, span) => sum + value(span), 0);
  const all = (name: 'min' | 'max' | 'last') =>
    spans.map((span) => span[name]).filter((value) => value !== null);
  switch (aggregate) {
    case 'count':
      return total(({ present }) => present);
    case 'sum':
      return total(({ sum }) => sum);
    case 'avg': {
      const numbers = total((span) => span.numbers);
      return numbers === 0 ? undefined : total(({ sum }) => sum) / numbers;
    }
    case 'min':
      return spans.some(({ min }) => min !== null) ? Math.min(...all('min')) : undefined;
    case 'max':
      return spans.some(({ max }) => max !== null) ? Math.max(...all('max')) : undefined;
    case 'last':
      return all('last').at(-1);
  }
}
