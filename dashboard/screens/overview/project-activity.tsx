import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { AccountSummary } from './load-summary.ts';

/** For owners with developer tools, once a project has a metric. */
export function ProjectActivity({ state }: { state: AccountSummary }) {
  return state.hasDeveloperTools && state.hasMetric ? (
    <ProjectCard projects={state.projects} />
  ) : null;
}

function ProjectCard({ projects }: Pick<AccountSummary, 'projects'>) {
  // Most members have no metrics, so Home loads without this code.
  const summary = useAsync(() => import('../metrics/project-summary.tsx'));
  const names = projects.map(({ id, name }) => (
    <h3 key={id}>
      <a class="ellipsis" href={dashboardHref(`metrics/${id}`)}>
        {name}
      </a>
    </h3>
  ));
  return (
    <section class="card project-activity">
      <div class="card-head">
        <h2>{t('Metrics')}</h2>
        {!names[1] && names}
        <a href={dashboardHref('metrics')}>{t('All projects')}</a>
      </div>
      {projects.map(({ id }, index) => (
        <div key={id} class="project">
          {names[1] && names[index]}
          <AsyncContent state={summary}>
            {({ ProjectSummary }) => <ProjectSummary projectId={id} />}
          </AsyncContent>
        </div>
      ))}
    </section>
  );
}
