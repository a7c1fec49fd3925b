import { Table } from '../../parts/table.tsx';
import { Chart, type Line } from './chart.tsx';
import { measureWords, sentenceAbout } from './findings-words.ts';
import {
  ask,
  type MetricsAnswer,
  type MetricsQuery,
  question,
  rangeNameOf,
  timeZone,
} from './question.ts';

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** Findings of a query: in a sentence, as a plot and as a table of the same numbers. */
export function Findings({ answer, query }: { answer: MetricsAnswer; query: MetricsQuery }) {
  const lines = linesOf(answer, query);
  const time = timeFormat(answer.bucket);
  const rows = answer.times.map((at, index) => ({ at, index }));
  return (
    <>
      <p class="findings">{sentenceAbout(answer, query)}</p>
      {answer.sampled && (
        <p class="hint">
          Only one metric in {answer.sampled.every} was read. Counts and sums are estimates.
        </p>
      )}
      <Chart
        times={answer.times}
        lines={lines}
        time={time}
        number={(value) => number.format(value)}
        onZoom={(since, until) => ask({ since, until })}
        isOpen={rangeNameOf(question()) !== undefined}
      />
      <details>
        <summary>Show as table</summary>
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
    name: name(line, 'Current'),
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
      ? { dateStyle: 'medium', timeStyle: 'short' }
      : bucket === 'month'
        ? { year: 'numeric', month: 'long' }
        : { dateStyle: 'medium' }),
  });
  return (at) => format.format(at);
}
