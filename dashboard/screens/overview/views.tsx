import type { ComponentChildren } from 'preact';
import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import type { AsyncState } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { DayBars } from './day-bars.tsx';
import { describeNoVisits, type PageStage } from './home-text.ts';
import { NoVisits } from './no-visits.tsx';

const DAYS_PER_WEEK = 7;

/** This week, which ends today, and the week before. */
export const QUERIED_DAYS = 2 * DAYS_PER_WEEK;

const weekdayFormat = new Intl.DateTimeFormat(t.locale, { weekday: 'short', timeZone: 'UTC' });

const count = (children: ComponentChildren) => <span class="count">{children}</span>;

export function Views({
  views,
  state,
}: {
  views: AsyncState<ResponseOf<typeof owner.page.getPageViews>>;
  state: PageStage;
}) {
  const isEmpty = views.value?.days.every((day) => day.views === 0) ?? !state.hadVisits;
  if (isEmpty)
    return (
      <NoVisits {...describeNoVisits(state)}>
        <p>
          <a href={dashboardHref('visitors')}>{t('All visitors')}</a>
        </p>
      </NoVisits>
    );
  return (
    <section class="card views-card" aria-label={t('This week')}>
      <AsyncContent state={views}>
        {({ days }) => {
          const before = days.slice(0, DAYS_PER_WEEK);
          const week = days.slice(DAYS_PER_WEEK);
          const bars = week.map(({ day, views: value }, index) => ({
            label: index < week.length - 1 ? weekdayFormat.format(new Date(day)) : t('Today'),
            value,
            previous: before[index]!.views,
          }));
          return (
            <>
              <div class="card-head">
                <h2>
                  <i class="swatch" />
                  {t.rich(
                    'This week <muted>{total, plural, one {# view} other {# views}}</muted>',
                    { total: countViews(week), muted: count },
                  )}
                </h2>
                <p class="hint legend">
                  <i class="swatch earlier" />
                  {t.rich('Week before <muted>{count, number}</muted>', {
                    count: countViews(before),
                    muted: count,
                  })}
                </p>
                <a href={dashboardHref('visitors')}>{t('All visitors')}</a>
              </div>
              <div class="bars">
                <DayBars bars={bars} />
              </div>
            </>
          );
        }}
      </AsyncContent>
    </section>
  );
}

function countViews(days: readonly { views: number }[]): number {
  return days.reduce((sum, { views }) => sum + views, 0);
}
