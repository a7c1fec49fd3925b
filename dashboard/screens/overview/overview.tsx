import { instanceLinks } from '#contract/shared/instance.ts';
import { useSignal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Block } from '#contract/block.ts';
import { extractPageSettings } from '#contract/shared/page-settings-block.ts';
import { api, owner } from '#dashboard/api/api.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { useNameCheck } from '#dashboard/components/name-field.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Stepper } from '#dashboard/components/stepper.tsx';
import { type AsyncState, useAsync } from '#dashboard/components/use-async.ts';
import {
  failingService,
  loadCurrentAccount,
  openReportCount,
  pageSuspensionReason,
} from '#dashboard/current-account.ts';
import { displayName } from '#dashboard/display-name.ts';
import { setPageVisibility } from '#dashboard/page-visibility.ts';
import { instance, instanceName } from '#dashboard/instance.ts';
import { dashboardHref, query } from '#dashboard/router.ts';
import { accountKey, forwardsMail, pagesUrl } from '#dashboard/session.ts';
import { readStored, store } from '#dashboard/storage.ts';
import type { AccountSummary } from './account-summary.ts';
import { ClaimName } from './claim-name.tsx';
import { FirstHome } from './first-home.tsx';
import { EVENT_COUNT, LatestEvents } from './latest-events.tsx';
import { describeMail, describeToday } from './home-text.ts';
import { Lead, loadToday, summarizeToday } from './lead.tsx';
import { NextStep } from './next-step.tsx';
import { ProjectActivity } from './project-activity.tsx';
import './overview.css';
import { UnnamedPage } from './unnamed-page.tsx';
import { QUERIED_DAYS, Views } from './views.tsx';
import { YourPage } from './your-page.tsx';
import { t } from '#dashboard/translate.ts';

const dateFormat = new Intl.DateTimeFormat(t.locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

/** Stored for an account: the operator has closed the first steps; the header has buttons. */
const STEPS_HIDDEN = 'first-steps-hidden';
const HAS_PAGE = 'has-page';

const loadViews = () => owner.page.getPageViews({ days: QUERIED_DAYS });
const loadEvents = () => owner.events.listEvents({ limit: EVENT_COUNT });

export function Overview() {
  const state = useAsync(loadSummary);
  const views = useAsync(loadViews);
  const events = useAsync(loadEvents);
  // Changing the name or the visibility creates an event.
  const reload = () => {
    state.reload();
    events.reload();
  };
  const changeVisibility = async (visible: boolean) => {
    if (await setPageVisibility(visible, reload)) reload();
  };
  const { name, wasPublished } = state.value ?? {};
  const hasPage = state.value
    ? name !== '' && (wasPublished || state.value.blockCount > 0)
    : readStored(accountKey(HAS_PAGE)) !== null;
  useEffect(() => {
    if (state.value) store(accountKey(HAS_PAGE), hasPage ? '' : null);
  }, [state.value, hasPage]);
  // Stays after publishing, so that the heading keeps its height.
  const showsProgress = useRef(false);
  if (wasPublished === false) showsProgress.current = true;
  const hidesSteps = useSignal(readStored(accountKey(STEPS_HIDDEN)) !== null);
  const hideSteps = () => {
    store(accountKey(STEPS_HIDDEN), '');
    hidesSteps.value = true;
  };
  const isClaiming = query.value.get('name') !== null;
  if (state.value?.isOperator && !hasPage && !isClaiming)
    return <OperatorHome state={state.value} onClose={hidesSteps.value ? null : hideSteps} />;
  return (
    <>
      <ScreenHeader
        title={t('Home')}
        heading={<HomeHeading state={state} showsProgress={showsProgress.current} />}
        subtitle={
          showsProgress.current && state.value ? (
            <Stepper
              titles={[t('Name'), t('Page'), t('Publish')]}
              step={progressStep(state.value)}
            />
          ) : (
            dateFormat.format(Date.now())
          )
        }
      >
        {hasPage && (
          <a class="button" href={dashboardHref('page')}>
            <Icon path={ICON_PATHS.edit} />
            {t('Edit page')}
          </a>
        )}
        {hasPage && state.value?.isVisible === false && pageSuspensionReason.value === null && (
          <button type="button" class="primary" onClick={() => void changeVisibility(true)}>
            {t('Publish page')}
          </button>
        )}
        {hasPage && state.value?.isVisible !== false && (
          <a class="button" href={`${pagesUrl}/@${name ?? displayName.value}`}>
            {t('View page')}
            <Icon path={ICON_PATHS.externalLink} />
          </a>
        )}
      </ScreenHeader>
      <WhyHidden />
      <AsyncContent state={state}>
        {(loaded) =>
          hasPage ? (
            <PageHome
              state={loaded}
              views={views}
              events={events}
              onChange={reload}
              onVisibilityChange={(visible) => void changeVisibility(visible)}
            />
          ) : (
            <>
              <NextStep state={loaded} />
              {loaded.name === '' ? (
                <UnnamedHome onDone={reload} />
              ) : (
                <FirstHome state={loaded} onChange={reload} />
              )}
              {loaded.hasDeveloperTools && loaded.hasMetric && (
                <ProjectActivity projects={loaded.projects} />
              )}
            </>
          )
        }
      </AsyncContent>
    </>
  );
}

interface PageHomeProps {
  state: AccountSummary;
  views: ComponentProps<typeof Views>['views'];
  events: ComponentProps<typeof LatestEvents>['events'];
  onChange: () => void;
  onVisibilityChange: (visible: boolean) => void;
}

/** Before the first visit, the page comes first, and there is no chart. */
function PageHome({ state, views, events, onChange, onVisibilityChange }: PageHomeProps) {
  const page = (
    <YourPage state={state} onChange={onChange} onVisibilityChange={onVisibilityChange} />
  );
  const visits = <Views views={views} state={state} />;
  const projects = state.hasDeveloperTools && state.hasMetric && (
    <ProjectActivity projects={state.projects} />
  );
  if (!state.hadVisits)
    return (
      <div class="main-and-side first-day-home">
        <div>{page}</div>
        <div>
          {visits}
          <NextStep state={state} />
          <MailCard state={state} />
          {projects}
          <LatestEvents events={events} />
        </div>
      </div>
    );
  return (
    <div class="main-and-side home">
      <div>
        {visits}
        {projects}
        <LatestEvents events={events} />
      </div>
      <div>
        {page}
        <NextStep state={state} />
      </div>
    </div>
  );
}

function MailCard({ state: { forwarding } }: { state: AccountSummary }) {
  const text = forwarding && describeMail(forwarding);
  if (!text) return null;
  return (
    <section class="card row between">
      <div class="grow">
        <h2>{t('Mail')}</h2>
        <p class="muted">{text}</p>
      </div>
      <a class="button" href={dashboardHref('mail')}>
        {forwarding.enabled ? t('Open') : t('Set up')}
      </a>
    </section>
  );
}

function UnnamedHome({ onDone }: { onDone: () => void }) {
  // The front page passes on a name that the visitor typed before signing in.
  const nameInput = useSignal(query.peek().get('name') ?? '');
  const nameCheck = useNameCheck(nameInput, (input) => owner.account.checkDisplayName(input)).value;
  return (
    <div class="main-and-side">
      <ClaimName nameInput={nameInput} nameCheck={nameCheck} onDone={onDone} />
      <UnnamedPage input={nameInput.value} nameCheck={nameCheck} />
    </div>
  );
}

const loadFirstDay = async () => (await import('../operator/operator.ts')).FirstDay;

function OperatorHome({ state, onClose }: { state: AccountSummary; onClose: (() => void) | null }) {
  const screen = useAsync(loadFirstDay);
  return (
    <AsyncContent state={screen}>
      {(FirstDay) => (
        <FirstDay onClose={onClose}>
          {(openReportCount.value > 0 || failingService.value !== null) && (
            <NextStep state={state} />
          )}
        </FirstDay>
      )}
    </AsyncContent>
  );
}

/** For owners whose page is hidden by an operator. */
function WhyHidden() {
  const reason = pageSuspensionReason.value;
  const contact = instanceLinks(instance.value, t).find(({ name }) => name === 'contact');
  if (reason === null) return null;
  return (
    <section class="card">
      <p>{t('Reason: {reason}', { reason })}</p>
      {contact && (
        <p>
          {t('Fixed it, or think that this is wrong? Write to')}{' '}
          <a href={contact.url}>{instance.value.contact}</a>
        </p>
      )}
    </section>
  );
}

function HomeHeading({
  state: { value, failure },
  showsProgress,
}: {
  state: AsyncState<AccountSummary>;
  showsProgress: boolean;
}) {
  if (!value && failure !== undefined) return t('Home');
  if (!value)
    return (
      <>
        <span class="visually-hidden">{t('Home')}</span>
        <Lead />
      </>
    );
  if (showsProgress)
    return <Lead>{t('Welcome to {instance}', { instance: instanceName.value })}</Lead>;
  const [sentence, more] = describeToday(value, value.today);
  return (
    <Lead>
      {sentence} {more && <span class="muted">{more}</span>}
    </Lead>
  );
}

function progressStep({ name, blockCount, wasPublished }: AccountSummary): number {
  if (wasPublished) return 3;
  if (name === '') return 0;
  return blockCount === 0 ? 1 : 2;
}

const MAX_PROJECTS = 3;

async function loadSummary(): Promise<AccountSummary> {
  const [
    { display_name },
    { enabled },
    { site, blocks },
    projects,
    session,
    visitors,
    counted,
    mail,
  ] = await Promise.all([
    api.account.getDisplayName(),
    api.site.getSiteStatus(),
    owner.page.getPageVersion(),
    loadProjects(),
    loadCurrentAccount(),
    loadToday(),
    owner.visitors.getVisitorCounting(),
    forwardsMail ? owner.forwarding.getForwarding() : undefined,
  ]);
  const page = extractPageSettings(blocks as Block[]);
  return {
    name: display_name,
    title: site.display_name || display_name,
    isVisible: enabled,
    isSuspended: session.page_suspension_reason !== null,
    isCounting: counted.counting,
    hadVisits: counted.first_day !== null,
    forwarding: mail,
    wasPublished: session.page_was_visible,
    blockCount: page.blocks.length,
    hasPicture: Boolean(site.avatar_url),
    today: summarizeToday(visitors, page.blocks),
    isOperator: session.operator,
    hasDeveloperTools: session.developer_tools,
    canLogInAgain: session.can_log_in_again,
    ...projects,
  };
}

async function loadProjects(): Promise<Pick<AccountSummary, 'projects' | 'hasMetric'>> {
  const projects = (await api.stats.getProjects()).projects.slice(0, MAX_PROJECTS);
  const metricLists = projects.map(({ id }) =>
    owner.metrics.listMetrics({ project_id: id, limit: 1 }),
  );
  const hasMetric = (await Promise.all(metricLists)).some(({ metrics }) => metrics.length > 0);
  return { projects, hasMetric };
}
