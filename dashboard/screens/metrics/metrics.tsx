import { api } from '../../api/api.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { addressOf, place } from '../../router.ts';
import { Explorer } from './explorer.tsx';
import './metrics.css';
import { Projects } from './projects.tsx';

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
            <Projects projects={list} onChange={projects.reload} />
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
