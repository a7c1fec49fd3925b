import { DAY_MS } from '#contract/durations.ts';
import { useSignal } from '@preact/signals';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { Sparkline } from '#dashboard/parts/sparkline.tsx';
import { Chart } from '../metrics/chart.tsx';
import { countWords } from './count-words.ts';
import { choose, dayOf, periodWords, type Point, pointsOf, type VisitorsAnswer } from './period.ts';

const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const change = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const fullDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });
const mediumDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

type Sums = Pick<VisitorsAnswer, 'views' | 'clicks'>;

/** A number of the summary, which the plot shows day by day. */
interface Measure {
  title: string;
  of: (sums: Pick<Point, 'views' | 'clicks'>) => number | null;
  format: (value: number) => string;
  /** The change since the period before, without its sign; undefined if nothing can be compared. */
  change: (now: number, before: number) => string | undefined;
}

const relative: Measure['change'] = (now, before) =>
  before === 0 ? undefined : change.format(Math.abs((now - before) / before));

const MEASURES = {
  views: {
    title: 'Page views',
    of: ({ views }) => views,
    format: countWords,
    change: relative,
  },
  clicks: {
    title: 'Link clicks',
    of: ({ clicks }) => clicks,
    format: countWords,
    change: relative,
  },
  rate: {
    title: 'Click rate',
    of: ({ views, clicks }) => (views === 0 ? null : clicks / views),
    format: (value) => share.format(value),
    change: (now, before) => {
      const difference = points.format(Math.abs(now - before) * 100);
      return difference === points.format(0) ? undefined : `${difference} pt`;
    },
  },
} as const satisfies Record<string, Measure>;
type Name = keyof typeof MEASURES;

/** The totals of a period beside those before it, each of which can be plotted. */
export function Summary({ answer }: { answer: VisitorsAnswer }) {
  const chosen = useSignal<Name>('views');
  const measure: Measure = MEASURES[chosen.value];
  const now = pointsOf(answer.days);
  const before = answer.previous && pointsOf(answer.previous.days);
  const isWeekly = now.length < answer.days.length;
  return (
    <section class="card visitors-summary" aria-label="Summary">
      <div class="visitors-stats" role="group" aria-label="Number in the plot">
        {(Object.keys(MEASURES) as Name[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === chosen.value}
            onClick={() => (chosen.value = name)}
          >
            <Stat measure={MEASURES[name]} now={answer} before={answer.previous} />
            <Sparkline values={now.map((point) => MEASURES[name].of(point) ?? 0)} />
          </button>
        ))}
      </div>
      <Chart
        key={chosen.value}
        times={now.map(({ day }) => `${day}T00:00:00.000Z`)}
        end={new Date(Date.parse(answer.until) + DAY_MS).toISOString()}
        timeZone="UTC"
        isLastPartial={answer.until === dayOf(Date.now())}
        formatTime={(at) => (isWeekly ? `Week of ${mediumDay.format(at)}` : fullDay.format(at))}
        formatNumber={measure.format}
        lines={[
          {
            name: periodWords(answer),
            values: now.map(measure.of),
            isPrevious: false,
            colourIndex: 0,
          },
          ...(before && answer.previous
            ? [
                {
                  name: periodWords(answer.previous),
                  values: before.map(measure.of),
                  isPrevious: true,
                  colourIndex: 0,
                },
              ]
            : []),
        ]}
        onZoom={(since, until) =>
          // The last day is in the range.
          choose({
            since: since.slice(0, 10),
            until: dayOf(Date.parse(until) - 1),
            range: undefined,
          })
        }
      />
    </section>
  );
}

function Stat({ measure, now, before }: { measure: Measure; now: Sums; before: Sums | null }) {
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
            <Icon lines={isUp ? LINES.trendUp : LINES.trendDown} />
            <span class="unseen">{isUp ? 'up ' : 'down '}</span>
            {words}
          </span>
        )}
      </span>
    </>
  );
}
