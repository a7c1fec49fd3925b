import type { Answer, owner } from '../../api/api.ts';
import { Table } from '../../parts/table.tsx';
import { Chart, type Line } from './chart.tsx';
import { sentenceAbout } from './findings-words.ts';
import { ask, type MetricsQuery, timeZone } from './question.ts';

export type MetricsAnswer = Answer<typeof owner.metrics.queryMetrics>;

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** What the metrics say: in a sentence, as a plot and as a table of the same numbers. */
export function Findings({ answer, query }: { answer: MetricsAnswer; query: MetricsQuery }) {
  const lines = linesOf(answer);
  const time = timeFormat(answer.bucket);
  const rows = answer.times.map((at, index) => ({ at, index }));
  return (
    <>
      <p class="findings">{sentenceAbout(answer, query)}</p>
      {answer.sampled && (
        <p class="hint">
          One of {answer.sampled.every} metrics was read: counts and sums are multiplied.
        </p>
      )}
      <Chart
        times={answer.times}
        lines={lines}
        time={time}
        number={(value) => number.format(value)}
        onZoom={(since, until) => ask({ since, until })}
      />
      <details>
        <summary>The numbers as a table</summary>
        <Table
          caption="The numbers of the plot"
          rows={rows}
          keyOf={({ at }) => at}
          columns={[
            { title: 'From', cell: ({ at }) => time(Date.parse(at)) },
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

function linesOf({ series, previous, times }: MetricsAnswer): Line[] {
  const name = (group: string | null) => group ?? (series.length > 1 ? 'all else' : 'Now');
  const now = series.map(({ group, values }) => ({ name: name(group), values, isBefore: false }));
  const before = (previous?.series ?? []).map(({ group, values }) => ({
    name: group === null ? 'Before' : `${group}, before`,
    values: times.map((_, index) => values[index] ?? null),
    isBefore: true,
  }));
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
