import {
  type MetricsResult,
  type MetricsQuery,
  formatPath,
  RANGES,
  queryParams,
  rangeName,
} from './metrics-query.ts';

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

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

/** Words for a measure of a field. */
export function measureLabel({ path = [], aggregate = 'count' }: Measure): string {
  return `${AGGREGATE_LABELS[aggregate]} of ${formatPath(path)}`;
}

/** The answer in words, for whoever does not see the plot and whoever is in a hurry. */
export function describeResult(answer: MetricsResult, { measures = [{}] }: MetricsQuery): string {
  const range = rangeName(queryParams());
  const when = range ? `in the ${RANGES[range][0].toLowerCase()}` : 'in this range';
  return measures
    .map(
      (measure, at) =>
        `${measureLabel(measure)} ${when}: ${describeMeasure(resultOfMeasure(answer, at))}.`,
    )
    .join(' ');
}

type MeasureResult = Pick<MetricsResult, 'series' | 'totals' | 'groups'> & {
  before: number | null | undefined;
};

/** Part of an answer about one of the measures. */
function resultOfMeasure(
  { series, totals, groups, previous }: MetricsResult,
  at: number,
): MeasureResult {
  return {
    series: series.filter(({ measure }) => measure === at),
    totals: totals.filter((_, index) => series[index]?.measure === at),
    groups,
    before: previous?.totals[previous.series.findIndex(({ measure }) => measure === at)],
  };
}

function describeMeasure(finding: MeasureResult): string {
  if (finding.series.length > 1) return describeGroups(finding);
  const total = finding.totals[0] ?? null;
  if (total === null) return 'no numbers';
  return number.format(total) + describeChange(total, finding.before);
}

function describeGroups({ series, totals, groups }: MeasureResult): string {
  const named = series.slice(0, 3).map(({ group }, index) => {
    const total = totals[index] ?? null;
    return `${group ?? 'other'} ${total === null ? 'none' : number.format(total)}`;
  });
  const others = groups - named.length;
  return named.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/** Whether the groups of a measure add up to a whole. */
export function isAdditive({ aggregate = 'count' }: Measure): boolean {
  return aggregate === 'sum' || aggregate === 'count';
}

/** Sum over the groups of a measure; null without numbers. */
export function totalOf(
  { series, totals }: Pick<MetricsResult, 'series' | 'totals'>,
  measure: number,
): number | null {
  const numbers = totals.filter(
    (total, index): total is number => series[index]?.measure === measure && total !== null,
  );
  return numbers.length === 0 ? null : numbers.reduce((sum, total) => sum + total, 0);
}

/** By how many per cent a number is more or less than another; undefined if that cannot be told. */
export function percentChange(now: number, before: number | null | undefined): number | undefined {
  return before ? ((now - before) / Math.abs(before)) * 100 : undefined;
}

function describeChange(now: number, before: number | null | undefined): string {
  if (before === 0) return ', none in the previous period';
  const change = percentChange(now, before);
  if (change === undefined) return '';
  if (Math.abs(change) < 0.05) return ', same as in the previous period';
  return `, ${percent.format(Math.abs(change))} % ${change > 0 ? 'more' : 'less'} than in the previous period`;
}
