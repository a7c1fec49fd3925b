import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { addressOf, query } from '#dashboard/router.ts';
import { Alerts } from './alerts.tsx';
import { QueryControls } from './query-controls.tsx';
import { FirstMetric } from './first-metric.tsx';
import { QueryResults } from './query-results.tsx';
import { RetentionCard } from './retention.tsx';
import { LatestMetrics } from './latest-metrics.tsx';
import { LivePill, useAutoRefresh } from './auto-refresh.tsx';
import type { Project } from './project-card.tsx';
import { AddToPageButton } from './add-to-page-button.tsx';
import { updateQuery, defaultQuery, queryParams, rangeName, toQuery } from './metrics-query.ts';
import { SavedViews, SaveView } from './saved-views.tsx';

/** Asks the metrics of a project; what is asked stands in the address. */
export function Explorer({ project }: { project: Project }) {
  const projectId = project.id;
  const turn = useSignal(0);
  const deletions = useSignal(0);
  const asked = queryParams();
  const isMoving = rangeName(asked) !== undefined;
  const isLive = useAutoRefresh(() => (turn.value += 1), isMoving);
  const fields = useLoaded(() => owner.metrics.describeMetrics({ projectId }), [turn.value]);
  const saved = useLoaded(() => owner.metrics.getSavedViews({ projectId }));
  const isAsked = query.value.size > 0;
  const described = fields.value;
  const isEmpty = described?.metrics === 0;
  // The controls show the first question when they come.
  useLayoutEffect(() => {
    if (!isAsked && described?.metrics) updateQuery(defaultQuery(described), { replace: true });
  }, [isAsked, described]);
  const input = toQuery(projectId, asked);
  const found = useLoaded(async () => {
    if (!isAsked) return undefined;
    const sent = toQuery(projectId, asked);
    return {
      query: sent,
      range: rangeName(asked),
      result: await owner.metrics.queryMetrics(sent),
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
            <AddToPageButton query={input} />
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
                <QueryControls fields={all} />
                {isMoving && <LivePill isLive={isLive} />}
                <Show loaded={found}>
                  {(value) =>
                    value &&
                    (value.result.rows === 0 ? (
                      <Empty title="Nothing in this range.">
                        <p class="muted">Choose a longer one, or leave the filter out.</p>
                      </Empty>
                    ) : (
                      <QueryResults {...value} />
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
                <LatestMetrics
                  key={deletions.value}
                  projectId={projectId}
                  range={input}
                  turn={turn.value}
                />
                <RetentionCard
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
