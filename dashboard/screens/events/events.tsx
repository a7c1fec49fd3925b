import type { Event as AccountEvent } from '#client/generated/owner-operations.ts';
import type { EventKind } from '#contract/shared/event-types.ts';
import { owner } from '#dashboard/api/api.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { developerParent, ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { TimeOfDay } from '#dashboard/components/time.tsx';
import { isOperator } from '#dashboard/current-account.ts';
import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { eventKey, groupByDay, groupRuns } from './group-by-day.ts';
import { EventLine } from './event-line.tsx';
import './events.css';
import { KindChips } from './kind-chips.tsx';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const KINDS: Readonly<Record<EventKind, string>> = {
  connection: t('Connections'),
  page: t('Page'),
  login: t('Sign-in'),
  key: t('Keys'),
  mail: t('Mail'),
  chat: t('Chat'),
  alert: t('Alerts'),
  account: t('Account'),
  server: t('This server'),
};

export function Events() {
  const param = query.value.get('kind') ?? '';
  const kind = Object.hasOwn(KINDS, param) ? (param as EventKind) : undefined;
  const list = useBatches(
    (cursor) => owner.events.listEvents({ limit: 50, type: kind, ...cursor }),
    ({ events }) => events,
    [kind],
  );
  return (
    <>
      <ScreenHeader
        title={t('Events')}
        parent={developerParent()}
        subtitle={t('Everything that happened to your account. Times are in {zone}.', { zone })}
      />
      <KindChips
        label={t('Kind of events')}
        value={kind}
        kinds={Object.entries(KINDS).filter(isShown)}
        onValue={(value) => navigate(value ? `events?kind=${value}` : 'events', { replace: true })}
      />
      <section class="card" aria-label={t('Events')}>
        <BatchList
          list={list}
          empty={
            <Empty
              icon={ICON_PATHS.clock}
              title={kind ? t('No events of this kind yet') : t('No events yet')}
            >
              <p class="muted">
                {t('Logins, keys, page changes, mail and chat messages appear here.')}
              </p>
            </Empty>
          }
        >
          {(events) => <EventDays events={events} />}
        </BatchList>
      </section>
    </>
  );
}

function isShown([kind]: [string, string]): boolean {
  return kind !== 'server' || isOperator.value === true;
}

function EventDays({ events }: { events: readonly AccountEvent[] }) {
  return (
    <div class="event-days">
      {groupByDay(events).map(({ title, events: dayEvents }) => (
        <section key={title} class="event-day">
          <h2 class="event-day-title">{title}</h2>
          <ul>
            {groupRuns(dayEvents, eventKey).map((run) => (
              <EventLine key={run[0].id} run={run} time={<TimeOfDay time={run[0].created_at} />} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
