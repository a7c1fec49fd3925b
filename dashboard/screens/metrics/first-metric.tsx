import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { owner } from '../../api/api.ts';
import { Proven } from '../../entry/proven.tsx';
import { ApiCall, type Call, curlOf } from '../../parts/api-call.tsx';
import { Code } from '../../parts/code.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/messages.tsx';
import type { Project } from './project-card.tsx';

const POLL_MS = 2_000;

/** Makes a key that can only send metrics, shows the command that uses it, and waits for the first metric. */
export function FirstMetric({ project, onArrived }: { project: Project; onArrived: () => void }) {
  const secret = useSignal<string>();
  useFirstMetric(project.id, () => {
    say('Your first metric has arrived.');
    onArrived();
  });
  const call: Call = {
    endpoint: 'stats.ingestMetrics',
    input: { projectId: project.id, payload: { visitors: 42, country: 'pt' } },
  };
  const key = { label: project.name, scope: 'metrics' } as const;
  const command = curlOf(call, secret.value);
  return (
    <section class="card">
      <h2>Send a first metric</h2>
      <p class="muted">A metric is any JSON object. There are none yet.</p>
      <ol class="numbered">
        <li>
          <h3>
            <span class="tick" aria-hidden="true">
              1
            </span>
            Create a key
          </h3>
          {secret.value === undefined ? (
            <Proven to="create a key" isSetup>
              <Form
                fields={[]}
                submit="Create key"
                onSubmit={async () => {
                  const { api_key } = await owner.keys.createKey(key);
                  if (api_key !== null) secret.value = api_key;
                }}
              >
                <p>It can send metrics and do nothing else.</p>
              </Form>
            </Proven>
          ) : (
            <p role="status">Your key is in the command below. It is shown only now.</p>
          )}
          <ApiCall endpoint="keys.createKey" input={key} />
        </li>
        <li>
          <h3>
            <span class="tick" aria-hidden="true">
              2
            </span>
            Run this command in a terminal
          </h3>
          <Code text={command} label="command" />
          <ApiCall {...call} />
        </li>
      </ol>
      <p class="muted" role="status">
        Waiting for your first metric…
      </p>
    </section>
  );
}

/** Looks for the first metric of a project while the window is visible. */
function useFirstMetric(projectId: string, onArrived: () => void): void {
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      if (document.visibilityState === 'visible') {
        // A failed call is tried again.
        const found = await owner.metrics
          .listMetrics({ projectId, limit: 1 })
          .catch(() => undefined);
        if (isOver) return;
        if (found?.metrics.length) return onArrived();
      }
      timer = setTimeout(() => void look(), POLL_MS);
    };
    timer = setTimeout(() => void look(), POLL_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [projectId]);
}
