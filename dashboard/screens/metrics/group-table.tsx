import { dateTimeFormat } from '#contract/shared/intl-formats.ts';
import { type MetricMeasure, metricFormat } from '#contract/shared/metric-unit.ts';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import { type Column, Table } from '#dashboard/components/table.tsx';
import { t } from '#dashboard/translate.ts';
import { colorClass, colorStyle, type Line, LineSwatch } from './chart-legend.tsx';
import { isAdditive, measureLabel, totalOf } from './result-text.ts';
import { ChangeBadge } from './totals.tsx';
import { type MetricsResult, type MetricsQuery, formatPath } from './metrics-query.ts';
import { timeZone } from '#dashboard/time-zones.ts';

const MAX_DECIMALS = 2;
const percentFormat = new Intl.NumberFormat(t.locale, {
  style: 'percent',
  maximumFractionDigits: 0,
});

export function GroupTable({
  result,
  query: { measures = [{}], group_by: groupBy },
  lines,
}: {
  result: MetricsResult;
  query: MetricsQuery;
  lines: readonly Line[];
}) {
  const formatsOf = (values: readonly (number | null)[]) =>
    measures.map((measure, measureIndex) =>
      commonNumberFormat(
        values.filter((_, index) => result.series[index]?.measure === measureIndex),
        measure,
      ),
    );
  const totalFormats = formatsOf(result.totals);
  const peakFormats = formatsOf(result.series.map(({ values }) => peakOf(values)));
  return (
    <Table
      caption={t('Lines of the chart')}
      rows={sortedRows(result, lines)}
      rowKey={({ index }) => index}
      columns={[
        {
          title: groupBy ? formatPath(groupBy) : t('Measure'),
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
          title: measures.length === 1 ? measureLabel(measures[0]!) : t('Value'),
          isNumber: true,
          cell: ({ index, measure }) => formatNumber(result.totals[index], totalFormats[measure]!),
        },
        ...(measures.length === 1 && isAdditive(measures[0]!) ? shareColumn(result) : []),
        {
          title: t('Highest'),
          isNumber: true,
          cell: ({ line: { values }, measure }) =>
            formatPeak(values, peakFormats[measure]!, result),
        },
        ...changeColumn(result),
      ]}
    />
  );
}

interface Row {
  line: Line;
  /** In the result. */
  index: number;
  measure: number;
}

/** By measure, the largest total first. */
function sortedRows(result: MetricsResult, lines: readonly Line[]): Row[] {
  return lines
    .filter(({ isPrevious }) => !isPrevious)
    .map((line, index) => ({ line, index, measure: result.series[index]!.measure }))
    .toSorted(
      (a, b) =>
        a.measure - b.measure ||
        (result.totals[b.index] ?? -Infinity) - (result.totals[a.index] ?? -Infinity),
    );
}

function shareColumn(result: MetricsResult): Column<Row>[] {
  const sum = totalOf(result, 0);
  if (!sum) return [];
  return [
    {
      title: t('percentage|Share'),
      isNumber: true,
      cell: ({ index }) => percentFormat.format((result.totals[index] ?? 0) / sum),
    },
  ];
}

function changeColumn({ totals, previous }: MetricsResult): Column<Row>[] {
  if (!previous) return [];
  return [
    {
      title: t('difference|Change'),
      isNumber: true,
      cell: ({ index }) => (
        <ChangeBadge current={totals[index] ?? 0} previous={previous.totals[index]} />
      ),
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
        ? { weekday: 'short', hour: '2-digit', minute: '2-digit' }
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
export function commonNumberFormat(
  values: readonly (number | null)[],
  measure: MetricMeasure,
): (value: number) => string {
  const decimals = values.map((value) => {
    const [, fraction = ''] = String(Number((value ?? 0).toFixed(MAX_DECIMALS))).split('.');
    return fraction.length;
  });
  const minimumFractionDigits = Math.max(0, ...decimals);
  return metricFormat(measure, t.locale, {
    minimumFractionDigits,
    maximumFractionDigits: MAX_DECIMALS,
    trailingZeroDisplay: minimumFractionDigits === 0 ? 'stripIfInteger' : 'auto',
  });
}
