import type { ComponentChildren } from 'preact';
import { DAY_MS, HOUR_MS } from '#contract/shared/durations.ts';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import '#dashboard/components/sparkline.css';
import { useAsync } from '#dashboard/components/use-async.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import {
  defaultQuery,
  measureOf,
  type MetricsDescription,
  RANGES,
  toQuery,
} from './metrics-query.ts';
import { measureLabel, totalOf } from './result-text.ts';
import { TotalNumber } from './totals.tsx';

const percentFormat = new Intl.NumberFormat(t.locale, {
  style: 'percent',
  maximumFractionDigits: 0,
});

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
        const { isFirst, caption, result, previousTotal, today, alerts, isFiring } = summary;
        const total = isFirst ? today : totalOf(result);
        return (
          <>
            {!renderTrend && <p class="project-measure hint">{caption}</p>}
            <p class="row">
              <strong class="display-number">
                <TotalNumber value={total} />
              </strong>
              <ChangeBadge current={total ?? 0} previous={previousTotal} />
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

/** In a neutral color, because an increase can be good or bad: sales or errors. */
function ChangeBadge({ current, previous }: { current: number; previous: number | null }) {
  if (!previous) return null;
  const change = (current - previous) / Math.abs(previous);
  if (Math.round(change * 100) === 0) return <span class="change">{t('Same as before')}</span>;
  const percent = percentFormat.format(Math.abs(change));
  return (
    <span class="change">
      <Icon path={change >= 0 ? ICON_PATHS.trendUp : ICON_PATHS.trendDown} />
      {change >= 0
        ? t('{percent} more than before', { percent })
        : t('{percent} less than before', { percent })}
    </span>
  );
}

async function loadSummary(projectId: string) {
  const project = { project_id: projectId };
  const [description, { alerts }] = await Promise.all([
    owner.metrics.getMetricFields(project),
    isOn('alerts') ? owner.alerts.listAlerts(project) : { alerts: [] },
  ]);
  const { range, bucket, previousSince, since, until, now } = wholePeriod(description);
  const query = { ...toQuery(projectId, defaultQuery(description)), bucket, since, until };
  const [result, previous, current] = await Promise.all([
    owner.metrics.queryMetrics(query),
    owner.metrics.queryMetrics({ ...query, since: previousSince, until: since }),
    owner.metrics.queryMetrics({ ...query, since: until, until: now }),
  ]);
  const measureName = measureLabel(measureOf(query));
  // The first metric is of the current minute.
  const isFirst = Date.parse(description.oldest_at ?? '') >= Date.parse(until);
  const days = RANGES[range][1] / DAY_MS;
  const periodText =
    bucket === 'day' ? t('{days} days up to yesterday', { days }) : RANGES[range][2];
  return {
    isEmpty: description.metrics === 0,
    isFirst,
    caption: `${measureName} · ${isFirst ? t('so far') : periodText}`,
    query,
    result,
    previousTotal: totalOf(previous),
    today: totalOf(current),
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
  const previousSince = new Date(2 * since.getTime() - until.getTime());
  return {
    range,
    bucket,
    previousSince: previousSince.toISOString(),
    since: since.toISOString(),
    until: until.toISOString(),
    now: now.toISOString(),
  };
}
