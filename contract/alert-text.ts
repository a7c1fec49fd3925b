import type { AlertAggregate, AlertCondition } from './alert-condition.ts';

const AGGREGATE_LABELS: Readonly<Record<AlertAggregate, string>> = {
  count: 'Count',
  sum: 'Sum',
  avg: 'Average',
  min: 'Minimum',
  max: 'Maximum',
};

/** Describes a condition: "Sum of errors in the last 15 minutes is above 10". */
export function describeCondition(condition: AlertCondition): string {
  const { path, aggregate, minutes, comparison, threshold } = condition;
  const field = path.join('.');
  if (comparison === 'absent')
    return `No ${field === '' ? 'metrics' : field} in ${formatTimeWindow(minutes)}`;
  const aggregateText =
    field === '' ? 'Number of metrics' : `${AGGREGATE_LABELS[aggregate]} of ${field}`;
  return `${aggregateText} in ${formatTimeWindow(minutes)} is ${comparison} ${formatAlertValue(threshold)}`;
}

export function formatTimeWindow(minutes: number): string {
  if (minutes === 1) return 'the last minute';
  if (minutes === 60) return 'the last hour';
  return minutes % 60 === 0 ? `the last ${minutes / 60} hours` : `the last ${minutes} minutes`;
}

export function formatAlertValue(value: number | null): string {
  if (value === null) return 'no data';
  const size = Math.abs(value);
  return size >= 1e15 || (size > 0 && size < 1e-4)
    ? value.toPrecision(4)
    : value.toLocaleString('en', { maximumFractionDigits: size < 1 ? 6 : 2 });
}
