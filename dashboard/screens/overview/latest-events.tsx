import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { TimeAgo } from '#dashboard/components/time.tsx';
import type { AsyncState } from '#dashboard/components/use-async.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { EventRow } from '../activity/event-row.tsx';
import { eventKey, groupRuns } from '../activity/group-by-day.ts';

/** More than are shown, because equal ones are one line. */
export const EVENT_COUNT = 20;
/** Phones show three. */
const SHOWN_COUNT = 7;

export function LatestEvents({
  events,
}: {
  events: AsyncState<ResponseOf<typeof owner.events.listEvents>>;
}) {
  return (
    <section class="card last-events">
      <div class="card-head">
        <h2>{t('Recently')}</h2>
        {isOn('connections') && <a href={dashboardHref('connections')}>{t('Get notified')}</a>}
        <a href={dashboardHref('activity')}>{t('Activity')}</a>
      </div>
      <AsyncContent state={events}>
        {({ events: list }) =>
          list.length === 0 ? (
            <Empty icon={ICON_PATHS.clock} title={t('Nothing yet')}>
              <p class="muted">{t('Logins and changes of your page appear here.')}</p>
            </Empty>
          ) : (
            <ul>
              {groupRuns(list, eventKey)
                .slice(0, SHOWN_COUNT)
                .map((run) => (
                  <EventRow key={run[0].id} run={run} time={<TimeAgo time={run[0].created_at} />} />
                ))}
            </ul>
          )
        }
      </AsyncContent>
    </section>
  );
}
