import { dateTimeFormat, numberFormat } from '#contract/shared/intl-formats.ts';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import { type Column, Table } from '#dashboard/components/table.tsx';
import { timeZone } from '#dashboard/time-zones.ts';
import { t } from '#dashboard/translate.ts';
import { colorClass, colorStyle, type Line, LineSwatch } from './chart-legend.tsx';
import { type MetricsResult, type MetricsQuery, formatPath, measureOf } from './metrics-query.ts';
import { isAdditive, measureLabel, totalOf } from './result-text.ts';

const MAX_DECIMALS = 2;
const percentFormat = new Intl.NumberFormat(t.locale, {
  style: 'percent',
  maximumFractionDigits: 0,
});

export function GroupTable({
  result,
  query,
  lines,
}: {
  result: MetricsResult;
  query: MetricsQuery;
  lines: readonly Line[];
}) {
  const { group_by: groupBy = [] } = query;
  const measure = measureOf(query);
  const formatTotal = commonNumberFormat(result.totals);
  const formatPeakValue = commonNumberFormat(result.series.map(({ values }) => peakOf(values)));
  return (
    <Table
      caption={t('Lines of the chart')}
      rows={sortedRows(result, lines)}
      rowKey={({ index }) => index}
      columns={[
        {
          title: formatPath(groupBy),
          cell: ({ line }) => (
            <span class="row line-name">
              <LineSwatch line={line} />
              <span>{line.name}</span>
            </span>
          ),
        },
        {
          title: t('Trend'),
          cell: ({ line }) => (
            <div class={`trend ${colorClass(line)}`} style={colorStyle(line)}>
              <Sparkline values={line.values} />
            </div>
          ),
        },
        {
          title: measureLabel(measure),
          isNumber: true,
          cell: ({ index }) => formatNumber(result.totals[index], formatTotal),
        },
        ...(isAdditive(measure) ? shareColumn(result) : []),
        {
          title: t('Highest'),
          isNumber: true,
          cell: ({ line: { values } }) => formatPeak(values, formatPeakValue, result),
        },
      ]}
    />
  );
}

interface Row {
  line: Line;
  /** In the result. */
  index: number;
}

/** The largest total first. */
function sortedRows({ totals }: MetricsResult, lines: readonly Line[]): Row[] {
  return lines
    .map((line, index) => ({ line, index }))
    .toSorted((a, b) => (totals[b.index] ?? -Infinity) - (totals[a.index] ?? -Infinity));
}

function shareColumn(result: MetricsResult): Column<Row>[] {
  const sum = totalOf(result);
  if (!sum) return [];
  return [
    {
      title: t('percentage|Share'),
      isNumber: true,
      cell: ({ index }) => percentFormat.format((result.totals[index] ?? 0) / sum),
    },
  ];
}

function peakOf(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length > 0 ? Math.max(...numbers) : null;
}

/** The highest value with the start of its interval, such as “12 on 3 May” or “12 in May 2026”. */
function formatPeak(
  values: readonly (number | null)[],
  formatValue: (value: number) => string,
  { times, bucket }: MetricsResult,
): string {
  const peak = peakOf(values);
  if (peak === null) return '–';
  const value = formatValue(peak);
  const format = dateTimeFormat(t.locale, {
    timeZone,
    ...(bucket === 'month'
      ? { month: 'short', year: 'numeric' }
      : bucket === 'minute' || bucket === 'hour'
        ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
        : { day: 'numeric', month: 'short' }),
  });
  const time = format.format(Date.parse(times[values.indexOf(peak)]!));
  return bucket === 'month'
    ? t('{value} in {time}', { value, time })
    : t('{value} on {time}', { value, time });
}

function formatNumber(value: number | null | undefined, format: (value: number) => string): string {
  return value == null ? '–' : format(value);
}

/** Gives all values as many decimals as the most precise one needs. */
export function commonNumberFormat(values: readonly (number | null)[]): (value: number) => string {
  const decimals = values.map((value) => {
    const [, fraction = ''] = String(Number((value ?? 0).toFixed(MAX_DECIMALS))).split('.');
    return fraction.length;
  });
  const format = numberFormat(t.locale, {
    minimumFractionDigits: Math.max(0, ...decimals),
    maximumFractionDigits: MAX_DECIMALS,
  });
  return (value) => format.format(value);
}
