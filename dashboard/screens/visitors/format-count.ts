import { t } from '#dashboard/translate.ts';

const fullFormat = new Intl.NumberFormat(t.locale);
const compactFormat = new Intl.NumberFormat(t.locale, {
  notation: 'compact',
  maximumFractionDigits: 2,
});

const percentFormat = new Intl.NumberFormat(t.locale, { style: 'percent' });
const preciseFormat = new Intl.NumberFormat(t.locale, {
  style: 'percent',
  maximumFractionDigits: 1,
});

/** Counts from this size on are shortened to fit the layout, for example to 32.5M. */
const MIN_COMPACT_COUNT = 10_000_000;

export function formatCount(count: number): string {
  return (count < MIN_COMPACT_COUNT ? fullFormat : compactFormat).format(count);
}

/** A share below 1 % keeps a decimal, so that it is not shown as 0 %. */
export function formatShare(share: number): string {
  return (share < 0.01 ? preciseFormat : percentFormat).format(share);
}
