import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { query } from '../../router.ts';
import { Controls } from './controls.tsx';
import { FirstMetric } from './first-metric.tsx';
import { Findings } from './findings.tsx';
import { Keeping } from './keeping.tsx';
import { Latest } from './latest.tsx';
import type { Project } from './project-card.tsx';
import { PutOnPage } from './put-on-page.tsx';
import { ask, firstQuestion, question, rangeNameOf, toQuery } from './question.ts';

const REFRESH_MS = 60_000;

/** Asks the metrics of a project; what is asked stands in the address. */
export function Explorer({ project }: { project: Project }) {
  const turn = useSignal(0);
  const asked = question();
  const isMoving = rangeNameOf(asked) !== undefined;
  useEffect(() => {
    if (!isMoving) return undefined;
    const refresh = () => {
      if (document.visibilityState === 'visible') turn.value += 1;
    };
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [isMoving, turn]);
  const fields = useLoaded(
    () => owner.metrics.describeMetrics({ projectId: project.id }),
    [turn.value],
  );
  const isAsked = query.value.size > 0;
  const described = fields.value;
  useEffect(() => {
    if (!isAsked && described?.metrics) ask(firstQuestion(described), { replace: true });
  }, [isAsked, described]);
  const input = toQuery(project.id, asked);
  const answer = useLoaded(
    async () => (isAsked ? owner.metrics.queryMetrics(toQuery(project.id, question())) : undefined),
    [turn.value, query.value.toString()],
  );
  return (
    <Show loaded={fields}>
      {({ metrics, fields: found }) =>
        metrics === 0 ? (
          <FirstMetric project={project} onArrived={() => (turn.value += 1)} />
        ) : (
          <>
            <section class="card">
              <h2>Explore</h2>
              <Controls fields={found} />
              <Show loaded={answer}>
                {(value) =>
                  value &&
                  (value.rows === 0 ? (
                    <Empty title="Nothing in this range.">
                      <p class="muted">Choose a longer one, or leave the filter out.</p>
                    </Empty>
                  ) : (
                    <Findings answer={value} query={input} />
                  ))
                }
              </Show>
              <PutOnPage query={input} />
              <ApiCall
                endpoint="metrics.queryMetrics"
                input={input}
                also={[['metrics.describeMetrics', { projectId: project.id }]]}
              />
            </section>
            <Latest projectId={project.id} range={input} turn={turn.value} />
            <Keeping projectId={project.id} range={input} onDeleted={() => (turn.value += 1)} />
          </>
        )
      }
    </Show>
  );
}
