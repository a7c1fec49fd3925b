import { owner } from '#dashboard/api/api.ts';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';

export const ACTIVITY_DAYS = 30;

export function activityQuery(projectId: string) {
  const now = Math.ceil(Date.now() / 1_000) * 1_000;
  return {
    project_id: projectId,
    since: new Date(now - ACTIVITY_DAYS * 86_400_000).toISOString(),
    until: new Date(now).toISOString(),
    bucket: 'day',
  } as const;
}

export function Activity({ projectId }: { projectId: string }) {
  const activity = useAsync(() => loadActivity(projectId));
  return (
    <AsyncContent state={activity}>
      {({ count, values, latestReceivedAt }) =>
        latestReceivedAt === undefined ? (
          <>
            <p class="muted">{t('No metrics yet')}</p>
            <p>
              <a class="button" href={dashboardHref(`metrics/${projectId}`)}>
                {t('Send a first metric')}
              </a>
            </p>
          </>
        ) : (
          <>
            <p class="figure">
              {t.rich(
                '{count, plural, one {<strong>#</strong> <muted>metric in {days} days</muted>} other {<strong>#</strong> <muted>metrics in {days} days</muted>}}',
                {
                  count,
                  days: ACTIVITY_DAYS,
                  strong: (children) => <strong>{children}</strong>,
                  muted: (children) => <span class="muted">{children}</span>,
                },
              )}
            </p>
            <Sparkline values={values} />
            <p class="hint">
              {t.rich('Last metric <time></time>', {
                time: () => <TimeAgo time={latestReceivedAt} />,
              })}
            </p>
          </>
        )
      }
    </AsyncContent>
  );
}

async function loadActivity(projectId: string) {
  const [{ totals, series }, { metrics }] = await Promise.all([
    owner.metrics.queryMetrics(activityQuery(projectId)),
    owner.metrics.listMetrics({ project_id: projectId, limit: 1 }),
  ]);
  return {
    count: totals[0] ?? 0,
    values: series[0]?.values.map((value) => value ?? 0) ?? [],
    latestReceivedAt: metrics[0]?.received_at,
  };
}
