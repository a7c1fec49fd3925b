import { Table } from '#dashboard/parts/table.tsx';
import { type Line, LineSwatch } from './chart-legend.tsx';
import { drawPaths } from './chart-path.ts';
import { isAdditive, measureLabel, totalOf } from './result-text.ts';
import { ChangeBadge } from './totals.tsx';
import { type MetricsResult, type MetricsQuery, formatPath, timeZone } from './metrics-query.ts';

const MAX_DECIMALS = 2;
const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: MAX_DECIMALS });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** The lines of a plot one below the other: how each went, and what it comes to. */
export function GroupTable({
  answer,
  query: { measures = [{}], groupBy },
  lines,
}: {
  answer: MetricsResult;
  query: MetricsQuery;
  lines: readonly Line[];
}) {
  const rows = lines
    .filter(({ isPrevious }) => !isPrevious)
    .map((line, index) => ({ line, index, measure: answer.series[index]!.measure }))
    .toSorted(
      (one, other) =>
        one.measure - other.measure ||
        (answer.totals[other.index] ?? -Infinity) - (answer.totals[one.index] ?? -Infinity),
    );
  const formats = measures.map((_, measure) =>
    alignedFormat(
      answer.totals.filter((_total, index) => answer.series[index]?.measure === measure),
    ),
  );
  const isShared = measures.length === 1 && isAdditive(measures[0]!);
  const whole = isShared ? totalOf(answer, 0) : null;
  return (
    <Table
      caption="Lines of the plot"
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
          cell: ({ index, measure }) => formatNumber(answer.totals[index], formats[measure]),
        },
        ...(whole
          ? [
              {
                title: 'Share',
                isNumber: true,
                cell: ({ index }: { index: number }) =>
                  percent.format((answer.totals[index] ?? 0) / whole),
              },
            ]
          : []),
        {
          title: 'Highest',
          isNumber: true,
          cell: ({ line: { values } }) => {
            const at = values.reduce<number | undefined>(
              (best, value, index) =>
                value !== null && (best === undefined || value > values[best]!) ? index : best,
              undefined,
            );
            return at === undefined
              ? '–'
              : `${formatNumber(values[at])} ${timeFormatter(answer)(Date.parse(answer.times[at]!))}`;
          },
        },
        ...(answer.previous
          ? [
              {
                title: 'Change',
                isNumber: true,
                cell: ({ index }: { index: number }) => (
                  <ChangeBadge
                    now={answer.totals[index] ?? 0}
                    before={answer.previous!.totals[index]}
                  />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

/** Words for when an interval of a plot began, as short as they are understood. */
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

function formatNumber(value: number | null | undefined, format = number): string {
  return value == null ? '–' : format.format(value);
}

/** A number format with as many decimals as the most precise value needs. */
function alignedFormat(values: readonly (number | null)[]): Intl.NumberFormat {
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
      class={`trend series-${(line.colourIndex % 10) + 1}`}
      viewBox="0 0 120 26"
      aria-hidden="true"
    >
      <path d={drawPaths(points, 26, false).line} />
    </svg>
  );
}
