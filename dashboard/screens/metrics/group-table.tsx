import { Table } from '#dashboard/components/table.tsx';
import { type Line, LineSwatch } from './chart-legend.tsx';
import { drawPaths } from './chart-path.ts';
import { isAdditive, measureLabel, totalOf } from './result-text.ts';
import { ChangeBadge } from './totals.tsx';
import { type MetricsResult, type MetricsQuery, formatPath, timeZone } from './metrics-query.ts';

const MAX_DECIMALS = 2;
const numberFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: MAX_DECIMALS });
const percentFormat = new Intl.NumberFormat(undefined, {
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
  const formats = measures.map((_, measure) =>
    commonNumberFormat(
      result.totals.filter((_total, index) => result.series[index]?.measure === measure),
    ),
  );
  const hasShares = measures.length === 1 && isAdditive(measures[0]!);
  const sum = hasShares ? totalOf(result, 0) : null;
  return (
    <Table
      caption="Lines of the chart"
      rows={rows}
      keyOf={({ index }) => index}
      columns={[
        {
          title: groupBy ? formatPath(groupBy) : 'Measure',
          cell: ({ line }) => (
            <span class="row line-name">
              <LineSwatch line={line} />
              <span>{line.name}</span>
            </span>
          ),
        },
        { title: 'Trend', cell: ({ line }) => <Trend line={line} /> },
        {
          title: measures.length === 1 ? measureLabel(measures[0]!) : 'Value',
          isNumber: true,
          cell: ({ index, measure }) => formatNumber(result.totals[index], formats[measure]),
        },
        ...(sum
          ? [
              {
                title: 'Share',
                isNumber: true,
                cell: ({ index }: { index: number }) =>
                  percentFormat.format((result.totals[index] ?? 0) / sum),
              },
            ]
          : []),
        {
          title: 'Highest',
          isNumber: true,
          cell: ({ line: { values } }) => {
            const peakIndex = values.reduce<number | undefined>(
              (highest, value, index) =>
                value !== null && (highest === undefined || value > values[highest]!)
                  ? index
                  : highest,
              undefined,
            );
            return peakIndex === undefined
              ? '–'
              : `${formatNumber(values[peakIndex])} ${timeFormatter(result)(Date.parse(result.times[peakIndex]!))}`;
          },
        },
        ...(result.previous
          ? [
              {
                title: 'Change',
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

/** Formats the start of an interval, such as “on 3 May” or “in May 2026”. */
function timeFormatter({ bucket }: MetricsResult): (at: number) => string {
  const format = new Intl.DateTimeFormat(undefined, {
    timeZone,
    ...(bucket === 'month'
      ? { month: 'short', year: 'numeric' }
      : bucket === 'minute' || bucket === 'hour'
        ? { weekday: 'short', hour: '2-digit', minute: '2-digit' }
        : { day: 'numeric', month: 'short' }),
  });
  const preposition = bucket === 'month' ? 'in' : 'on';
  return (at) => `${preposition} ${format.format(at)}`;
}

function formatNumber(value: number | null | undefined, format = numberFormat): string {
  return value == null ? '–' : format.format(value);
}

/** Gives all values as many decimals as the most precise one needs. */
function commonNumberFormat(values: readonly (number | null)[]): Intl.NumberFormat {
  const decimals = values.map((value) => {
    const [, fraction = ''] = String(Number((value ?? 0).toFixed(MAX_DECIMALS))).split('.');
    return fraction.length;
  });
  return new Intl.NumberFormat(undefined, {
    minimumFractionDigits: Math.max(0, ...decimals),
    maximumFractionDigits: MAX_DECIMALS,
  });
}

function Trend({ line }: { line: Line }) {
  const numbers = line.values.filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const points = line.values.map((value, index) =>
    value === null
      ? undefined
      : ([
          (index / Math.max(1, line.values.length - 1)) * 120,
          25 - ((value - low) / (high - low || 1)) * 24,
        ] as const),
  );
  return (
    <svg
      class={`trend series-${(line.colorIndex % 10) + 1}`}
      viewBox="0 0 120 26"
      aria-hidden="true"
    >
      <path d={drawPaths(points, 26, false).line} />
    </svg>
  );
}
