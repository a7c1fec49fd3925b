import type { ComponentChildren } from 'preact';
import { owner } from '#dashboard/api/api.ts';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import '#dashboard/components/sparkline.css';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import {
  defaultQuery,
  type MetricsDescription,
  type QueryParams,
  RANGES,
  rangeLabel,
  rangeName,
  toQuery,
} from './metrics-query.ts';
import { measureLabel, totalOf } from './result-text.ts';
import { ChangeBadge, TotalNumber } from './totals.tsx';

export type Summary = Awaited<ReturnType<typeof loadSummary>>;

export function ProjectSummary({
  projectId,
  renderTrend,
}: {
  projectId: string;
  renderTrend?: ((summary: Summary) => ComponentChildren) | undefined;
}) {
  const state = useAsync(() => loadSummary(projectId));
  return (
    <AsyncContent state={state}>
      {(summary) => {
        const { caption, measure, result, latestReceivedAt, alerts, isFiring } = summary;
        return latestReceivedAt === undefined ? (
          <p class="row between hint">
            {t('No metrics yet')}
            <a href={dashboardHref(`metrics/${projectId}`)}>{t('Send a first metric')}</a>
          </p>
        ) : (
          <>
            {!renderTrend && <p class="project-measure hint">{caption}</p>}
            <p class="row">
              <strong class="display-number">
                <TotalNumber value={totalOf(result, 0)} measure={measure} />
              </strong>
              <ChangeBadge
                current={totalOf(result, 0) ?? 0}
                previous={result.previous && totalOf(result.previous, 0)}
              />
              {renderTrend && <span class="hint">{caption}</span>}
            </p>
            {renderTrend ? renderTrend(summary) : <Sparkline values={summary.values} />}
            <p class="row between hint last-metric">
              <span>
                {t.rich('Last metric <time></time>', {
                  time: () => <TimeAgo time={latestReceivedAt} />,
                })}
              </span>
              {alerts.length > 0 && (
                <span class={isFiring ? 'pill warn' : 'pill good'}>
                  {isFiring ? t('Alert is firing') : t('Alert is on')}
                </span>
              )}
            </p>
          </>
        );
      }}
    </AsyncContent>
  );
}

async function loadSummary(projectId: string) {
  const project = { project_id: projectId };
  const [description, { metrics }, { alerts }] = await Promise.all([
    owner.metrics.getMetricFields(project),
    owner.metrics.listMetrics({ ...project, limit: 1 }),
    owner.alerts.listAlerts(project),
  ]);
  const params = { ...defaultQuery(description), ...comparableRange(description) };
  const { group_by: _, measures = [{}], ...query } = toQuery(projectId, params);
  const measure = measures[0]!;
  const range = rangeName(params);
  const result = await owner.metrics.queryMetrics({
    ...query,
    measures: [measure],
    compare: true,
  });
  const values = result.series[0]?.values ?? [];
  return {
    caption: `${measureLabel(measure)} · ${range ? RANGES[range][2] : rangeLabel(query)}`,
    measure,
    query: { ...query, measures: [measure] },
    result,
    // The first bucket of a range that ends now is incomplete.
    values: range && values.length > 2 ? values.slice(1) : values,
    latestReceivedAt: metrics[0]?.received_at,
    alerts,
    isFiring: alerts.some(({ state }) => state === 'firing'),
  };
}

const COMPARABLE_RANGES = ['30d', '7d', '24h', '1h'] as const;

/** The longest of these ranges whose previous period has metrics, too. */
function comparableRange({ oldest_at }: Pick<MetricsDescription, 'oldest_at'>): QueryParams {
  const ageMs = Date.now() - Date.parse(oldest_at ?? '');
  const range = COMPARABLE_RANGES.find((name) => ageMs >= 2 * RANGES[name][1]);
  // Seven days in hours are too many points for a small chart.
  return range ? { range, bucket: range === '7d' ? 'day' : undefined } : {};
}
