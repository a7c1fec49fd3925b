const fullFormat = new Intl.NumberFormat();
const compactFormat = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  maximumFractionDigits: 2,
});

/** Counts from this size on are shortened to fit the layout, for example to 32.5M. */
const COMPACT_FROM = 10_000_000;

export function formatCount(count: number): string {
  return (count < COMPACT_FROM ? fullFormat : compactFormat).format(count);
}
