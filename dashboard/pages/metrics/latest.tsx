import { owner } from '../../api/api.ts';
import { routes } from '../../api/routes.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';

const SHOWN = 20;
const FORMATS = ['csv', 'json', 'ndjson'] as const;

function exportOf(projectId: string, format: string): string {
  const [, path] = routes.owner['metrics']!['exportMetrics']!;
  return `${path}?${new URLSearchParams({ projectId, format })}`;
}

/** The metrics that came last, as they were sent. */
export function Latest({ projectId, turn }: { projectId: string; turn: number }) {
  const input = { projectId, limit: SHOWN };
  const latest = useLoaded(() => owner.metrics.listMetrics(input), [turn]);
  return (
    <section class="card">
      <h2>Latest metrics</h2>
      <Show loaded={latest}>
        {({ metrics }) => (
          <Table
            caption="Latest metrics"
            rows={metrics}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Received', cell: (metric) => <Ago time={metric.received_at} /> },
              { title: 'Payload', cell: ({ payload }) => <code>{JSON.stringify(payload)}</code> },
            ]}
          />
        )}
      </Show>
      <p class="row">
        <span>All of them as a file:</span>
        {FORMATS.map((format) => (
          <a key={format} href={exportOf(projectId, format)} download>
            {format.toUpperCase()}
          </a>
        ))}
      </p>
      <ApiCall
        surface="owner"
        endpoint="metrics.listMetrics"
        input={input}
        also={[['metrics.exportMetrics', { projectId, format: 'csv' }]]}
      />
    </section>
  );
}
