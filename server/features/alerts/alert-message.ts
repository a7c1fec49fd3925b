import type { AlertCondition } from '#contract/alert-condition.ts';
import { formatAlertValue, describeCondition } from '#contract/shared/alert-text.ts';
import { cutText } from '#contract/shared/user-text.ts';
import type { Translator } from '#translations/translator.ts';

/** The texts of `last_error` by code. */
export const ALERT_ERRORS: Readonly<Record<string, string>> = {
  notEvaluated: 'The latest check failed. It is tried again every minute.',
  timedOut: 'The latest check took too long. It is tried again after ten minutes.',
};

const MAX_TEXT_LENGTH = 1_250;

export function describeChange(
  state: 'firing' | 'fine' | 'no_data',
  { value, ...condition }: AlertCondition & { value: number | null },
  t: Translator,
): string {
  const alert = describeCondition(condition, t);
  const sentences = {
    firing: alert,
    fine: t('No longer true: {alert}', { alert }),
    no_data: t('No data for the alert: {alert}', { alert }),
  };
  const text = [
    `${sentences[state]}.`,
    ...(condition.comparison === 'absent' || state === 'no_data'
      ? []
      : [t('It is now {value}.', { value: formatAlertValue(value, t) })]),
  ];
  return cutText(text.join(' '), MAX_TEXT_LENGTH);
}
