const whole = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 2 });

/** From here on a number is shortened, as in 32.5M: in full it does not fit beside others. */
const COMPACT_FROM = 10_000_000;

/** A number of views or clicks as people read it. */
export function formatCount(count: number): string {
  return (count < COMPACT_FROM ? whole : compact).format(count);
}
