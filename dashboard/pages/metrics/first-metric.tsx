import { ApiCall } from '../../parts/api-call.tsx';
import { Empty } from '../../parts/states.tsx';
import { addressOf } from '../../router.ts';

/** How the first metric is sent. */
export function FirstMetric({
  projectId,
  onRefresh,
}: {
  projectId: string;
  onRefresh: () => void;
}) {
  return (
    <section class="card">
      <Empty title="Nothing was sent yet.">
        <p class="muted">
          A metric is any JSON object. <a href={addressOf('keys')}>Make a key</a> that may send
          metrics, and run this:
        </p>
      </Empty>
      <ApiCall
        endpoint="stats.ingestMetrics"
        input={{ projectId, payload: { visitors: 42, country: 'pt' } }}
        isOpen
      />
      <div class="actions">
        <button type="button" class="primary" onClick={onRefresh}>
          I have sent one
        </button>
      </div>
    </section>
  );
}
