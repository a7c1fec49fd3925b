import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Answer, owner } from '../../api/api.ts';
import { routes } from '../../api/routes.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Folded } from '../../parts/folded.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LINES } from '../../parts/icon-lines.ts';
import { showing } from '../../parts/messages.tsx';
import { Popover } from '../../parts/popover.tsx';
import { Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';

type Page = Answer<typeof owner.metrics.listMetrics>;

const SHOWN = 8;
const FORMATS = ['csv', 'json', 'ndjson'] as const;
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** The metrics as they were sent, newest first, as far back as one wants to look, and as files. */
export function Latest({
  projectId,
  range: { since, until },
  turn,
}: {
  projectId: string;
  range: { since: string; until: string };
  turn: number;
}) {
  const input = { projectId, limit: SHOWN };
  const latest = useLoaded(() => owner.metrics.listMetrics(input), [turn]);
  return (
    <section class="card">
      <div class="card-head">
        <h2>Latest metrics</h2>
        <Popover
          buttonClass="quiet"
          button={
            <>
              <Icon lines={LINES.download} />
              Download
            </>
          }
          label="Download metrics"
          class="metric-menu sheet"
        >
          {() => (
            <>
              <Files of="This range" query={{ projectId, since, until }} />
              <Files of="All metrics" query={{ projectId }} />
            </>
          )}
        </Popover>
      </div>
      <Show loaded={latest}>{(page) => <MetricTable projectId={projectId} latest={page} />}</Show>
      <ApiCall
        endpoint="metrics.listMetrics"
        input={input}
        also={[['metrics.exportMetrics', { projectId, since, until, format: 'csv' }]]}
      />
    </section>
  );
}

function MetricTable({ projectId, latest }: { projectId: string; latest: Page }) {
  const older = useSignal<readonly Page[]>([]);
  useEffect(() => {
    older.value = [];
  }, [latest, older]);
  const pages = [latest, ...older.value];
  const after = pages.at(-1)!.next;
  const more = async () => {
    const page = await showing(owner.metrics.listMetrics({ projectId, limit: 100, after: after! }));
    if (page) older.value = [...older.value, page];
  };
  return (
    <>
      <Table
        caption="Latest metrics"
        rows={pages.flatMap(({ metrics }) => metrics)}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Received',
            cell: ({ received_at: at }) => <time dateTime={at}>{time.format(new Date(at))}</time>,
          },
          { title: 'Payload', cell: ({ payload }) => <Folded text={JSON.stringify(payload)} /> },
        ]}
      />
      {after !== null && (
        <div class="actions">
          <button type="button" onClick={() => void more()}>
            Show older
          </button>
        </div>
      )}
    </>
  );
}

function Files({ of, query }: { of: string; query: Record<string, string> }) {
  const [, path] = routes['metrics.exportMetrics'];
  return FORMATS.map((format) => (
    <a
      key={format}
      class="button menu-item"
      href={`${path}?${new URLSearchParams({ ...query, format })}`}
      download
    >
      {of} as {format.toUpperCase()}
    </a>
  ));
}
