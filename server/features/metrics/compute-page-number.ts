import type { MetricSpan } from '#db/queries/metrics/metric-spans.ts';
import type { Aggregate, PageNumber, PageNumberQuery } from '#page/page-number.ts';

/** Up to how many days are summed up by the hour; more of them by six hours. */
const HOURLY_DAYS = 7;
/** Up to how many days have 24 points; more of them have one each. */
const FINE_DAYS = 3;

/** The spans that a number of days is summed up by, in seconds. */
export function spanSecondsOf(days: number): number {
  return days <= HOURLY_DAYS ? 3_600 : 6 * 3_600;
}

/** The first span that counts for a number of days: of the days before them. */
export function firstSpanOf(days: number, now: Date): number {
  return currentSpan(days, now) - 2 * spansOf(days) + 1;
}

/** Returns undefined if there is no data. */
export function computePageNumber(
  { aggregate, days }: Pick<PageNumberQuery, 'aggregate' | 'days'>,
  spans: readonly MetricSpan[],
  now: Date,
): PageNumber | undefined {
  const length = spansOf(days);
  const start = currentSpan(days, now) - length + 1;
  const known = spans
    .filter(({ span }) => span >= start - length)
    .toSorted((one, other) => one.span - other.span);
  const within = (from: number, to: number) =>
    known.filter(({ span }) => span >= from && span < to);
  // The last value holds until there is another.
  const value = valueOf(aggregate, aggregate === 'last' ? known : within(start, Infinity));
  if (value === undefined || !known.some((span) => countOf(aggregate, span) > 0)) return undefined;
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

/** Payloads that an aggregate takes into account. */
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
