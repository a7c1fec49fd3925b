import type { AlertComparison, AlertState } from './alert-condition.ts';

/** Evaluates an alert. `value` is null if there were no numbers. */
export function alertStateFor(
  { comparison, threshold }: { comparison: AlertComparison; threshold: number | null },
  value: number | null,
): Exclude<AlertState, 'new'> {
  if (comparison === 'absent') return value === null || value === 0 ? 'firing' : 'fine';
  if (value === null || threshold === null) return 'no_data';
  const isFiring = comparison === 'above' ? value > threshold : value < threshold;
  return isFiring ? 'firing' : 'fine';
}
