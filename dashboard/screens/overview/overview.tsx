import { api, owner } from '../../api/api.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import type { Project } from '../metrics/project-card.tsx';
import type { AccountState } from './account-state.ts';
import { Address } from './address.tsx';
import { Checklist } from './checklist.tsx';
import { LastEvents } from './last-events.tsx';
import { Numbers } from './numbers.tsx';
import { Views } from './views.tsx';

/** Overview for an owner: whether the page is there, what is missing, and what happened. */
export function Overview() {
  const state = useLoaded(loadState);
  return (
    <>
      <PageTitle title="Home" />
      <Show loaded={state}>
        {(loaded) => (
          <>
            <Address state={loaded} onChange={state.reload} />
            <Checklist state={loaded} />
            <div class="pair">
              <div>
                <Views />
                {loaded.hasMetric && <Numbers projects={loaded.projects} />}
              </div>
              <LastEvents />
            </div>
          </>
        )}
      </Show>
    </>
  );
}

/** Projects that are shown, and in which a first metric is looked for. */
const MAX_PROJECTS = 3;

async function loadState(): Promise<AccountState> {
  const [{ display_name }, { enabled }, { site, blocks }, { projects }] = await Promise.all([
    api.account.getDisplayName(),
    api.site.getSiteStatus(),
    owner.page.getVersion(),
    api.stats.getProjects(),
  ]);
  const first = projects.slice(0, MAX_PROJECTS);
  return {
    name: display_name,
    isVisible: enabled,
    hasBio: Boolean(site.bio),
    hasLink: blocks.some(({ type, enabled: shown }) => type === 'link' && shown),
    projects: first,
    hasMetric: await hasMetric(first),
  };
}

async function hasMetric(projects: readonly Project[]): Promise<boolean> {
  const pages = projects.map(({ id }) => owner.metrics.listMetrics({ projectId: id, limit: 1 }));
  return (await Promise.all(pages)).some(({ metrics }) => metrics.length > 0);
}
