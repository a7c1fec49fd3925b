import type { Translator } from '#translations/translator.ts';
import type { AlertCondition } from '../alert-condition.ts';
import { numberFormat } from './intl-formats.ts';

/** Describes a condition: "Sum of errors in the last 15 minutes is above 10". */
export function describeCondition(condition: AlertCondition, t: Translator): string {
  const { path, minutes, comparison } = condition;
  const field = path.join('.');
  const window = formatTimeWindow(minutes, t);
  if (comparison === 'absent')
    return field === ''
      ? t('No metrics in {window}', { window })
      : t('No {field} in {window}', { field, window });
  const values = {
    measure: describeMeasure(condition, t),
    window,
    threshold: formatAlertValue(condition.threshold, t),
  };
  return comparison === 'above'
    ? t('{measure} in {window} is above {threshold}', values)
    : t('{measure} in {window} is below {threshold}', values);
}

function describeMeasure({ path, aggregate }: AlertCondition, t: Translator): string {
  const field = path.join('.');
  if (field === '') return t('Number of metrics');
  switch (aggregate) {
    case 'count':
      return t('Count of {field}', { field });
    case 'sum':
      return t('Sum of {field}', { field });
    case 'avg':
      return t('Average of {field}', { field });
    case 'min':
      return t('Minimum of {field}', { field });
    case 'max':
      return t('Maximum of {field}', { field });
  }
}

/** Formats a time window to follow “in”, such as “the last 15 minutes”. */
export function formatTimeWindow(minutes: number, t: Translator): string {
  return minutes % 60 === 0
    ? t('{hours, plural, one {the last hour} other {the last # hours}}', { hours: minutes / 60 })
    : t('{minutes, plural, one {the last minute} other {the last # minutes}}', { minutes });
}

export function formatAlertValue(value: number | null, t: Translator): string {
  if (value === null) return t('no data');
  const size = Math.abs(value);
  return size >= 1e15 || (size > 0 && size < 1e-4)
    ? value.toPrecision(4)
    : numberFormat(t.locale, { maximumFractionDigits: size < 1 ? 6 : 2 }).format(value);
}
