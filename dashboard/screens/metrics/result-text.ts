import { t } from '#dashboard/translate.ts';
import {
  type Measure,
  type MetricsResult,
  type QueryResult,
  formatPath,
  measureOf,
  RANGES,
} from './metrics-query.ts';

const numberFormat = new Intl.NumberFormat(t.locale, { maximumFractionDigits: 2 });

export function formatNumber(value: number): string {
  return numberFormat.format(value);
}

export const AGGREGATE_LABELS: Readonly<Record<string, string>> = {
  sum: t('Sum'),
  avg: t('Average'),
  min: t('Minimum'),
  max: t('Maximum'),
  last: t('Last value'),
  count: t('Count'),
};

export function measureLabel({ path = [], aggregate = 'count' }: Measure): string {
  if (aggregate === 'count' && path.length === 0) return t('Number of metrics');
  return t('{aggregate} of {field}', {
    aggregate: AGGREGATE_LABELS[aggregate]!,
    field: formatPath(path),
  });
}

export function describeResult({ result, query, range }: QueryResult): string {
  return t('{measure} in the {range}: {result}.', {
    measure: measureLabel(measureOf(query)),
    range: RANGES[range][2],
    result:
      result.series.length > 1 ? describeGroups(result) : formatTotal(result.totals[0] ?? null),
  });
}

/** Texts that look like a number or a boolean get quotes. */
export function formatGroup(group: string | number | boolean | null): string {
  if (group === null) return t('group|other');
  const isAmbiguous = typeof group === 'string' && /^(?:true|false|-?\d[\d.e+-]*)$/.test(group);
  return isAmbiguous ? `"${group}"` : String(group);
}

function describeGroups({ series, totals, groups }: MetricsResult): string {
  const descriptions = series
    .slice(0, 3)
    .map(({ group }, index) => `${formatGroup(group)} ${formatTotal(totals[index] ?? null)}`);
  const remainingCount = groups - descriptions.length;
  const groupsText = descriptions.join(', ');
  return remainingCount > 0
    ? t('{groups} and {count} more', { groups: groupsText, count: remainingCount })
    : groupsText;
}

function formatTotal(total: number | null): string {
  return total === null ? t('no values') : formatNumber(total);
}

/** Whether the groups of a measure add up to a total. */
export function isAdditive({ aggregate = 'count' }: Measure): boolean {
  return aggregate === 'sum' || aggregate === 'count';
}

/** Sum over all groups. Null if there are no numbers. */
export function totalOf({ totals }: Pick<MetricsResult, 'totals'>): number | null {
  const numbers = totals.filter((total) => total !== null);
  return numbers.length === 0 ? null : numbers.reduce((sum, total) => sum + total, 0);
}
