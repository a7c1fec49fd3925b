import { DAY_MS } from '#contract/durations.ts';
import { useSignal } from '@preact/signals';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import { Chart } from '../metrics/chart.tsx';
import { formatCount } from './format-count.ts';
import { updateSelection, utcDay, formatPeriod, type ChartPoint, chartPoints, type VisitorsResponse } from './period.ts';

const shareFormat = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const change = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const pointsFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const fullDayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

type Totals = Pick<VisitorsResponse, 'views' | 'clicks'>;

/** A number of the summary, which the plot shows day by day. */
interface Measure {
  title: string;
  of: (sums: Pick<ChartPoint, 'views' | 'clicks'>) => number | null;
  format: (value: number) => string;
  /** The change since the period before, without its sign; undefined if nothing can be compared. */
  change: (now: number, before: number) => string | undefined;
}

const relativeChange: Measure['change'] = (now, before) =>
  before === 0 ? undefined : change.format(Math.abs((now - before) / before));

const MEASURES = {
  views: {
    title: 'Page views',
    of: ({ views }) => views,
    format: formatCount,
    change: relativeChange,
  },
  clicks: {
    title: 'Link clicks',
    of: ({ clicks }) => clicks,
    format: formatCount,
    change: relativeChange,
  },
  rate: {
    title: 'Click rate',
    of: ({ views, clicks }) => (views === 0 ? null : clicks / views),
    format: (value) => shareFormat.format(value),
    change: (now, before) => {
      const difference = pointsFormat.format(Math.abs(now - before) * 100);
      return difference === pointsFormat.format(0) ? undefined : `${difference} pt`;
    },
  },
} as const satisfies Record<string, Measure>;
type MeasureName = keyof typeof MEASURES;

/** The totals of a period beside those before it, each of which can be plotted. */
export function Summary({ answer }: { answer: VisitorsResponse }) {
  const chosen = useSignal<MeasureName>('views');
  const measure: Measure = MEASURES[chosen.value];
  const now = chartPoints(answer.days);
  const before = answer.previous && chartPoints(answer.previous.days);
  const isWeekly = now.length < answer.days.length;
  return (
    <section class="card visitors-summary" aria-label="Summary">
      <div class="visitors-stats" role="group" aria-label="Number in the plot">
        {(Object.keys(MEASURES) as MeasureName[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === chosen.value}
            onClick={() => (chosen.value = name)}
          >
            <MeasureSummary measure={MEASURES[name]} now={answer} before={answer.previous} />
            <Sparkline values={now.map((point) => MEASURES[name].of(point) ?? 0)} />
          </button>
        ))}
      </div>
      <Chart
        key={chosen.value}
        times={now.map(({ day }) => `${day}T00:00:00.000Z`)}
        end={new Date(Date.parse(answer.until) + DAY_MS).toISOString()}
        timeZone="UTC"
        isLastPartial={answer.until === utcDay(Date.now())}
        formatTime={(at) => (isWeekly ? `Week of ${dayFormat.format(at)}` : fullDayFormat.format(at))}
        formatNumber={measure.format}
        lines={[
          {
            name: formatPeriod(answer),
            values: now.map(measure.of),
            isPrevious: false,
            colourIndex: 0,
          },
          ...(before && answer.previous
            ? [
                {
                  name: formatPeriod(answer.previous),
                  values: before.map(measure.of),
                  isPrevious: true,
                  colourIndex: 0,
                },
              ]
            : []),
        ]}
        onZoom={(since, until) =>
          // The last day is in the range.
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

function MeasureSummary({ measure, now, before }: { measure: Measure; now: Totals; before: Totals | null }) {
  const [value, earlier] = [measure.of(now), before && measure.of(before)];
  const words = value === null || earlier === null ? undefined : measure.change(value, earlier);
  const isUp = value !== null && earlier !== null && value > earlier;
  return (
    <>
      <span class="hint">{measure.title}</span>
      <span class="row">
        <strong class="figure-value">{value === null ? '–' : measure.format(value)}</strong>
        {words !== undefined && value !== earlier && (
          <span class={isUp ? 'change up' : 'change'}>
            <Icon path={isUp ? ICON_PATHS.trendUp : ICON_PATHS.trendDown} />
            <span class="unseen">{isUp ? 'up ' : 'down '}</span>
            {words}
          </span>
        )}
      </span>
    </>
  );
}
