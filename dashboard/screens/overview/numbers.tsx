import { ApiCall } from '../../parts/api-call.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Show } from '../../parts/states.tsx';
import { addressOf } from '../../router.ts';
import { activityQuery, DAYS, useActivity } from '../metrics/activity.tsx';
import type { AccountState } from './account-state.ts';

const number = new Intl.NumberFormat();

/** How much the projects of the account hear. */
export function Numbers({ projects }: { projects: AccountState['projects'] }) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>Metrics</h2>
        <a href={addressOf('metrics')}>All projects</a>
      </div>
      {projects.map((project) => (
        <ProjectLine key={project.id} {...project} />
      ))}
      <ApiCall endpoint="metrics.queryMetrics" input={activityQuery(projects[0]!.id)} />
    </section>
  );
}

function ProjectLine({ id, name }: AccountState['projects'][number]) {
  const activity = useActivity(id);
  return (
    <div class="project">
      <h3>
        <a href={addressOf(`metrics/${id}`)}>{name}</a>
      </h3>
      <Show loaded={activity}>
        {({ count, values, latest }) => (
          <>
            <p class="hint">
              {latest === undefined
                ? 'No metrics yet'
                : `${number.format(count)} ${count === 1 ? 'metric' : 'metrics'} in ${DAYS} days`}
            </p>
            {latest !== undefined && <Sparkline values={values} />}
          </>
        )}
      </Show>
    </div>
  );
}
