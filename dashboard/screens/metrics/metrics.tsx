import { api } from '#dashboard/api/api.ts';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { addressOf, place } from '#dashboard/router.ts';
import { Explorer } from './explorer.tsx';
import './metrics.css';
import { ProjectList } from './project-list.tsx';

/** Lists the projects. At `metrics/<id>`, explores the metrics of one. */
export function Metrics() {
  const projects = useLoaded(() => api.stats.getProjects());
  const id = place.value.split('/')[1];
  const selected = projects.value?.projects.find((project) => project.id === id);
  if (selected) return <Explorer key={id} project={selected} />;
  return (
    <>
      <PageTitle
        title="Metrics"
        about={id === undefined && 'Numbers that your programs send, by project.'}
      />
      <Show loaded={projects}>
        {({ projects: list }) =>
          id === undefined ? (
            <ProjectList projects={list} onChange={projects.reload} />
          ) : (
            <Empty title="Project not found">
              <a href={addressOf('metrics')}>All projects</a>
            </Empty>
          )
        }
      </Show>
    </>
  );
}
