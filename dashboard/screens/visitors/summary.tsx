import { DAY_MS } from '#contract/durations.ts';
import { useSignal } from '@preact/signals';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import { t } from '#dashboard/translate.ts';
import { Chart } from '../metrics/chart.tsx';
import { formatCount } from './format-count.ts';
import {
  updateSelection,
  utcDay,
  formatPeriod,
  type ChartPoint,
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

/** Totals compared with the previous period. Selecting one shows it in the chart. */
export function Summary({ response, firstDay }: { response: VisitorsResponse; firstDay: string }) {
  const selectedMeasure = useSignal<MeasureName>('views');
  const measure: Measure = MEASURES[selectedMeasure.value];
  const current = chartPoints(response.days);
  const hasEarlierViews = response.previous !== null && firstDay <= response.previous.until;
  const previousPeriod = hasEarlierViews ? response.previous : null;
  const previous = previousPeriod && chartPoints(previousPeriod.days);
  const isWeekly = current.length < response.days.length;
  return (
    <section class="card visitors-summary" aria-label={t('Summary')}>
      <div class="visitors-stats" role="group" aria-label={t('Number in the chart')}>
        {(Object.keys(MEASURES) as MeasureName[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === selectedMeasure.value}
            onClick={() => (selectedMeasure.value = name)}
          >
            <MeasureSummary measure={MEASURES[name]} current={response} previous={previousPeriod} />
            <Sparkline values={current.map((point) => MEASURES[name].value(point) ?? 0)} />
          </button>
        ))}
      </div>
      {response.previous && !previousPeriod && (
        <p class="hint">
          {t('The first view was on {date}, so there is no earlier period to compare with.', {
            date: dayFormat.format(new Date(firstDay)),
          })}
        </p>
      )}
      <Chart
        key={selectedMeasure.value}
        times={current.map(({ day }) => `${day}T00:00:00.000Z`)}
        end={new Date(Date.parse(response.until) + DAY_MS).toISOString()}
        timeZone="UTC"
        isLastPartial={response.until === utcDay(Date.now())}
        formatTime={(at) =>
          isWeekly ? t('Week of {date}', { date: dayFormat.format(at) }) : fullDayFormat.format(at)
        }
        formatNumber={measure.format}
        lines={[
          {
            name: formatPeriod(response),
            values: current.map(measure.value),
            isPrevious: false,
            colorIndex: 0,
          },
          ...(previous && previousPeriod
            ? [
                {
                  name: formatPeriod(previousPeriod),
                  values: previous.map(measure.value),
                  isPrevious: true,
                  colorIndex: 0,
                },
              ]
            : []),
        ]}
        onZoom={(since, until) =>
          // `until` is exclusive here, but inclusive in the URL.
          updateSelection({
            since: since.slice(0, 10),
            until: utcDay(Date.parse(until) - 1),
            range: undefined,
          })
        }
      />
    </section>
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
  const [value, previousValue] = [measure.value(current), previous && measure.value(previous)];
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
          <span class={isIncrease ? 'change up' : 'change'}>
            <Icon path={isIncrease ? ICON_PATHS.trendUp : ICON_PATHS.trendDown} />
            <span class="visually-hidden">{isIncrease ? t('change|up') : t('change|down')} </span>
            {change}
          </span>
        )}
      </span>
    </>
  );
}
