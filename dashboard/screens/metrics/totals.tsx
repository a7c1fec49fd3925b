import { type MetricMeasure, metricFormat } from '#contract/shared/metric-unit.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';
import { isAdditive, percentChange, measureLabel, describeResult, totalOf } from './result-text.ts';
import { type QueryResult, RANGES, rangeLabel } from './metrics-query.ts';

/** From this size on, numbers do not fit on a phone, so they are shown in compact form. */
const MIN_COMPACT_NUMBER = 1e10;
const COMPACT_OPTIONS = { notation: 'compact', maximumFractionDigits: 2 } as const;
const percentFormat = new Intl.NumberFormat(t.locale, {
  style: 'percent',
  maximumFractionDigits: 0,
});

/** Screen readers get a sentence instead. */
export function Totals({ result, query, range }: QueryResult) {
  const rangeText = range ? RANGES[range][2] : rangeLabel(query);
  const { measures = [{}] } = query;
  const isGrouped = result.series.some(({ group }) => group !== null);
  return (
    <>
      <p class="visually-hidden findings">{describeResult(result, query)}</p>
      <div class="figures" aria-hidden="true">
        {measures.map((measure, index) => {
          const total = isGrouped && !isAdditive(measure) ? null : totalOf(result, index);
          const previousTotal = result.previous && totalOf(result.previous, index);
          return (
            <p key={index} class="row">
              {total !== null && (
                <span class="display-number">
                  <TotalNumber value={total} measure={measure} />
                </span>
              )}
              {total !== null && <ChangeBadge current={total} previous={previousTotal} />}
              <span class="hint">
                {measureLabel(measure)}, {rangeText}
              </span>
            </p>
          );
        })}
      </div>
    </>
  );
}

export function TotalNumber({ value, measure }: { value: number | null; measure: MetricMeasure }) {
  if (value === null) return '–';
  const fullText = metricFormat(measure, t.locale)(value);
  return (
    <span title={fullText}>
      {Math.abs(value) < MIN_COMPACT_NUMBER
        ? fullText
        : metricFormat(measure, t.locale, COMPACT_OPTIONS)(value)}
    </span>
  );
}

/** In a neutral color, because an increase can be good or bad: sales or errors. */
export function ChangeBadge({
  current,
  previous,
}: {
  current: number;
  previous: number | null | undefined;
}) {
  const change = percentChange(current, previous);
  if (change === undefined) return null;
  if (Math.round(change) === 0) return <span class="change">{t('Same as before')}</span>;
  const percent = percentFormat.format(Math.abs(change) / 100);
  return (
    <span class="change">
      <Icon path={change >= 0 ? ICON_PATHS.trendUp : ICON_PATHS.trendDown} />
      {change >= 0
        ? t('{percent} more than before', { percent })
        : t('{percent} less than before', { percent })}
    </span>
  );
}
