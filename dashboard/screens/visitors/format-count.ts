const fullFormat = new Intl.NumberFormat();
const compactFormat = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  maximumFractionDigits: 2,
});

/** Counts from this size on are shortened to fit the layout, for example to 32.5M. */
const MIN_COMPACT_COUNT = 10_000_000;

export function formatCount(count: number): string {
  return (count < MIN_COMPACT_COUNT ? fullFormat : compactFormat).format(count);
}
