import { useSignal } from '@preact/signals';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import { OTHER_VALUE } from '#contract/shared/visits.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import { Chart, type Line } from '../metrics/chart.tsx';
import { formatCount } from './format-count.ts';
import type { LinkTitles } from './link-titles.ts';
import { entryName } from './lists.tsx';
import {
  selectEntry,
  updateSelection,
  formatPeriod,
  type ChartPoint,
  type EntryDays,
  chartPoints,
  type VisitorsResponse,
} from './period.ts';

const shareFormat = new Intl.NumberFormat(t.locale, {
  style: 'percent',
  maximumFractionDigits: 1,
});
const changeFormat = new Intl.NumberFormat(t.locale, {
  style: 'percent',
  maximumFractionDigits: 0,
});
const percentagePointFormat = new Intl.NumberFormat(t.locale, { maximumFractionDigits: 1 });
const fullDayFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'full', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Gray. */
const TOTAL_COLOR_INDEX = 4;

type Totals = Pick<VisitorsResponse, 'views' | 'clicks'>;

interface Measure {
  title: string;
  value: (totals: Pick<ChartPoint, 'views' | 'clicks'>) => number | null;
  format: (value: number) => string;
  /** The change since the previous period, without a sign. Undefined if there is none to show. */
  formatChange: (current: number, previous: number) => string | undefined;
}

const relativeChange: Measure['formatChange'] = (current, previous) =>
  previous === 0 ? undefined : changeFormat.format(Math.abs((current - previous) / previous));

const MEASURES = {
  views: {
    title: t('Page views'),
    value: ({ views }) => views,
    format: formatCount,
    formatChange: relativeChange,
  },
  clicks: {
    title: t('Link clicks'),
    value: ({ clicks }) => clicks,
    format: formatCount,
    formatChange: relativeChange,
  },
  rate: {
    title: t('Click rate'),
    value: ({ views, clicks }) => (views === 0 ? null : clicks / views),
    format: (value) => shareFormat.format(value),
    formatChange: (current, previous) => {
      const difference = percentagePointFormat.format(Math.abs(current - previous) * 100);
      return difference === percentagePointFormat.format(0)
        ? undefined
        : t('{difference} pt', { difference });
    },
  },
} as const satisfies Record<string, Measure>;
type MeasureName = keyof typeof MEASURES;

/**
 * Totals compared with the previous period. Selecting one shows it in the chart. The days of a
 * selected entry are compared with the total.
 */
export function Summary({
  response,
  firstDay,
  titles,
}: {
  response: VisitorsResponse;
  firstDay: string;
  titles: LinkTitles;
}) {
  const selectedMeasure = useSignal<MeasureName>('views');
  const entry = response.entry as EntryDays | null;
  const measureName = entry ? (entry.list === 'links' ? 'clicks' : 'views') : selectedMeasure.value;
  const measure: Measure = MEASURES[measureName];
  const hasEarlierViews = response.previous !== null && firstDay <= response.previous.until;
  const allPoints = chartPoints(response.days);
  const isWeekly = allPoints.length < response.days.length;
  // A week may begin before the first day.
  const firstSeen = allPoints.findIndex(({ day }) => day >= firstDay) - Number(isWeekly);
  // Without a comparison, the chart begins with the first view, and has at least a week.
  const skipped = hasEarlierViews ? 0 : Math.max(0, Math.min(firstSeen, allPoints.length - 7));
  const current = allPoints.slice(skipped);
  const previousPeriod = hasEarlierViews ? response.previous : null;
  const isEmpty = !entry && !previousPeriod?.views && response.views === 0 && response.clicks === 0;
  const lines = entry
    ? [
        lineOf(
          firstDay,
          measure,
          entryName(entry, titles),
          entryPoints(entry, response).slice(skipped),
        ),
        { ...lineOf(firstDay, measure, measure.title, current), colorIndex: TOTAL_COLOR_INDEX },
      ]
    : [lineOf(firstDay, measure, formatPeriod(response), current)];
  if (previousPeriod && !entry)
    lines.push({
      ...lineOf(firstDay, measure, formatPeriod(previousPeriod), chartPoints(previousPeriod.days)),
      isPrevious: true,
      colorIndex: 1,
    });
  return (
    <section class="card visitors-summary" aria-label={t('Summary')}>
      {entry ? (
        <SelectedEntry entry={entry} response={response} titles={titles} />
      ) : (
        <MeasureChoice
          selected={measureName}
          onSelect={(name) => (selectedMeasure.value = name)}
          response={response}
          previous={previousPeriod}
        />
      )}
      {response.previous && !previousPeriod && !entry && (
        <p class="hint">
          {t('The first view was on {date}.', { date: dayFormat.format(new Date(firstDay)) })}
        </p>
      )}
      {isEmpty ? (
        <p class="muted">{t('No views in this period.')}</p>
      ) : (
        <Chart
          key={`${measureName} ${entry?.list} ${entry?.value}`}
          times={current.map(({ day }) => `${day}T00:00:00.000Z`)}
          end={new Date(Date.parse(response.until) + DAY_MS).toISOString()}
          timeZone="UTC"
          {...(measureName === 'rate' && { formatTick: measure.format })}
          isLastPartial={response.until === utcDay(Date.now())}
          formatTime={(at) =>
            isWeekly
              ? t('Week of {date}', { date: dayFormat.format(at) })
              : fullDayFormat.format(at)
          }
          lines={lines}
          onZoom={zoom}
        />
      )}
    </section>
  );
}

/** Nothing is drawn before the first view. */
function lineOf(
  firstDay: string,
  measure: Measure,
  name: string,
  points: readonly ChartPoint[],
): Line {
  return {
    name,
    values: points.map((point, index) => {
      const next = points[index + 1];
      return next && next.day <= firstDay ? null : measure.value(point);
    }),
    isPrevious: false,
    format: measure.format,
    colorIndex: 0,
  };
}

function entryPoints(entry: EntryDays, { days }: VisitorsResponse): ChartPoint[] {
  return chartPoints(
    days.map(({ day }, index) => {
      const count = entry.counts[index] ?? 0;
      return { day, views: count, clicks: count };
    }),
  );
}

function zoom(since: string, until: string): void {
  updateSelection({
    since: since.slice(0, 10),
    // `until` is exclusive here, but inclusive in the URL.
    until: utcDay(Date.parse(until) - 1),
    range: undefined,
  });
}

function MeasureChoice({
  selected,
  onSelect,
  response,
  previous,
}: {
  selected: MeasureName;
  onSelect: (name: MeasureName) => void;
  response: VisitorsResponse;
  previous: VisitorsResponse['previous'];
}) {
  return (
    <div class="stats visitors-stats" role="group" aria-label={t('Number in the chart')}>
      {(Object.keys(MEASURES) as MeasureName[]).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === selected}
          onClick={() => onSelect(name)}
        >
          <MeasureSummary measure={MEASURES[name]} current={response} previous={previous} />
        </button>
      ))}
    </div>
  );
}

/** Takes the place of the totals, which are stored by day only and cannot be filtered. */
function SelectedEntry({
  entry,
  response,
  titles,
}: {
  entry: EntryDays;
  response: VisitorsResponse;
  titles: LinkTitles;
}) {
  const name = entryName(entry, titles);
  const count = entry.counts.reduce((sum, dayCount) => sum + dayCount, 0);
  const [label, total] =
    entry.list === 'links'
      ? [t('Link clicks'), response.clicks]
      : [t('Page views'), response.views];
  return (
    <div class="row between visitors-entry">
      <div>
        <p class="hint">
          {label}
          {': '}
          {entry.list === 'links' && entry.value !== OTHER_VALUE ? (
            <a href={entry.value} target="_blank" rel="noreferrer">
              {name}
            </a>
          ) : (
            <strong>{name}</strong>
          )}
        </p>
        <p class="row">
          <strong class="figure-value">{formatCount(count)}</strong>
          <span class="hint">
            {t('of {total}, {period}', {
              total: formatCount(total),
              period: formatPeriod(response),
            })}
          </span>
        </p>
      </div>
      <button type="button" class="chip" onClick={() => selectEntry(undefined)}>
        <Icon path={ICON_PATHS.close} />
        {t('Show all')}
      </button>
    </div>
  );
}

function MeasureSummary({
  measure,
  current,
  previous,
}: {
  measure: Measure;
  current: Totals;
  previous: Totals | null;
}) {
  const value = measure.value(current);
  const previousValue = previous && measure.value(previous);
  const change =
    value === null || previousValue === null
      ? undefined
      : measure.formatChange(value, previousValue);
  const isIncrease = value !== null && previousValue !== null && value > previousValue;
  return (
    <>
      <span class="hint">{measure.title}</span>
      <span class="row">
        <strong class="figure-value">{value === null ? '–' : measure.format(value)}</strong>
        {change !== undefined && value !== previousValue && (
          <span class={isIncrease ? 'change up' : 'change down'}>
            <Icon path={isIncrease ? ICON_PATHS.trendUp : ICON_PATHS.trendDown} />
            <span class="visually-hidden">{isIncrease ? t('change|up') : t('change|down')} </span>
            {change}
          </span>
        )}
      </span>
    </>
  );
}
