import { useRef } from 'preact/hooks';
import { shortenText } from '#contract/shared/user-text.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { Code } from '#dashboard/components/code.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { downloadFile } from '#dashboard/components/download-file.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Popover } from '#dashboard/components/popover.tsx';
import { type Column, Table } from '#dashboard/components/table.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { t } from '#dashboard/translate.ts';
import { commonNumberFormat } from './group-table.tsx';
import { formatPath } from './metrics-query.ts';

type MetricField = ResponseOf<typeof owner.metrics.getMetricFields>['fields'][number];
type Metric = ResponseOf<typeof owner.metrics.listMetrics>['metrics'][number];

const FIRST_BATCH_SIZE = 8;
const BATCH_SIZE = 100;
const FORMATS = ['csv', 'json', 'ndjson'] as const;
const MAX_FIELD_COLUMNS = 4;
const MAX_TEXT_LENGTH = 60;
const timeFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'full', timeStyle: 'medium' });

export function LatestMetrics({
  projectId,
  fields,
  range: { since, until },
  refreshCount,
}: {
  projectId: string;
  fields: readonly MetricField[];
  range: { since: string; until: string };
  refreshCount: number;
}) {
  const input = { project_id: projectId, limit: FIRST_BATCH_SIZE };
  // Do not refresh while the user is looking at older metrics.
  const isBrowsing = useRef(false);
  const shownRefreshCount = useRef(refreshCount);
  if (!isBrowsing.current) shownRefreshCount.current = refreshCount;
  const list = useBatches(
    ({ after }) =>
      owner.metrics.listMetrics(
        after === undefined ? input : { project_id: projectId, limit: BATCH_SIZE, after },
      ),
    ({ metrics }) => metrics,
    [shownRefreshCount.current],
  );
  isBrowsing.current = list.batches.length > 1;
  return (
    <section class="card latest-metrics">
      <div class="card-head">
        <h2>{t('Latest metrics')}</h2>
        <DownloadMenu projectId={projectId} range={{ since, until }} />
      </div>
      <BatchList list={list}>
        {(metrics) => <MetricTable metrics={metrics} fields={fields} />}
      </BatchList>
    </section>
  );
}

function MetricTable({
  metrics,
  fields,
}: {
  metrics: readonly Metric[];
  fields: readonly MetricField[];
}) {
  const numbers = fieldColumns(fields, metrics);
  return (
    <Table
      caption={t('Latest metrics')}
      // Two numbers fit beside the time on a phone.
      hasFixedColumns={numbers.length <= 2}
      rows={metrics}
      rowKey={({ id }) => id}
      columns={[
        { title: t('Received'), cell: ({ received_at: at }) => <TimeAgo time={at} /> },
        ...numbers,
      ]}
      actions={(metric) => (
        <button type="button" class="icon-button" title="JSON" onClick={() => showMetric(metric)}>
          <Icon path={ICON_PATHS.api} />
          <span class="visually-hidden">JSON</span>
        </button>
      )}
    />
  );
}

function DownloadMenu({
  projectId,
  range,
}: {
  projectId: string;
  range: { since: string; until: string };
}) {
  return (
    <Popover
      buttonClass="quiet"
      button={
        <>
          <Icon path={ICON_PATHS.download} />
          {t('Download')}
        </>
      }
      label={t('Download metrics')}
    >
      {() => (
        <>
          <DownloadButtons label={t('This range')} query={{ project_id: projectId, ...range }} />
          <DownloadButtons label={t('All metrics')} query={{ project_id: projectId }} />
        </>
      )}
    </Popover>
  );
}

function DownloadButtons({ label, query }: { label: string; query: Record<string, string> }) {
  return FORMATS.map((format) => (
    <button
      key={format}
      type="button"
      class="menu-item"
      onClick={() => void downloadFile('metrics.exportMetrics', { ...query, format })}
    >
      {t('{label} as {format}', { label, format: format.toUpperCase() })}
    </button>
  ));
}

function showMetric({ received_at, payload }: Metric): void {
  void showDialog(t('Metric'), () => (
    <>
      <p class="muted">
        <time dateTime={received_at}>{timeFormat.format(new Date(received_at))}</time>
      </p>
      <Code text={JSON.stringify(payload, null, 2)} label="JSON" />
    </>
  ));
}

/** Columns for the most frequent fields with simple values. */
function fieldColumns(
  fields: readonly MetricField[],
  metrics: readonly Metric[],
): Column<Metric>[] {
  return fields
    .filter(({ types }) => types.some((type) => type !== 'object' && type !== 'array'))
    .slice(0, MAX_FIELD_COLUMNS)
    .map(({ path, types }) => {
      const values = metrics.map(({ payload }) => valueAt(payload, path));
      const numbers = values.filter((value) => typeof value === 'number');
      const format = commonNumberFormat(numbers);
      return {
        title: formatPath(path),
        isNumber: types.every((type) => type === 'number'),
        cell: ({ payload }) => <FieldValue value={valueAt(payload, path)} format={format} />,
      };
    });
}

function FieldValue({ value, format }: { value: unknown; format: (value: number) => string }) {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'number') return format(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shownText = shortenText(text, MAX_TEXT_LENGTH);
  return <span title={shownText === text ? undefined : text}>{shownText}</span>;
}

function valueAt(payload: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    payload,
  );
}
