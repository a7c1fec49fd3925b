import { Table } from '#dashboard/components/table.tsx';
import { isTimeZoneUnknown, timeZone } from '#dashboard/time-zones.ts';
import { t } from '#dashboard/translate.ts';
import { Chart, type Line } from './chart.tsx';
import { GroupTable } from './group-table.tsx';
import {
  measureOf,
  type MetricsResult,
  type MetricsQuery,
  type QueryResult,
} from './metrics-query.ts';
import { formatGroup, measureLabel, formatNumber } from './result-text.ts';
import { Total } from './totals.tsx';

export function QueryResults(props: QueryResult) {
  const { result, query } = props;
  const lines = chartLines(result, query);
  const formatTime = timeFormatter(result.bucket);
  const rows = result.times.map((at, index) => ({ at, index }));
  return (
    <>
      <Total {...props} />
      {isTimeZoneUnknown && (
        <p class="hint">{t('This browser does not know its time zone, so times are in UTC.')}</p>
      )}
      <Chart
        // Remount when the lines change, so that none of the new lines is hidden.
        key={lines.map(({ name }) => name).join('\n')}
        times={result.times}
        end={query.until}
        lines={lines}
        formatTime={formatTime}
        isLastPartial
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

export function chartLines({ series }: MetricsResult, query: MetricsQuery): Line[] {
  const isGrouped = series.some(({ group }) => group !== null);
  return series.map(({ group, values }, colorIndex) => ({
    name: isGrouped ? formatGroup(group) : measureLabel(measureOf(query)),
    values,
    format: formatNumber,
    isPrevious: false,
    colorIndex,
  }));
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
