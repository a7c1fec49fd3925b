import {
  type MetricsResult,
  type MetricsQuery,
  formatPath,
  RANGES,
  queryParams,
  rangeName,
} from './metrics-query.ts';

const numberFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const percentFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

const AGGREGATE_LABELS: Readonly<Record<string, string>> = {
  sum: 'Sum',
  avg: 'Average',
  min: 'Minimum',
  max: 'Maximum',
  p50: 'Median',
  p90: '90th percentile',
  p95: '95th percentile',
  p99: '99th percentile',
  last: 'Last value',
  count: 'Number',
  distinct: 'Distinct values',
};

type Measure = NonNullable<MetricsQuery['measures']>[number];

export function measureLabel({ path = [], aggregate = 'count' }: Measure): string {
  return `${AGGREGATE_LABELS[aggregate]} of ${formatPath(path)}`;
}

export function describeResult(result: MetricsResult, { measures = [{}] }: MetricsQuery): string {
  const range = rangeName(queryParams());
  const rangeText = range ? `in the ${RANGES[range][0].toLowerCase()}` : 'in this range';
  return measures
    .map(
      (measure, index) =>
        `${measureLabel(measure)} ${rangeText}: ${describeMeasure(resultOfMeasure(result, index))}.`,
    )
    .join(' ');
}

type MeasureResult = Pick<MetricsResult, 'series' | 'totals' | 'groups'> & {
  previousTotal: number | null | undefined;
};

function resultOfMeasure(
  { series, totals, groups, previous }: MetricsResult,
  measureIndex: number,
): MeasureResult {
  return {
    series: series.filter(({ measure }) => measure === measureIndex),
    totals: totals.filter((_, index) => series[index]?.measure === measureIndex),
    groups,
    previousTotal:
      previous?.totals[previous.series.findIndex(({ measure }) => measure === measureIndex)],
  };
}

function describeMeasure(result: MeasureResult): string {
  if (result.series.length > 1) return describeGroups(result);
  const total = result.totals[0] ?? null;
  if (total === null) return 'no values';
  return numberFormat.format(total) + describeChange(total, result.previousTotal);
}

function describeGroups({ series, totals, groups }: MeasureResult): string {
  const descriptions = series.slice(0, 3).map(({ group }, index) => {
    const total = totals[index] ?? null;
    return `${group ?? 'other'} ${total === null ? 'none' : numberFormat.format(total)}`;
  });
  const remainingCount = groups - descriptions.length;
  return descriptions.join(', ') + (remainingCount > 0 ? ` and ${remainingCount} more` : '');
}

/** Whether the groups of a measure add up to a total. */
export function isAdditive({ aggregate = 'count' }: Measure): boolean {
  return aggregate === 'sum' || aggregate === 'count';
}

/** Sum of a measure over all groups. Null if there are no numbers. */
export function totalOf(
  { series, totals }: Pick<MetricsResult, 'series' | 'totals'>,
  measureIndex: number,
): number | null {
  const numbers = totals.filter(
    (total, index): total is number => series[index]?.measure === measureIndex && total !== null,
  );
  return numbers.length === 0 ? null : numbers.reduce((sum, total) => sum + total, 0);
}

/** Change from the previous value in percent. Undefined if that value is missing or zero. */
export function percentChange(
  current: number,
  previous: number | null | undefined,
): number | undefined {
  return previous ? ((current - previous) / Math.abs(previous)) * 100 : undefined;
}

function describeChange(current: number, previous: number | null | undefined): string {
  if (previous === 0) return ', none in the previous period';
  const change = percentChange(current, previous);
  if (change === undefined) return '';
  if (Math.abs(change) < 0.05) return ', same as in the previous period';
  return `, ${percentFormat.format(Math.abs(change))} % ${change > 0 ? 'more' : 'less'} than in the previous period`;
}
