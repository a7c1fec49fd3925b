import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { isOffline, isReachable } from '#dashboard/api/connection.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { isOn } from '#dashboard/facts.ts';
import { query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { Alert } from './alert-form.tsx';
import { AddAlertButton, Alerts } from './alerts.tsx';
import { FirstMetric } from './first-metric.tsx';
import { LatestMetrics } from './latest-metrics.tsx';
import { updateQuery, defaultQuery, queryParams, rangeName, toQuery } from './metrics-query.ts';
import type { Project } from './metrics-query.ts';
import { QueryControls } from './query-controls.tsx';
import { QueryResults } from './query-results.tsx';
import { RetentionCard } from './retention.tsx';

/** The URL holds the query. */
export function Explorer({ project }: { project: Project }) {
  const projectId = project.id;
  const refreshCount = useSignal(0);
  const deletionCount = useSignal(0);
  const editedAlert = useSignal<Alert | 'new'>();
  const params = queryParams();
  usePolling('background', () => (refreshCount.value += 1));
  const fieldsState = useAsync(
    () => owner.metrics.getMetricFields({ project_id: projectId }),
    [refreshCount.value],
    { keepsOldValue: true },
  );
  const hasQuery = query.value.size > 0;
  const metricFields = fieldsState.value;
  const isEmpty = metricFields?.metrics === 0;
  // A layout effect, so that the controls show the default query on the first paint.
  useLayoutEffect(() => {
    if (!hasQuery && metricFields?.metrics)
      updateQuery(defaultQuery(metricFields), { replace: true });
  }, [hasQuery, metricFields]);
  const metricsQuery = toQuery(projectId, params);
  const queryResult = useAsync(
    async () => {
      if (!hasQuery) return undefined;
      const request = toQuery(projectId, params);
      return {
        query: request,
        range: rangeName(params),
        result: await owner.metrics.queryMetrics(request),
      };
    },
    [refreshCount.value, query.value.toString()],
    { keepsOldValue: true },
  );
  return (
    <>
      <ScreenHeader title={project.name} parent={{ title: t('All projects'), path: 'metrics' }}>
        {!isEmpty && (
          <>
            {isOn('alerts') && <AddAlertButton class="only-wide" editedAlert={editedAlert} />}
            <CopyButton text={location.href} label={t('Copy link')} />
          </>
        )}
      </ScreenHeader>
      <AsyncContent state={fieldsState}>
        {({ fields }) =>
          isEmpty ? (
            <section class="card">
              <FirstMetric project={project} onArrived={() => (refreshCount.value += 1)} />
            </section>
          ) : (
            <>
              <section class="card explorer" aria-label={t('Explore')}>
                <QueryControls fields={fields}>
                  <LivePill />
                </QueryControls>
                <AsyncContent state={queryResult}>
                  {(value) => value && <ResultsOrEmpty {...value} />}
                </AsyncContent>
              </section>
              <LatestMetrics
                key={deletionCount.value}
                projectId={projectId}
                fields={fields}
                range={metricsQuery}
                refreshCount={refreshCount.value}
              />
              <div class="main-and-side">
                {isOn('alerts') && (
                  <Alerts projectId={projectId} query={metricsQuery} editedAlert={editedAlert} />
                )}
                <RetentionCard
                  projectId={projectId}
                  range={metricsQuery}
                  onDeleted={() => {
                    refreshCount.value += 1;
                    deletionCount.value += 1;
                  }}
                />
              </div>
            </>
          )
        }
      </AsyncContent>
    </>
  );
}

function ResultsOrEmpty(props: Parameters<typeof QueryResults>[0]) {
  if (props.result.rows > 0) return <QueryResults {...props} />;
  return (
    <Empty title={t('No metrics in this range')}>
      <p class="muted">{t('Choose a longer range or remove the filters.')}</p>
    </Empty>
  );
}

function LivePill() {
  const isLive = !isOffline.value && isReachable.value;
  return (
    <span
      class={isLive ? 'pill good live' : 'pill'}
      title={isLive ? t('Updated every 30 seconds') : undefined}
    >
      {isLive ? t('Live') : t('Paused')}
    </span>
  );
}
