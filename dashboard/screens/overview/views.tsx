import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import type { AsyncState } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { hasSeparatePagesHost } from '#dashboard/session.ts';
import { DayBars } from './day-bars.tsx';

const DAYS = 7;

/** Number of days whose views are loaded: those that are shown, and as many before. */
export const VIEW_DAYS = 2 * DAYS;

/** Views of the page in the last days. */
export type PageViews = ResponseOf<typeof owner.page.getViews>;

const number = new Intl.NumberFormat();
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' });

/** How often people opened the page in the last days, beside the days before. */
export function Views({ views }: { views: AsyncState<PageViews> }) {
  return (
    <section class="card views-card">
      <div class="card-head">
        <h2>Views this week</h2>
        <p class="legend" aria-hidden="true">
          <i class="key earlier" /> Last week <i class="key" /> This week
        </p>
        <a href={dashboardHref('visitors')}>All visitors</a>
      </div>
      <AsyncContent state={views}>
        {({ days, listed_from: listedFrom }) => {
          const values = days.map((day) => day.views);
          const [before, now] = [values.slice(0, DAYS), values.slice(DAYS)];
          const bars = days.slice(DAYS).map(({ day, views: count }, index) => ({
            name: weekday.format(new Date(day)),
            value: count,
            before: before[index] ?? 0,
          }));
          const isEmpty = sum(values) === 0;
          return (
            <>
              {!isEmpty && <Total now={sum(now)} before={sum(before)} />}
              <div class="bars">
                <DayBars bars={bars} />
                {isEmpty && (
                  <div class="none">
                    <p class="strong">No views yet</p>
                    <p class="hint">Share the address of your page to get visitors.</p>
                  </div>
                )}
              </div>
              <p class="hint">
                {hasSeparatePagesHost
                  ? 'Bots are not counted, '
                  : 'Your own visits and bots are not counted, '}
                and nothing that tells one visitor from another is stored.
              </p>
              <SearchEngines from={listedFrom} />
            </>
          );
        }}
      </AsyncContent>
      <ApiCall endpoint="page.getViews" input={{ days: VIEW_DAYS }} />
    </section>
  );
}

function Total({ now, before }: { now: number; before: number }) {
  const percent = before === 0 ? 0 : Math.round(((now - before) / before) * 100);
  return (
    <p class="row total">
      <span class="great">{number.format(now)}</span>
      {percent !== 0 && (
        <span class={percent > 0 ? 'change up' : 'change'}>
          <Icon path={percent > 0 ? ICON_PATHS.trendUp : ICON_PATHS.trendDown} />
          <span class="unseen">{percent > 0 ? 'up ' : 'down '}</span>
          {number.format(Math.abs(percent))}%
        </span>
      )}
      {before > 0 && <span class="hint">from {number.format(before)} last week</span>}
    </p>
  );
}

/** Says that search engines are asked to wait with the page of a new account, and until when. */
function SearchEngines({ from }: { from: string | null }) {
  if (from === null) return null;
  const day = new Date(from).toLocaleDateString(undefined, { dateStyle: 'long' });
  return <p class="hint">Your page is new: search engines are asked not to list it until {day}.</p>;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
