import { Table } from '#dashboard/parts/table.tsx';
import { Chart, type Line } from './chart.tsx';
import { Figures } from './figures.tsx';
import { measureWords } from './findings-words.ts';
import { GroupTable } from './group-table.tsx';
import { ask, type MetricsAnswer, type MetricsQuery, type Found, timeZone } from './question.ts';

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** Findings of a query: a great number, a plot, and tables of the same numbers. */
export function Findings({ answer, query, range }: Found) {
  const lines = linesOf(answer, query);
  const time = timeFormat(answer.bucket);
  const rows = answer.times.map((at, index) => ({ at, index }));
  return (
    <>
      <Figures answer={answer} query={query} range={range} />
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
        time={time}
        number={(value) => number.format(value)}
        onZoom={(since, until) => ask({ since, until })}
        isOpen={range !== undefined}
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
  { series, previous, times }: MetricsAnswer,
  { measures = [] }: MetricsQuery,
): Line[] {
  const isGrouped = series.some(({ group }) => group !== null);
  const name = ({ measure, group }: MetricsAnswer['series'][number], alone: string) => {
    const words = [
      ...(measures.length > 1 ? [measureWords(measures[measure]!)] : []),
      ...(isGrouped ? [group ?? 'other'] : []),
    ].join(': ');
    return isGrouped || measures.length > 1 ? words : alone;
  };
  const now = series.map((line, colour) => ({
    name: name(line, previous ? 'Current' : measureWords(measures[line.measure] ?? {})),
    values: line.values,
    isBefore: false,
    colour,
  }));
  // Series of both periods have the same measures and groups, in the same order.
  const before = (previous?.series ?? []).map((line, colour) => {
    const words = name(line, '');
    return {
      name: words ? `${words}, previous` : 'Previous',
      values: times.map((_, index) => line.values[index] ?? null),
      isBefore: true,
      colour,
    };
  });
  return [...now, ...before];
}

function timeFormat(bucket: MetricsAnswer['bucket']): (at: number) => string {
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
