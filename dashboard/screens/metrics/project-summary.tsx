import type { ComponentChildren } from 'preact';
import { DAY_MS, HOUR_MS } from '#contract/shared/durations.ts';
import { owner } from '#dashboard/api/api.ts';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import '#dashboard/components/sparkline.css';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { defaultQuery, type MetricsDescription, RANGES, toQuery } from './metrics-query.ts';
import { measureLabel, totalOf } from './result-text.ts';
import { ChangeBadge, TotalNumber } from './totals.tsx';

export type Summary = Awaited<ReturnType<typeof loadSummary>>;

export function ProjectSummary({
  projectId,
  renderTrend,
  renderEmpty,
}: {
  projectId: string;
  renderTrend?: ((summary: Summary) => ComponentChildren) | undefined;
  renderEmpty?: ((onArrived: () => void) => ComponentChildren) | undefined;
}) {
  const state = useAsync(() => loadSummary(projectId));
  return (
    <AsyncContent state={state}>
      {(summary) => {
        if (summary.isEmpty)
          return (
            renderEmpty?.(state.reload) ?? (
              <p class="row between hint">
                {t('No metrics yet')}
                <a href={dashboardHref(`metrics/${projectId}`)}>{t('Send a first metric')}</a>
              </p>
            )
          );
        const { isFirst, caption, measure, result, today, alerts, isFiring } = summary;
        const total = isFirst ? today : totalOf(result, 0);
        return (
          <>
            {!renderTrend && <p class="project-measure hint">{caption}</p>}
            <p class="row">
              <strong class="display-number">
                <TotalNumber value={total} measure={measure} />
              </strong>
              <ChangeBadge
                current={total ?? 0}
                previous={result.previous && totalOf(result.previous, 0)}
              />
              {renderTrend && <span class="hint">{caption}</span>}
              {alerts.length > 0 && (
                <span class={isFiring ? 'pill warn' : 'pill good'}>
                  {isFiring ? t('Alert is firing') : t('Alert is on')}
                </span>
              )}
            </p>
            {isFirst ? (
              <p class="hint">{t('The chart begins in a minute.')}</p>
            ) : (
              (renderTrend?.(summary) ?? (
                <Sparkline values={[...(result.series[0]?.values ?? []), today]} />
              ))
            )}
          </>
        );
      }}
    </AsyncContent>
  );
}

async function loadSummary(projectId: string) {
  const project = { project_id: projectId };
  const [description, { alerts }] = await Promise.all([
    owner.metrics.getMetricFields(project),
    owner.alerts.listAlerts(project),
  ]);
  const { range, bucket, since, until, now } = wholePeriod(description);
  const {
    group_by: _,
    measures = [{}],
    ...defaults
  } = toQuery(projectId, defaultQuery(description));
  const measure = measures[0]!;
  const query = { ...defaults, bucket, since, until, measures: [measure] };
  const [result, current] = await Promise.all([
    owner.metrics.queryMetrics({ ...query, compare: true }),
    owner.metrics.queryMetrics({ ...query, since: until, until: now }),
  ]);
  const measureName = measureLabel(measure);
  // The first metric is of the current minute.
  const isFirst = Date.parse(description.oldest_at ?? '') >= Date.parse(until);
  const days = RANGES[range][1] / DAY_MS;
  const periodText =
    bucket === 'day' ? t('{days} days up to yesterday', { days }) : RANGES[range][2];
  return {
    isEmpty: description.metrics === 0,
    isFirst,
    caption: `${measureName} · ${isFirst ? t('so far') : periodText}`,
    measure,
    query,
    result,
    today: totalOf(current, 0),
    alerts,
    isFiring: alerts.some(({ state }) => state === 'firing'),
  };
}

const BUCKETS = { '30d': 'day', '7d': 'day', '24h': 'hour', '1h': 'minute' } as const;

/**
 * The longest of these ranges whose previous period has metrics, too. It ends with the last whole
 * bucket, so that the bucket that is not over lowers neither the number nor the change.
 */
function wholePeriod({ oldest_at }: Pick<MetricsDescription, 'oldest_at'>) {
  const now = new Date(Date.now() + 1_000);
  const ageMs = now.getTime() - Date.parse(oldest_at ?? '');
  const range =
    (Object.keys(BUCKETS) as (keyof typeof BUCKETS)[]).find(
      (name) => ageMs >= 2 * RANGES[name][1],
    ) ?? (ageMs > HOUR_MS ? '24h' : '1h');
  const bucket = BUCKETS[range];
  const until = new Date(now);
  if (bucket === 'day') until.setHours(0, 0, 0, 0);
  else if (bucket === 'hour') until.setMinutes(0, 0, 0);
  else until.setSeconds(0, 0);
  const since = new Date(until.getTime() - RANGES[range][1]);
  // Across a change of the clocks, days have 23 or 25 hours.
  if (bucket === 'day') since.setHours(0, 0, 0, 0);
  const [sinceText, untilText, nowText] = [since, until, now].map((time) => time.toISOString());
  return { range, bucket, since: sinceText!, until: untilText!, now: nowText! };
}
