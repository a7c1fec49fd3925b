import type { ComponentProps } from 'preact';
import type { PageVisibility } from '#contract/shared/page-visibility.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { describeMail } from './home-text.ts';
import { LatestEvents } from './latest-events.tsx';
import type { AccountSummary } from './load-summary.ts';
import { NextStep } from './next-step.tsx';
import { ProjectActivity } from './project-activity.tsx';
import { Views } from './views.tsx';
import { YourPage } from './your-page.tsx';

interface PageHomeProps {
  state: AccountSummary;
  views: ComponentProps<typeof Views>['views'];
  events: ComponentProps<typeof LatestEvents>['events'];
  onChange: () => void;
  onVisibilityChange: (visibility: PageVisibility) => void;
}

/** Before the first visit, the page comes first, and there is no chart. */
export function PageHome({ state, views, events, onChange, onVisibilityChange }: PageHomeProps) {
  const page = (
    <YourPage state={state} onChange={onChange} onVisibilityChange={onVisibilityChange} />
  );
  const visits = isOn('visitors') && <Views views={views} state={state} />;
  if (!state.hadVisits)
    return (
      <div class="main-and-side first-day-home">
        <div>{page}</div>
        <div>
          {visits}
          <NextStep state={state} />
          <MailCard state={state} />
          <ProjectActivity state={state} />
          <LatestEvents events={events} />
        </div>
      </div>
    );
  return (
    <div class="main-and-side home">
      <div>
        {visits}
        <ProjectActivity state={state} />
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
