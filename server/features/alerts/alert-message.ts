import { z } from 'zod';
import type { AlertCondition } from '#contract/alert-condition.ts';
import { formatAlertValue, describeCondition } from '#contract/shared/alert-text.ts';
import { MESSAGE_REFUSALS } from '#contract/owner/alerts.ts';
import { toPrintable } from '#server/platform/text/printable-text.ts';
import type { Translator } from '#translations/translator.ts';

export const AlertMessage = z.object({
  kind: z.enum(['firing', 'recovered', 'test']),
  title: z.string(),
  project: z.string(),
  text: z.string(),
});
export type AlertMessage = z.infer<typeof AlertMessage>;

/** The texts of `last_error` by code. Refusals of a message are stored by their own codes. */
export const ALERT_ERRORS: Readonly<Record<string, string>> = {
  notEvaluated: 'The latest check failed. It is tried again every minute.',
  notMailed:
    'There is no confirmed email address, or it received too many alerts in the last hour.',
  accountSuspended: 'The account is suspended.',
  notSent: 'An internal error occurred. The message will be sent again.',
  messageUncertain: 'The latest message may not have arrived.',
  ...Object.fromEntries(
    Object.entries(MESSAGE_REFUSALS).map(([code, refusal]) => [code, refusal.message]),
  ),
};

const MAX_TEXT_LENGTH = 1_250;

export function createAlertMessage(
  kind: AlertMessage['kind'],
  { project, value, ...condition }: AlertCondition & { project: string; value: number | null },
  t: Translator,
): AlertMessage {
  const showsValue = kind !== 'test' && condition.comparison !== 'absent';
  const alert = describeCondition(condition, t);
  const text = [
    `${kind === 'recovered' ? t('No longer true: {alert}', { alert }) : alert}.`,
    ...(showsValue
      ? [t('It is {value} now.', { value: formatAlertValue(value, condition, t) })]
      : []),
  ];
  return {
    kind,
    title: getTitle(kind, t),
    project: toPrintable(project),
    text: toPrintable(text.join(' ').slice(0, MAX_TEXT_LENGTH)),
  };
}

function getTitle(kind: AlertMessage['kind'], t: Translator): string {
  if (kind === 'test') return t('Test alert');
  return kind === 'firing' ? t('Alert') : t('Alert resolved');
}
