import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import type { AsyncState } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { hasSeparatePagesHost } from '#dashboard/session.ts';
import { DayBars } from './day-bars.tsx';
import { t } from '#dashboard/translate.ts';

const DAYS_PER_WEEK = 7;

/** Two whole weeks and today, which is not over yet. */
export const QUERIED_DAYS = 2 * DAYS_PER_WEEK + 1;

export type PageViews = ResponseOf<typeof owner.page.getViews>;

const numberFormat = new Intl.NumberFormat(t.locale);
const percentFormat = new Intl.NumberFormat(t.locale, { style: 'percent' });
const dateFormat = new Intl.DateTimeFormat(t.locale, { day: 'numeric', month: 'long' });
const periodFormat = new Intl.DateTimeFormat(t.locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const weekdayFormat = new Intl.DateTimeFormat(t.locale, { weekday: 'short', timeZone: 'UTC' });

export function Views({ views, isVisible }: { views: AsyncState<PageViews>; isVisible: boolean }) {
  const loadedDays = views.value?.days;
  const weekFrom = (first: number) =>
    loadedDays &&
    periodFormat.formatRange(
      new Date(loadedDays[first]!.day),
      new Date(loadedDays[first + DAYS_PER_WEEK - 1]!.day),
    );
  return (
    <section class="card views-card">
      <div class="card-head">
        <h2>{t('Views, last 7 days')}</h2>
        <p class="legend" aria-hidden="true">
          <i class="swatch earlier" /> {weekFrom(0)} <i class="swatch" /> {weekFrom(DAYS_PER_WEEK)}
        </p>
        <a href={dashboardHref('visitors')}>{t('All visitors')}</a>
      </div>
      <AsyncContent state={views}>
        {({ days, listed_from: listedFrom }) => {
          const values = days.map((day) => day.views);
          const previous = values.slice(0, DAYS_PER_WEEK);
          const current = values.slice(DAYS_PER_WEEK, -1);
          const bars = days.slice(DAYS_PER_WEEK).map(({ day, views: count }, index) => ({
            label: index < DAYS_PER_WEEK ? weekdayFormat.format(new Date(day)) : t('Today'),
            value: count,
            previous: previous[index] ?? 0,
          }));
          const isEmpty = sum(values) === 0;
          const hasWholeDays = sum(values.slice(0, -1)) > 0;
          return (
            <>
              {hasWholeDays && <Total current={sum(current)} previous={sum(previous)} />}
              <div class="bars">
                <DayBars bars={bars} />
                {isEmpty && <NoViews isVisible={isVisible} />}
              </div>
              {isVisible && (
                <p class="hint">
                  {hasSeparatePagesHost
                    ? t('Bots are not counted, and nobody is tracked.')
                    : t('Bots and your own visits are not counted, and nobody is tracked.')}{' '}
                  {listedFrom !== null &&
                    t('Search engines may list your page from {day}.', {
                      day: dateFormat.format(new Date(listedFrom)),
                    })}
                </p>
              )}
            </>
          );
        }}
      </AsyncContent>
    </section>
  );
}

function NoViews({ isVisible }: { isVisible: boolean }) {
  return (
    <div class="none">
      <p class="strong">{t('No views yet')}</p>
      <p class="hint">
        {isVisible
          ? t('Share the address of your page to get visitors.')
          : t('Visits appear here once your page is published.')}
      </p>
    </div>
  );
}

function Total({ current, previous }: { current: number; previous: number }) {
  const percent = previous === 0 ? 0 : Math.round(((current - previous) / previous) * 100) / 100;
  return (
    <p class="row total">
      <span class="display-number">{numberFormat.format(current)}</span>
      {percent !== 0 && (
        <span class={percent > 0 ? 'change up' : 'change down'}>
          <Icon path={percent > 0 ? ICON_PATHS.trendUp : ICON_PATHS.trendDown} />
          <span class="visually-hidden">{percent > 0 ? t('up') : t('down')} </span>
          {percentFormat.format(Math.abs(percent))}
        </span>
      )}
      {previous > 0 && (
        <span class="hint">
          {t('from {views, number} in the 7 days before', { views: previous })}
        </span>
      )}
    </p>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
