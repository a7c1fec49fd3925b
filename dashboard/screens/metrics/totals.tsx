import { t } from '#dashboard/translate.ts';
import { measureOf, type QueryResult, RANGES } from './metrics-query.ts';
import { describeResult, formatNumber, isAdditive, measureLabel, totalOf } from './result-text.ts';

/** From this size on, numbers do not fit on a phone, so they are shown in compact form. */
const MIN_COMPACT_NUMBER = 1e10;
const compactFormat = new Intl.NumberFormat(t.locale, {
  notation: 'compact',
  maximumFractionDigits: 2,
});

/** Screen readers get a sentence instead. */
export function Total(props: QueryResult) {
  const { result, query, range } = props;
  const measure = measureOf(query);
  const isGrouped = result.series.some(({ group }) => group !== null);
  const total = isGrouped && !isAdditive(measure) ? null : totalOf(result);
  return (
    <>
      <p class="visually-hidden findings">{describeResult(props)}</p>
      <p class="row total" aria-hidden="true">
        {total !== null && (
          <span class="display-number">
            <TotalNumber value={total} />
          </span>
        )}
        <span class="hint">
          {measureLabel(measure)}, {RANGES[range][2]}
        </span>
      </p>
    </>
  );
}

export function TotalNumber({ value }: { value: number | null }) {
  if (value === null) return '–';
  const fullText = formatNumber(value);
  return (
    <span title={fullText}>
      {Math.abs(value) < MIN_COMPACT_NUMBER ? fullText : compactFormat.format(value)}
    </span>
  );
}
