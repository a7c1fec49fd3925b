import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { addressOf, query } from '#dashboard/router.ts';
import { Alerts } from './alerts.tsx';
import { Controls } from './controls.tsx';
import { FirstMetric } from './first-metric.tsx';
import { Findings } from './findings.tsx';
import { Keeping } from './keeping.tsx';
import { Latest } from './latest.tsx';
import { Live, useLive } from './live.tsx';
import type { Project } from './project-card.tsx';
import { PutOnPage } from './put-on-page.tsx';
import { ask, firstQuestion, question, rangeNameOf, toQuery } from './question.ts';
import { SavedViews, SaveView } from './saved-views.tsx';

/** Asks the metrics of a project; what is asked stands in the address. */
export function Explorer({ project }: { project: Project }) {
  const projectId = project.id;
  const turn = useSignal(0);
  const deletions = useSignal(0);
  const asked = question();
  const isMoving = rangeNameOf(asked) !== undefined;
  const isLive = useLive(() => (turn.value += 1), isMoving);
  const fields = useLoaded(() => owner.metrics.describeMetrics({ projectId }), [turn.value]);
  const saved = useLoaded(() => owner.metrics.getSavedViews({ projectId }));
  const isAsked = query.value.size > 0;
  const described = fields.value;
  const isEmpty = described?.metrics === 0;
  // The controls show the first question when they come.
  useLayoutEffect(() => {
    if (!isAsked && described?.metrics) ask(firstQuestion(described), { replace: true });
  }, [isAsked, described]);
  const input = toQuery(projectId, asked);
  const found = useLoaded(async () => {
    if (!isAsked) return undefined;
    const sent = toQuery(projectId, asked);
    return {
      query: sent,
      range: rangeNameOf(asked),
      answer: await owner.metrics.queryMetrics(sent),
    };
  }, [turn.value, query.value.toString()]);
  return (
    <>
      <PageTitle
        title={project.name}
        heading={
          <>
            <a class="crumb" href={addressOf('metrics')}>
              Metrics
            </a>
            {project.name}
          </>
        }
      >
        {!isEmpty && (
          <>
            <PutOnPage query={input} />
            <SaveView projectId={projectId} saved={saved} />
          </>
        )}
      </PageTitle>
      <Show loaded={fields}>
        {({ fields: all }) =>
          isEmpty ? (
            <FirstMetric project={project} onArrived={() => (turn.value += 1)} />
          ) : (
            <>
              <SavedViews projectId={projectId} saved={saved} />
              <section class="card explorer" aria-label="Explore">
                <Controls fields={all} />
                {isMoving && <Live isLive={isLive} />}
                <Show loaded={found}>
                  {(value) =>
                    value &&
                    (value.answer.rows === 0 ? (
                      <Empty title="Nothing in this range.">
                        <p class="muted">Choose a longer one, or leave the filter out.</p>
                      </Empty>
                    ) : (
                      <Findings {...value} />
                    ))
                  }
                </Show>
                <ApiCall
                  endpoint="metrics.queryMetrics"
                  input={input}
                  also={[['metrics.describeMetrics', { projectId }]]}
                />
              </section>
              <Alerts projectId={projectId} />
              <div class="main-and-side">
                <Latest
                  key={deletions.value}
                  projectId={projectId}
                  range={input}
                  turn={turn.value}
                />
                <Keeping
                  projectId={projectId}
                  range={input}
                  onDeleted={() => {
                    turn.value += 1;
                    deletions.value += 1;
                  }}
                />
              </div>
            </>
          )
        }
      </Show>
    </>
  );
}
