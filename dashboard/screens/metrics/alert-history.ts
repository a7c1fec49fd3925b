import { DAY_MS, HOUR_MS } from '#contract/shared/durations.ts';
import type { AlertCondition, AlertAggregate } from '#contract/alert-condition.ts';
import { alertStateFor } from '#contract/shared/alert-state.ts';

export type AlertMeasure = Pick<AlertCondition, 'path' | 'aggregate' | 'minutes'>;
type Values = readonly (number | null)[];

interface ChartQuery {
  since: string;
  until: string;
  measures?: readonly { path?: string[] | undefined; aggregate?: string | undefined }[] | undefined;
}

/** Share of the past values that do not reach the suggested threshold. */
const USUAL_SHARE = 0.99;

/** The measure that the chart shows, over a window that suits its range. */
export function alertMeasureOf({ measures, since, until }: ChartQuery): AlertMeasure {
  const { path = [], aggregate = 'count' } = measures?.[0] ?? {};
  const rangeMs = Date.parse(until) - Date.parse(since);
  return {
    path,
    aggregate: toAlertAggregate(aggregate),
    minutes: rangeMs <= HOUR_MS ? 15 : rangeMs <= DAY_MS ? 60 : 1_440,
  };
}

function toAlertAggregate(aggregate: string): AlertAggregate {
  switch (aggregate) {
    case 'count':
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return aggregate;
    case 'distinct':
      return 'count';
    default:
      return 'avg';
  }
}

/** Aggregates the last `windowSize` buckets at each bucket. `counts` is only needed for averages. */
export function rollingValues(
  values: Values,
  counts: Values,
  { aggregate, windowSize }: { aggregate: AlertAggregate; windowSize: number },
): (number | null)[] {
  // The first bucket is partial, and a project is empty before its first metric.
  const start = Math.max(
    1,
    values.findIndex((value) => value !== null && value !== 0),
  );
  return values.slice(start + windowSize - 1).map((_, index) => {
    const lastBuckets = <T>(list: readonly T[]) =>
      list.slice(start + index, start + index + windowSize);
    const numbers = lastBuckets(values).filter((value) => value !== null);
    if (aggregate === 'min' || aggregate === 'max')
      return numbers.length === 0 ? null : Math[aggregate](...numbers);
    const sum = sumOf(numbers);
    if (aggregate !== 'avg') return sum;
    const count = sumOf(lastBuckets(counts).map((value) => value ?? 0));
    return count === 0 ? null : sum / count;
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0);
}

/** A round number that is rarely reached. Undefined if there are no values. */
export function suggestThreshold(
  values: Values,
  comparison: AlertCondition['comparison'],
): number | undefined {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const isBelow = comparison === 'below';
  const share = isBelow ? 1 - USUAL_SHARE : USUAL_SHARE;
  const value = sorted[Math.round((sorted.length - 1) * share)]!;
  if (value === 0) return 0;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1);
  const rounded = (isBelow ? Math.floor : Math.ceil)(Number((value / unit).toPrecision(12))) * unit;
  return Number(rounded.toPrecision(12));
}

/** Indexes of the values at which the alert would have begun to fire. */
export function findFirings(
  values: Values,
  condition: Pick<AlertCondition, 'comparison' | 'threshold'>,
): number[] {
  const isFiring = values.map((value) => alertStateFor(condition, value) === 'firing');
  return [...isFiring.keys()].filter((index) => isFiring[index] && !isFiring[index - 1]);
}
