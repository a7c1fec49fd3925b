import { ApiCall } from '../../parts/api-call.tsx';
import { addressOf } from '../../router.ts';
import { Activity, activityQuery } from '../metrics/activity.tsx';
import type { AccountState } from './account-state.ts';

/** How much the projects of the account hear. */
export function Numbers({ projects }: { projects: AccountState['projects'] }) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>Metrics</h2>
        <a href={addressOf('metrics')}>All projects</a>
      </div>
      {projects.map(({ id, name }) => (
        <div key={id} class="project">
          <h3>
            <a href={addressOf(`metrics/${id}`)}>{name}</a>
          </h3>
          <Activity projectId={id} />
        </div>
      ))}
      <ApiCall endpoint="metrics.queryMetrics" input={activityQuery(projects[0]!.id)} />
    </section>
  );
}
