import { api } from '#dashboard/api/api.ts';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { addressOf, place } from '#dashboard/router.ts';
import { Explorer } from './explorer.tsx';
import './metrics.css';
import { ProjectList } from './project-list.tsx';

/** The projects of the account; below `metrics/<id>`, what the metrics of one of them say. */
export function Metrics() {
  const projects = useLoaded(() => api.stats.getProjects());
  const id = place.value.split('/')[1];
  const chosen = projects.value?.projects.find((project) => project.id === id);
  if (chosen) return <Explorer key={id} project={chosen} />;
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
            <Empty title="There is no such project.">
              <a href={addressOf('metrics')}>All projects</a>
            </Empty>
          )
        }
      </Show>
    </>
  );
}
