import { useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { routes } from '#dashboard/api/routes.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Popover } from '#dashboard/components/popover.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { useBatches } from '#dashboard/components/use-batches.ts';
import { t } from '#dashboard/translate.ts';

const FIRST_BATCH_SIZE = 8;
const BATCH_SIZE = 100;
const FORMATS = ['csv', 'json', 'ndjson'] as const;
const timeFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'medium', timeStyle: 'medium' });

export function LatestMetrics({
  projectId,
  range: { since, until },
  refreshCount,
}: {
  projectId: string;
  range: { since: string; until: string };
  refreshCount: number;
}) {
  const input = { project_id: projectId, limit: FIRST_BATCH_SIZE };
  // Do not refresh while the user is looking at older metrics.
  const isBrowsing = useRef(false);
  const shownRefreshCount = useRef(refreshCount);
  if (!isBrowsing.current) shownRefreshCount.current = refreshCount;
  const { loaded, batches, loadMore } = useBatches(
    ({ after }) =>
      owner.metrics.listMetrics(
        after === undefined ? input : { project_id: projectId, limit: BATCH_SIZE, after },
      ),
    [shownRefreshCount.current],
  );
  isBrowsing.current = batches.length > 1;
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Latest metrics')}</h2>
        <Popover
          buttonClass="quiet"
          button={
            <>
              <Icon path={ICON_PATHS.download} />
              {t('Download')}
            </>
          }
          label={t('Download metrics')}
          class="metric-menu sheet"
        >
          {() => (
            <>
              <DownloadLinks
                label={t('This range')}
                query={{ project_id: projectId, since, until }}
              />
              <DownloadLinks label={t('All metrics')} query={{ project_id: projectId }} />
            </>
          )}
        </Popover>
      </div>
      <AsyncContent state={loaded}>
        {() => (
          <>
            <Table
              caption={t('Latest metrics')}
              rows={batches.flatMap(({ metrics }) => metrics)}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: t('Received'),
                  cell: ({ received_at: at }) => (
                    <time dateTime={at}>{timeFormat.format(new Date(at))}</time>
                  ),
                },
                {
                  title: t('Payload'),
                  cell: ({ payload }) => <TruncatedCode text={JSON.stringify(payload)} />,
                },
              ]}
            />
            {loadMore && (
              <div class="actions">
                <button type="button" onClick={loadMore}>
                  {t('Show older')}
                </button>
              </div>
            )}
          </>
        )}
      </AsyncContent>
      <ApiCall
        endpoint="metrics.listMetrics"
        input={input}
        otherCalls={[
          ['metrics.exportMetrics', { project_id: projectId, since, until, format: 'csv' }],
        ]}
      />
    </section>
  );
}

function DownloadLinks({ label, query }: { label: string; query: Record<string, string> }) {
  const [, path] = routes['metrics.exportMetrics'];
  return FORMATS.map((format) => (
    <a
      key={format}
      class="button menu-item"
      href={`${path}?${new URLSearchParams({ ...query, format })}`}
      download
    >
      {t('{label} as {format}', { label, format: format.toUpperCase() })}
    </a>
  ));
}

const MAX_SHOWN_LENGTH = 240;

function TruncatedCode({ text }: { text: string }) {
  const isOpen = useSignal(false);
  if (text.length <= MAX_SHOWN_LENGTH) return <code>{text}</code>;
  return (
    <>
      <code>{isOpen.value ? text : `${text.slice(0, MAX_SHOWN_LENGTH)}…`}</code>{' '}
      <button
        type="button"
        class="link"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {isOpen.value ? t('Show less') : t('Show all')}
      </button>
    </>
  );
}
