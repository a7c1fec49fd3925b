import { type MetricMeasure, metricFormat } from '#contract/metric-unit.ts';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { t } from '#dashboard/translate.ts';
import { type Line, LineSwatch } from './chart-legend.tsx';
import { isAdditive, measureLabel, totalOf } from './result-text.ts';
import { ChangeBadge } from './totals.tsx';
import { type MetricsResult, type MetricsQuery, formatPath, timeZone } from './metrics-query.ts';

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
  const rows = lines
    .filter(({ isPrevious }) => !isPrevious)
    .map((line, index) => ({ line, index, measure: result.series[index]!.measure }))
    .toSorted(
      (a, b) =>
        a.measure - b.measure ||
        (result.totals[b.index] ?? -Infinity) - (result.totals[a.index] ?? -Infinity),
    );
  const formatsOf = (values: readonly (number | null)[]) =>
    measures.map((measure, measureIndex) =>
      commonNumberFormat(
        values.filter((_, index) => result.series[index]?.measure === measureIndex),
        measure,
      ),
    );
  const totalFormats = formatsOf(result.totals);
  const peaks = result.series.map(({ values }) => peakOf(values));
  const peakFormats = formatsOf(peaks);
  const hasShares = measures.length === 1 && isAdditive(measures[0]!);
  const sum = hasShares ? totalOf(result, 0) : null;
  return (
    <Table
      caption={t('Lines of the chart')}
      rows={rows}
      keyOf={({ index }) => index}
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
          cell: ({ line: { values, colorIndex } }) => (
            <div class={`trend series-${(colorIndex % 10) + 1}`}>
              <Sparkline values={values} />
            </div>
          ),
        },
        {
          title: measures.length === 1 ? measureLabel(measures[0]!) : t('Value'),
          isNumber: true,
          cell: ({ index, measure }) => formatNumber(result.totals[index], totalFormats[measure]!),
        },
        ...(sum
          ? [
              {
                title: t('percentage|Share'),
                isNumber: true,
                cell: ({ index }: { index: number }) =>
                  percentFormat.format((result.totals[index] ?? 0) / sum),
              },
            ]
          : []),
        {
          title: t('Highest'),
          isNumber: true,
          cell: ({ line: { values }, index, measure }) => {
            const peak = peaks[index] ?? null;
            return peak === null
              ? '–'
              : formatPeak(
                  peakFormats[measure]!(peak),
                  Date.parse(result.times[values.indexOf(peak)]!),
                  result.bucket,
                );
          },
        },
        ...(result.previous
          ? [
              {
                title: t('difference|Change'),
                isNumber: true,
                cell: ({ index }: { index: number }) => (
                  <ChangeBadge
                    current={result.totals[index] ?? 0}
                    previous={result.previous!.totals[index]}
                  />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function peakOf(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length > 0 ? Math.max(...numbers) : null;
}

/** Formats a value with the start of its interval, such as “12 on 3 May” or “12 in May 2026”. */
function formatPeak(value: string, at: number, bucket: MetricsResult['bucket']): string {
  const format = new Intl.DateTimeFormat(t.locale, {
    timeZone,
    ...(bucket === 'month'
      ? { month: 'short', year: 'numeric' }
      : bucket === 'minute' || bucket === 'hour'
        ? { weekday: 'short', hour: '2-digit', minute: '2-digit' }
        : { day: 'numeric', month: 'short' }),
  });
  const time = format.format(at);
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
