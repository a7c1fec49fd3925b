import { useEffect, useRef } from 'preact/hooks';
import { instanceLinks } from '#contract/shared/instance.ts';
import type { PageVisibility } from '#contract/shared/page-visibility.ts';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { pageSuspensionReason, toDo } from '#dashboard/current-account.ts';
import { displayName } from '#dashboard/display-name.ts';
import { instance } from '#dashboard/instance.ts';
import { setPageVisibility } from '#dashboard/page-visibility.ts';
import { dashboardHref, query, revisitCount } from '#dashboard/router.ts';
import { accountKey, pagesUrl } from '#dashboard/session.ts';
import { readStored, store } from '#dashboard/storage.ts';
import { t } from '#dashboard/translate.ts';
import { FirstHome } from './first-home.tsx';
import { HomeHeading, HomeSubtitle } from './home-heading.tsx';
import { EVENT_COUNT } from './latest-events.tsx';
import { type AccountSummary, loadSummary } from './load-summary.ts';
import { NeedsYou } from './needs-you.tsx';
import { NextStep } from './next-step.tsx';
import { OperatorHome } from './operator-home.tsx';
import './overview.css';
import { PageHome } from './page-home.tsx';
import { ProjectActivity } from './project-activity.tsx';
import { UnnamedHome } from './unnamed-home.tsx';
import { QUERIED_DAYS } from './views.tsx';

/** Stored for an account, so that the header has its buttons before the account is loaded. */
const HAS_PAGE = 'has-page';

const loadViews = () => owner.page.getPageViews({ days: QUERIED_DAYS });
const loadEvents = () => owner.events.listEvents({ limit: EVENT_COUNT });

export function Overview() {
  // Other keepers and devices change it, too.
  const again = [[revisitCount.value], { keepsOldValue: true }] as const;
  const state = useAsync(loadSummary, ...again);
  const views = useAsync(loadViews, ...again);
  const events = useAsync(loadEvents, ...again);
  const summary = state.value;
  // Changing the name or the visibility creates an event.
  const reload = () => {
    state.reload();
    events.reload();
  };
  const changeVisibility = async (visibility: PageVisibility) => {
    const before = summary?.visibility;
    if (await setPageVisibility(visibility, { before, onUndo: reload })) reload();
  };
  const hasPage = summary ? isStarted(summary) : readStored(accountKey(HAS_PAGE)) !== null;
  useEffect(() => {
    if (summary) store(accountKey(HAS_PAGE), hasPage ? '' : null);
  }, [summary, hasPage]);
  // Stays after publishing, so that the heading keeps its height.
  const showsProgress = useRef(false);
  if (summary?.wasPublished === false) showsProgress.current = true;
  const heading = { state, showsProgress: showsProgress.current };

  const isClaiming = query.value.get('name') !== null;
  if (summary?.isOperator && !hasPage && !isClaiming) return <OperatorHome />;
  return (
    <>
      <ScreenHeader
        title={t('Home')}
        heading={<HomeHeading {...heading} />}
        subtitle={<HomeSubtitle {...heading} />}
      >
        {hasPage && (
          <PageButtons state={summary} onPublish={() => void changeVisibility('public')} />
        )}
      </ScreenHeader>
      <WhyHidden />
      <AsyncContent state={state}>
        {(loaded) => (
          <>
            <NeedsYou findings={toDo.value} />
            {hasPage ? (
              <PageHome
                state={loaded}
                views={views}
                events={events}
                onChange={reload}
                onVisibilityChange={(visibility) => void changeVisibility(visibility)}
              />
            ) : (
              <>
                <NextStep state={loaded} />
                {loaded.name === '' ? (
                  <UnnamedHome onDone={reload} />
                ) : (
                  <FirstHome state={loaded} onChange={reload} />
                )}
                <ProjectActivity state={loaded} />
              </>
            )}
          </>
        )}
      </AsyncContent>
    </>
  );
}

function isStarted({ name, wasPublished, blockCount }: AccountSummary): boolean {
  return name !== '' && (wasPublished || blockCount > 0);
}

/** `state` is undefined until the account is loaded. */
function PageButtons({
  state,
  onPublish,
}: {
  state: AccountSummary | undefined;
  onPublish: () => void;
}) {
  const isHidden = state?.visibility === 'hidden';
  return (
    <>
      <a class="button" href={dashboardHref('page')}>
        <Icon path={ICON_PATHS.edit} />
        {t('Edit page')}
      </a>
      {isHidden && pageSuspensionReason.value === null && (
        <button type="button" class="primary" onClick={onPublish}>
          {t('Publish page')}
        </button>
      )}
      {!isHidden && (
        <a class="button" href={`${pagesUrl}/@${state?.name ?? displayName.value}`}>
          {t('View page')}
          <Icon path={ICON_PATHS.externalLink} />
        </a>
      )}
    </>
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
