import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import type { AlertCondition } from '#contract/alert-condition.ts';
import { owner } from '#dashboard/api/api.ts';
import { t } from '#dashboard/translate.ts';
import { type AlertMeasure, findFirings, rollingValues } from './alert-history.ts';
import { drawPaths } from './chart-path.ts';
import { PLOT_WIDTH, scaleFor } from './chart-scale.ts';

const HEIGHT = 96;
export interface AlertHistory {
  /** What the alert would have compared with its threshold, oldest first. */
  values: readonly (number | null)[];
  /** 30, or 0 if the values are from the last 16 hours. */
  days: number;
}

const HISTORY_DAYS = 30;
/** In buckets of a minute, because a query returns at most 1,000 buckets. */
const SHORT_HISTORY_MS = 16 * HOUR_MS;

export async function loadAlertHistory(
  projectId: string,
  { path, aggregate, minutes }: AlertMeasure,
): Promise<AlertHistory> {
  const hasHours = minutes % 60 === 0;
  const until = Date.now();
  const since = until - (hasHours ? HISTORY_DAYS * DAY_MS : SHORT_HISTORY_MS);
  // The average of several buckets needs their sums and counts.
  const aggregates = aggregate === 'avg' ? (['sum', 'count'] as const) : ([aggregate] as const);
  const { series } = await owner.metrics.queryMetrics({
    project_id: projectId,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    bucket: hasHours ? 'hour' : 'minute',
    measures: aggregates.map((name) => ({ path: [...path], aggregate: name })),
  });
  const [values = [], counts = []] = aggregates.map(
    (_, index) => series.find(({ measure }) => measure === index)?.values,
  );
  const windowSize = (minutes * MINUTE_MS) / (hasHours ? HOUR_MS : MINUTE_MS);
  return {
    values: rollingValues(values, counts, { aggregate, windowSize }),
    days: hasHours ? HISTORY_DAYS : 0,
  };
}

/** The recent values of an alert with its threshold, and dots where it would have fired. */
export function AlertHistoryChart({
  history: { values, days },
  condition,
}: {
  history: AlertHistory;
  condition: Pick<AlertCondition, 'comparison' | 'threshold'>;
}) {
  if (values.length < 2) return null;
  const { threshold } = condition;
  const numbers = values.filter((value) => value !== null);
  const { min, max } = scaleFor(threshold === null ? numbers : [...numbers, threshold]);
  const xOf = (index: number) => (index / (values.length - 1)) * PLOT_WIDTH;
  const yOf = (value: number) => HEIGHT - ((value - min) / (max - min)) * HEIGHT;
  const points = values.map((value, index) =>
    value === null ? undefined : ([xOf(index), yOf(value)] as const),
  );
  const paths = drawPaths(points, yOf(Math.max(0, min)), false);
  const firings = findFirings(values, condition);
  const count = firings.length;
  return (
    <div class="alert-history series-1">
      <svg viewBox={`0 0 ${PLOT_WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="area" d={paths.area} />
        <path d={paths.line} />
        <path class="dots" d={paths.dots} />
        {threshold !== null && <path class="threshold" d={`M0 ${yOf(threshold)}H${PLOT_WIDTH}`} />}
        <path
          class="firings"
          d={firings.map((index) => `M${xOf(index)} ${yOf(values[index] ?? 0)}h0`).join('')}
        />
      </svg>
      <p class="hint" role="status">
        {days > 0
          ? t(
              '{count, plural, =0 {Would not have fired} one {Would have fired once} other {Would have fired # times}} in the last {days} days',
              { count, days },
            )
          : t(
              '{count, plural, =0 {Would not have fired} one {Would have fired once} other {Would have fired # times}} in the last 16 hours',
              { count },
            )}
      </p>
    </div>
  );
}
