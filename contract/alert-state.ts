import type { AlertComparison, AlertState } from './alert-condition.ts';

/** The state of an alert whose value is `value`; null is no number at all. */
export function alertStateFor(
  { comparison, threshold }: { comparison: AlertComparison; threshold: number | null },
  value: number | null,
): Exclude<AlertState, 'new'> {
  if (comparison === 'absent') return value === null || value === 0 ? 'firing' : 'fine';
  if (value === null || threshold === null) return 'no_data';
  const isFiring = comparison === 'above' ? value > threshold : value < threshold;
  return isFiring ? 'firing' : 'fine';
}
