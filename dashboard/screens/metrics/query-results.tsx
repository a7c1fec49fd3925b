import { metricFormat, metricUnit } from '#contract/shared/metric-unit.ts';
import { Table } from '#dashboard/components/table.tsx';
import { t } from '#dashboard/translate.ts';
import { Chart, type Line, TICK_OPTIONS } from './chart.tsx';
import { Totals } from './totals.tsx';
import { formatGroup, measureLabel } from './result-text.ts';
import { GroupTable } from './group-table.tsx';
import {
  updateQuery,
  type MetricsResult,
  type MetricsQuery,
  type QueryResult,
} from './metrics-query.ts';
import { isTimeZoneUnknown, timeZone } from '#dashboard/time-zones.ts';

export function QueryResults({ result, query, range }: QueryResult) {
  const lines = chartLines(result, query);
  const formatTime = timeFormatter(result.bucket);
  const { measures = [{}] } = query;
  const [unit, ...otherUnits] = new Set(measures.map(metricUnit));
  const formatTick = metricFormat(
    unit && otherUnits.length === 0 ? measures[0]! : {},
    t.locale,
    TICK_OPTIONS,
  );
  const rows = result.times.map((at, index) => ({ at, index }));
  return (
    <>
      <Totals result={result} query={query} range={range} />
      {isTimeZoneUnknown && (
        <p class="hint">{t('This browser does not know its time zone, so times are in UTC.')}</p>
      )}
      {result.sampled && (
        <p class="hint">
          {t(
            'Only one in {every} metrics was read. Counts and sums are estimates.',
            result.sampled,
          )}
        </p>
      )}
      <Chart
        // Remount when the lines change, so that none of the new lines is hidden.
        key={lines.map(({ name }) => name).join('\n')}
        times={result.times}
        end={query.until}
        lines={lines}
        formatTime={formatTime}
        formatTick={formatTick}
        onZoom={(since, until) => updateQuery({ since, until })}
        isLastPartial={range !== undefined}
      />
      {result.series.length > 1 && <GroupTable result={result} query={query} lines={lines} />}
      <details>
        <summary>{t('Show values as a table')}</summary>
        <Table
          caption={t('Chart data')}
          hasFixedColumns
          rows={rows}
          rowKey={({ at }) => at}
          columns={[
            {
              title: t('time|From'),
              cell: ({ at }) => <time dateTime={at}>{formatTime(Date.parse(at))}</time>,
            },
            ...lines.map((line) => ({
              title: line.name,
              isNumber: true,
              cell: ({ index }: { index: number }) => {
                const value = line.values[index];
                return value === null || value === undefined ? '–' : line.format(value);
              },
            })),
          ]}
        />
      </details>
    </>
  );
}

export function chartLines(
  { series, previous, times }: MetricsResult,
  { measures = [] }: MetricsQuery,
): Line[] {
  const isGrouped = series.some(({ group }) => group !== null);
  const lineName = (
    { measure, group }: MetricsResult['series'][number],
    onlyMetricName: string,
  ) => {
    const label = [
      ...(measures.length > 1 ? [measureLabel(measures[measure]!)] : []),
      ...(isGrouped ? [formatGroup(group)] : []),
    ].join(': ');
    return isGrouped || measures.length > 1 ? label : onlyMetricName;
  };
  const lines = series.map((line, colorIndex) => ({
    name: lineName(
      line,
      previous ? t('period|Current') : measureLabel(measures[line.measure] ?? {}),
    ),
    values: line.values,
    format: metricFormat(measures[line.measure] ?? {}, t.locale),
    isPrevious: false,
    colorIndex,
  }));
  // With several lines, twice as many would be hard to tell apart. The table below compares them.
  if (!previous || lines.length !== 1) return lines;
  const { values } = previous.series[0]!;
  return [
    ...lines,
    {
      ...lines[0]!,
      name: t('period|Previous'),
      values: times.map((_, index) => values[index] ?? null),
      isPrevious: true,
      colorIndex: 1,
    },
  ];
}

export function timeFormatter(bucket: MetricsResult['bucket']): (at: number) => string {
  const format = new Intl.DateTimeFormat(t.locale, {
    timeZone,
    ...(bucket === 'minute' || bucket === 'hour'
      ? { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
      : bucket === 'month'
        ? { year: 'numeric', month: 'long' }
        : { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  });
  return (at) => format.format(at);
}
