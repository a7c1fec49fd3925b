import { t } from '#dashboard/translate.ts';

const fullFormat = new Intl.NumberFormat(t.locale);
const compactFormat = new Intl.NumberFormat(t.locale, {
  notation: 'compact',
  maximumFractionDigits: 2,
});

/** Counts from this size on are shortened to fit the layout, for example to 32.5M. */
const MIN_COMPACT_COUNT = 10_000_000;

export function formatCount(count: number): string {
  return (count < MIN_COMPACT_COUNT ? fullFormat : compactFormat).format(count);
}
