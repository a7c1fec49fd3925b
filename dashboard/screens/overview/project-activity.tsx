import { owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import type { AccountSummary } from './account-summary.ts';
import { t } from '#dashboard/translate.ts';

const ACTIVITY_DAYS = 30;

function activityQuery(projectId: string) {
  const now = Math.ceil(Date.now() / 1_000) * 1_000;
  return {
    project_id: projectId,
    since: new Date(now - ACTIVITY_DAYS * 86_400_000).toISOString(),
    until: new Date(now).toISOString(),
    bucket: 'day',
  } as const;
}

export function ProjectActivity({ projects }: { projects: AccountSummary['projects'] }) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Metrics')}</h2>
        <a href={dashboardHref('metrics')}>{t('All projects')}</a>
      </div>
      {projects.map((project) => (
        <ProjectLine key={project.id} {...project} />
      ))}
      <ApiCall endpoint="metrics.queryMetrics" input={activityQuery(projects[0]!.id)} />
    </section>
  );
}

function ProjectLine({ id, name }: AccountSummary['projects'][number]) {
  const activity = useAsync(() => owner.metrics.queryMetrics(activityQuery(id)));
  return (
    <div class="project">
      <h3>
        <a href={dashboardHref(`metrics/${id}`)}>{name}</a>
      </h3>
      <AsyncContent state={activity}>
        {({ totals: [count], series }) => (
          <>
            <p class="hint">
              {t('{count, plural, one {# metric} other {# metrics}} in {days} days', {
                count: count ?? 0,
                days: ACTIVITY_DAYS,
              })}
            </p>
            {series[0] && <Sparkline values={series[0].values.map((value) => value ?? 0)} />}
          </>
        )}
      </AsyncContent>
    </div>
  );
}
