import type { AlertComparison, AlertState } from '../alert-condition.ts';

/** `value` is the aggregated value of the alert's time window, or null if it contains no numbers. */
export function alertStateFor(
  { comparison, threshold }: { comparison: AlertComparison; threshold: number | null },
  value: number | null,
): Exclude<AlertState, 'new'> {
  if (comparison === 'absent') return value === null || value === 0 ? 'firing' : 'fine';
  if (value === null || threshold === null) return 'no_data';
  const isFiring = comparison === 'above' ? value > threshold : value < threshold;
  return isFiring ? 'firing' : 'fine';
}
