import { useSignal } from '@preact/signals';
import { extractPageSettings } from '#contract/page-settings-block.ts';
import { api, currentSession, owner } from '#dashboard/api/api.ts';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { useNameCheck } from '#dashboard/parts/name-field.tsx';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Show } from '#dashboard/parts/states.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { setVisibility } from '#dashboard/page-visibility.ts';
import { addressOf } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import type { AccountState } from './account-state.ts';
import { AddPasskey } from './add-passkey.tsx';
import { FirstSteps, isSetUp } from './first-steps.tsx';
import { LAST_EVENTS, LastEvents } from './last-events.tsx';
import { Numbers } from './numbers.tsx';
import './overview.css';
import { Unnamed } from './unnamed.tsx';
import { VIEW_DAYS, Views } from './views.tsx';
import { YourPage } from './your-page.tsx';

/** Home of an owner: whether the page is there, what is missing, and what happened. */
export function Overview() {
  const state = useLoaded(loadState);
  const views = useLoaded(() => owner.page.getViews({ days: VIEW_DAYS }));
  const events = useLoaded(() => owner.events.listEvents({ limit: LAST_EVENTS }));
  // Names and visibility are events, too.
  const reload = () => {
    state.reload();
    events.reload();
  };
  const changeVisibility = async (visible: boolean) => {
    if (await setVisibility(visible)) reload();
  };
  const typed = useSignal('');
  const checked = useNameCheck(typed, (input) => owner.account.checkDisplayName(input)).value;
  const { name, title } = state.value ?? {};
  const isNew = name === '';
  return (
    <>
      <PageTitle
        title="Home"
        heading={isNew ? 'Welcome to Nameplate' : greeting(title)}
        about={isNew && 'A few short steps. Nobody sees your page until you publish it.'}
      >
        {name && (
          <a class="button only-wide" href={addressOf('page')}>
            <Icon lines={LINES.edit} />
            Edit page
          </a>
        )}
        {name && state.value?.isVisible && (
          <a class="button" href={`${pagesUrl}/@${name}`}>
            View page
            <Icon lines={LINES.open} />
          </a>
        )}
      </PageTitle>
      <Show loaded={state}>
        {(loaded) => (
          <div class="main-and-side home">
            {!loaded.canReturn && <AddPasskey />}
            {loaded.name && (
              <YourPage
                state={loaded}
                views={views.value}
                onChange={reload}
                onVisible={(visible) => void changeVisibility(visible)}
              />
            )}
            {isSetUp(loaded) ? (
              <LastEvents events={events} />
            ) : (
              <FirstSteps
                state={loaded}
                typed={typed}
                checked={checked}
                onChange={reload}
                onVisible={(visible) => void changeVisibility(visible)}
              />
            )}
            {!loaded.name && <Unnamed checked={checked} />}
            <Views views={views} />
            {!isSetUp(loaded) && <LastEvents events={events} />}
            {loaded.hasMetric && <Numbers projects={loaded.projects} />}
          </div>
        )}
      </Show>
    </>
  );
}

/** Longest first name that is greeted, in characters: any other is no first name. */
const MAX_GREETED = 20;

function greeting(title: string | undefined): string {
  const hour = new Date().getHours();
  const time = hour < 5 || hour >= 18 ? 'evening' : hour < 12 ? 'morning' : 'afternoon';
  const [first] = title?.trim().split(/\s+/) ?? [];
  return first && first.length <= MAX_GREETED ? `Good ${time}, ${first}` : `Good ${time}`;
}

/** Projects that are shown, and in which a first metric is looked for. */
const MAX_PROJECTS = 3;

async function loadState(): Promise<AccountState> {
  const [{ display_name }, { enabled }, { site, blocks }, projects, session] = await Promise.all([
    api.account.getDisplayName(),
    api.site.getSiteStatus(),
    owner.page.getVersion(),
    loadProjects(),
    currentSession.getSession(),
  ]);
  return {
    name: display_name,
    title: site.display_name || display_name,
    isVisible: enabled,
    hasBio: Boolean(site.bio),
    hasLink: blocks.some(({ type, enabled: shown }) => type === 'link' && shown),
    blocks: extractPageSettings(blocks).blocks.length,
    theme: site.themes?.name ?? (site.custom_theme ? 'Your own' : 'Default'),
    canReturn: session.can_return,
    ...projects,
  };
}

async function loadProjects(): Promise<Pick<AccountState, 'projects' | 'hasMetric'>> {
  const projects = (await api.stats.getProjects()).projects.slice(0, MAX_PROJECTS);
  const lists = projects.map(({ id }) => owner.metrics.listMetrics({ projectId: id, limit: 1 }));
  const hasMetric = (await Promise.all(lists)).some(({ metrics }) => metrics.length > 0);
  return { projects, hasMetric };
}
