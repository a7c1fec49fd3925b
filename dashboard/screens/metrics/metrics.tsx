import { api } from '#dashboard/api/api.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { developerParent, ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref, currentPath } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { Explorer } from './explorer.tsx';
import './metrics.css';
import { NewProjectButton, ProjectList } from './project-list.tsx';

/** Lists the projects, or at `metrics/<id>`, explores the metrics of that project. */
export function Metrics() {
  const projects = useAsync(() => api.stats.getProjects());
  const id = currentPath.value.split('/')[1];
  const selected = projects.value?.projects.find((project) => project.id === id);
  if (selected) return <Explorer key={id} project={selected} />;
  return (
    <>
      <ScreenHeader
        title={t('Metrics')}
        parent={developerParent()}
        subtitle={id === undefined && t('Numbers that your programs send, by project.')}
      >
        {id === undefined && projects.value?.projects.length !== 0 && (
          <NewProjectButton onCreated={projects.reload} />
        )}
      </ScreenHeader>
      <AsyncContent state={projects}>
        {({ projects: list }) =>
          id === undefined ? (
            <ProjectList projects={list} onChange={projects.reload} />
          ) : (
            <Empty title={t('Project not found')}>
              <a href={dashboardHref('metrics')}>{t('All projects')}</a>
            </Empty>
          )
        }
      </AsyncContent>
    </>
  );
}
