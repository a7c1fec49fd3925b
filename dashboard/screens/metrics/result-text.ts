import { metricFormat } from '#contract/shared/metric-unit.ts';
import { t } from '#dashboard/translate.ts';
import {
  type MetricsResult,
  type MetricsQuery,
  formatPath,
  RANGES,
  queryParams,
  rangeName,
} from './metrics-query.ts';

const percentFormat = new Intl.NumberFormat(t.locale, { maximumFractionDigits: 1 });

export const AGGREGATE_LABELS: Readonly<Record<string, string>> = {
  sum: t('Sum'),
  avg: t('Average'),
  min: t('Minimum'),
  max: t('Maximum'),
  p50: t('Median'),
  p90: t('90th percentile'),
  p95: t('95th percentile'),
  p99: t('99th percentile'),
  last: t('Last value'),
  count: t('Count'),
  distinct: t('Distinct values'),
};

type Measure = NonNullable<MetricsQuery['measures']>[number];

export function measureLabel({ path = [], aggregate = 'count' }: Measure): string {
  if (aggregate === 'count' && path.length === 0) return t('Number of metrics');
  return t('{aggregate} of {field}', {
    aggregate: AGGREGATE_LABELS[aggregate]!,
    field: formatPath(path),
  });
}

export function describeResult(result: MetricsResult, { measures = [{}] }: MetricsQuery): string {
  const range = rangeName(queryParams());
  return measures
    .map((measure, index) => {
      const values = {
        measure: measureLabel(measure),
        result: describeMeasure(resultOfMeasure(result, index), metricFormat(measure, t.locale)),
      };
      return range
        ? t('{measure} in the {range}: {result}.', { ...values, range: RANGES[range][2] })
        : t('{measure} in this range: {result}.', values);
    })
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

type Format = (value: number) => string;

function describeMeasure(result: MeasureResult, format: Format): string {
  if (result.series.length > 1) return describeGroups(result, format);
  const total = result.totals[0] ?? null;
  if (total === null) return t('no values');
  return describeTotal(format(total), total, result.previousTotal);
}

/** Texts that look like a number or a boolean get quotes. */
export function formatGroup(group: string | number | boolean | null): string {
  if (group === null) return t('group|other');
  const isAmbiguous = typeof group === 'string' && /^(?:true|false|-?\d[\d.e+-]*)$/.test(group);
  return isAmbiguous ? `"${group}"` : String(group);
}

function describeGroups({ series, totals, groups }: MeasureResult, format: Format): string {
  const descriptions = series.slice(0, 3).map(({ group }, index) => {
    const total = totals[index] ?? null;
    return `${formatGroup(group)} ${total === null ? t('no values') : format(total)}`;
  });
  const remainingCount = groups - descriptions.length;
  const groupsText = descriptions.join(', ');
  return remainingCount > 0
    ? t('{groups} and {count} more', { groups: groupsText, count: remainingCount })
    : groupsText;
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

function describeTotal(
  value: string,
  current: number,
  previous: number | null | undefined,
): string {
  if (previous === 0) return t('{value}, none in the previous period', { value });
  const change = percentChange(current, previous);
  if (change === undefined) return value;
  if (Math.abs(change) < 0.05) return t('{value}, same as in the previous period', { value });
  const percent = percentFormat.format(Math.abs(change));
  return change > 0
    ? t('{value}, {percent} % more than in the previous period', { value, percent })
    : t('{value}, {percent} % less than in the previous period', { value, percent });
}
