const fullFormat = new Intl.NumberFormat();
const compactFormat = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  maximumFractionDigits: 2,
});

/** Larger counts are shortened to fit the layout, as in 32.5M. */
const COMPACT_FROM = 10_000_000;

export function formatCount(count: number): string {
  return (count < COMPACT_FROM ? fullFormat : compactFormat).format(count);
}
