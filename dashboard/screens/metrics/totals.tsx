import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { isAdditive, percentChange, measureLabel, describeResult, totalOf } from './result-text.ts';
import { type QueryResult, RANGES } from './metrics-query.ts';

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
/** Longer numbers do not fit on a telephone. */
const COMPACT_FROM = 1e10;
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** The great number of each measure; screen readers hear a sentence instead. */
export function Totals({ result: answer, query, range }: QueryResult) {
  const when = range
    ? RANGES[range][0].toLowerCase()
    : day.formatRange(new Date(query.since), new Date(query.until));
  const { measures = [{}] } = query;
  const isGrouped = answer.series.some(({ group }) => group !== null);
  return (
    <>
      <p class="unseen findings">{describeResult(answer, query)}</p>
      <div class="figures" aria-hidden="true">
        {measures.map((measure, at) => {
          const total = isGrouped && !isAdditive(measure) ? null : totalOf(answer, at);
          const before = answer.previous && totalOf(answer.previous, at);
          return (
            <p key={at} class="row">
              {total !== null && (
                <span class="great" title={number.format(total)}>
                  {(Math.abs(total) < COMPACT_FROM ? number : short).format(total)}
                </span>
              )}
              {total !== null && <ChangeBadge now={total} before={before} />}
              <span class="hint">
                {measureLabel(measure)}, {when}
              </span>
            </p>
          );
        })}
      </div>
    </>
  );
}

/** By how many per cent a number went up or down; nothing if that cannot be told. */
export function ChangeBadge({ now, before }: { now: number; before: number | null | undefined }) {
  const change = percentChange(now, before);
  if (change === undefined) return null;
  return (
    <span class={change >= 0 ? 'change up' : 'change'}>
      <Icon lines={change >= 0 ? LINES.trendUp : LINES.trendDown} />
      <span class="unseen">{change >= 0 ? 'up ' : 'down '}</span>
      {percent.format(Math.abs(change))}%
    </span>
  );
}
