import { expect, it } from 'vitest';
import { describeCondition, formatAlertValue } from '#contract/shared/alert-text.ts';
import { translatorFor } from '#server/platform/text/language.ts';

it('an alert names its threshold and value in the language of the reader, without a unit', () => {
  const condition = { path: ['latency_ms'], minutes: 60, comparison: 'above' } as const;
  const average = { ...condition, aggregate: 'avg', threshold: 1_500 } as const;
  const [english, german] = [translatorFor('en'), translatorFor('de')];
  expect(describeCondition(average, english)).toBe(
    'Average of latency_ms in the last hour is above 1,500',
  );
  expect(formatAlertValue(0.125, english)).toBe('0.125');
  expect(formatAlertValue(1_234.567, german)).toBe('1.234,57');
});
