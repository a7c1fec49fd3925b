import { Table } from '#dashboard/parts/table.tsx';
import { Chart, type Line } from './chart.tsx';
import { Totals } from './totals.tsx';
import { measureLabel } from './result-text.ts';
import { GroupTable } from './group-table.tsx';
import {
  updateQuery,
  type MetricsResult,
  type MetricsQuery,
  type QueryResult,
  timeZone,
} from './metrics-query.ts';

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** Findings of a query: a great number, a plot, and tables of the same numbers. */
export function QueryResults({ result: answer, query, range }: QueryResult) {
  const lines = linesOf(answer, query);
  const time = timeFormatter(answer.bucket);
  const rows = answer.times.map((at, index) => ({ at, index }));
  return (
    <>
      <Totals result={answer} query={query} range={range} />
      {answer.sampled && (
        <p class="hint">
          Only one metric in {answer.sampled.every} was read. Counts and sums are estimates.
        </p>
      )}
      <Chart
        // Other lines are another plot: none of them is hidden any more.
        key={lines.map(({ name }) => name).join('\n')}
        times={answer.times}
        end={query.until}
        lines={lines}
        formatTime={time}
        formatNumber={(value) => number.format(value)}
        onZoom={(since, until) => updateQuery({ since, until })}
        isLastPartial={range !== undefined}
      />
      {answer.series.length > 1 && <GroupTable answer={answer} query={query} lines={lines} />}
      <details>
        <summary>Show numbers over time</summary>
        <Table
          caption="The numbers of the plot"
          isCompared
          rows={rows}
          keyOf={({ at }) => at}
          columns={[
            { title: 'From', cell: ({ at }) => <time dateTime={at}>{time(Date.parse(at))}</time> },
            ...lines.map((line) => ({
              title: line.name,
              isNumber: true,
              cell: ({ index }: { index: number }) => {
                const value = line.values[index];
                return value === null || value === undefined ? '–' : number.format(value);
              },
            })),
          ]}
        />
      </details>
    </>
  );
}

function linesOf(
  { series, previous, times }: MetricsResult,
  { measures = [] }: MetricsQuery,
): Line[] {
  const isGrouped = series.some(({ group }) => group !== null);
  const name = ({ measure, group }: MetricsResult['series'][number], alone: string) => {
    const words = [
      ...(measures.length > 1 ? [measureLabel(measures[measure]!)] : []),
      ...(isGrouped ? [group ?? 'other'] : []),
    ].join(': ');
    return isGrouped || measures.length > 1 ? words : alone;
  };
  const now = series.map((line, colourIndex) => ({
    name: name(line, previous ? 'Current' : measureLabel(measures[line.measure] ?? {})),
    values: line.values,
    isPrevious: false,
    colourIndex,
  }));
  // Series of both periods have the same measures and groups, in the same order.
  const before = (previous?.series ?? []).map((line, colourIndex) => {
    const words = name(line, '');
    return {
      name: words ? `${words}, previous` : 'Previous',
      values: times.map((_, index) => line.values[index] ?? null),
      isPrevious: true,
      colourIndex,
    };
  });
  return [...now, ...before];
}

function timeFormatter(bucket: MetricsResult['bucket']): (at: number) => string {
  const format = new Intl.DateTimeFormat(undefined, {
    timeZone,
    ...(bucket === 'minute' || bucket === 'hour'
      ? { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
      : bucket === 'month'
        ? { year: 'numeric', month: 'long' }
        : { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  });
  return (at) => format.format(at);
}
